import type { MeasuredEdge } from './graph-of.ts'
import { parseWorkloadId } from './identity.ts'
import type { Situation } from './situation.ts'
import type { Suspect } from './suspects.ts'

/** Of a call's usual mean, in seconds, and of its requests: less than this is how a call usually goes. */
const CHANGED = { ratio: 1.25, addedSeconds: 0.005, failedShare: 0.01 }

/** Whether some cluster does not answer at present. */
export function isBlind({ clusters }: Situation): boolean {
  return [...clusters.values()].some(({ state }) => state !== 'current')
}

/**
 * Whether what a suspect is suspected of may as well lie in a cluster that does not answer: from the suspect, or the far
 * end of a link, calls that take longer or fail more often than usual lead there. Who waits for them may count nothing
 * of it, because those who call it give up before.
 */
export function mayLieInTheDark(situation: Situation, { id, kind, alike }: Suspect): boolean {
  if (!isBlind(situation)) return false
  const ends = [id, ...alike].map((one) => (kind === 'link' ? (one.split('~')[1] ?? one) : one))
  const seen = new Set(ends)
  const work = [...ends]
  for (let from = work.pop(); from !== undefined; from = work.pop()) {
    for (const measured of situation.callsOf.get(from) ?? []) {
      if (!isChanged(measured)) continue
      const { to, confidence } = measured.edge
      if (confidence === 'dotted' || isDark(situation, to)) return true
      if (seen.has(to)) continue
      seen.add(to)
      work.push(to)
    }
  }
  return false
}

function isDark({ clusters }: Situation, id: string): boolean {
  const cluster = parseWorkloadId(id)?.cluster
  return cluster === undefined || clusters.get(cluster)?.state !== 'current'
}

function isChanged({ flows: { callerNow: now, callerUsual: usual } }: MeasuredEdge): boolean {
  if (!usual.requestsPerSecond) return Boolean(now.requestsPerSecond)
  // None of them has come back.
  if (!now.requestsPerSecond) return true
  const failing = (flow: typeof now) => (flow.failuresPerSecond ?? 0) / (flow.requestsPerSecond ?? 1)
  if (failing(now) - failing(usual) >= CHANGED.failedShare) return true
  const added = (now.meanSeconds ?? 0) - (usual.meanSeconds ?? 0)
  return added >= CHANGED.addedSeconds && added >= (CHANGED.ratio - 1) * (usual.meanSeconds ?? 0)
}
