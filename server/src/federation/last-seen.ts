import { instantOf } from '../domain/baseline.ts'
import { type WorkloadRef, workloadId } from '../domain/identity.ts'
import { requestsAt } from '../domain/traffic.ts'
import type { ClusterPast } from './cluster-past.ts'

const STEP_SECONDS = 3_600
/** Two weeks: what most keep. */
const STEPS = 14 * 24
/** A page that finds nothing goes on asking; its answer does not change so soon. */
const KEPT_SECONDS = 600
const MOST_KEPT = 200
/** The page says that there is nothing; it does not wait long to say since when. */
const PATIENCE_MS = 3_000

type Asked = Pick<ClusterPast, 'workloads' | 'tellsApart'>

interface Known {
  readonly askedAtSeconds: number
  readonly answer: Promise<number | null>
}

/**
 * Tells when a workload that is not there last reported: the end of that hour, unix seconds; null where it did not in
 * two weeks, its cluster does not answer soon, or a mesh there cannot be asked for one workload alone. Never rejects.
 */
export function createLastSeen() {
  const known = new Map<string, Known>()
  return (past: Asked, workload: WorkloadRef, atSeconds: number): Promise<number | null> => {
    const id = workloadId(workload)
    const before = known.get(id)
    if (before !== undefined && Math.abs(atSeconds - before.askedAtSeconds) < KEPT_SECONDS) return before.answer
    const answer = look(past, workload, atSeconds).catch(() => {
      // Whoever asks next may have more luck.
      known.delete(id)
      return null
    })
    known.delete(id)
    known.set(id, { askedAtSeconds: atSeconds, answer })
    const [oldest] = known.keys()
    if (known.size > MOST_KEPT && oldest !== undefined) known.delete(oldest)
    return answer
  }
}

async function look(past: Asked, workload: WorkloadRef, atSeconds: number): Promise<number | null> {
  if (!past.tellsApart) return null
  const last = Math.floor(atSeconds / STEP_SECONDS) * STEP_SECONDS
  const axis = { fromSeconds: last - (STEPS - 1) * STEP_SECONDS, stepSeconds: STEP_SECONDS, steps: STEPS }
  const read = await past.workloads([workload], axis, false, AbortSignal.timeout(PATIENCE_MS))
  if ('error' in read) throw read.error
  const traffic = read.inbound.get(workloadId(workload))?.total
  if (traffic === undefined) return null
  for (let step = STEPS - 1; step >= 0; step -= 1) {
    if (requestsAt(traffic, step) !== null) return instantOf(axis, step)
  }
  return null
}
