import { type Assessed, type ClusterView, usualSource } from './assess.ts'
import type { Axis } from './baseline.ts'
import { callerTraffic } from './edge-flows.ts'
import { isKept, type StepMask } from './step-mask.ts'
import type { StitchedEdge } from './stitch/types.ts'

const LATE_WINDOWS = 0.75
/** Steps looked back for the beginning of a present deviation. */
const LAST_STEPS = 40
/** Part of its present excess from which on a deviation counts as begun, and the least that is one. */
const BEGUN = { part: 0.1, leastSeconds: 0.02 }

/**
 * Whether a workload's own time began to grow clearly after the time of its calls did: by most of a rate window, which
 * smears both alike. A queue at its door forms only once its calls have taken all of its workers; what it does itself
 * needs no such delay.
 */
export function waitsSinceItsCalls(
  { id, ref, keep, trouble }: Assessed,
  calls: readonly { readonly edge: StitchedEdge }[],
  cluster: ClusterView | undefined,
  axis: Axis,
  windowSeconds: number,
): boolean {
  const history = cluster?.history ?? null
  const inbound = history?.inbound.get(id)?.total
  if (inbound === undefined || trouble.latencySoon === 'none' || cluster?.compare != null) return false
  const outbound = calls.flatMap(({ edge }) =>
    edge.callerCluster === ref.cluster ? (callerTraffic(edge, usualSource(cluster)) ?? []) : [],
  )
  const own = new Float64Array(axis.steps).fill(Number.NaN)
  const called = new Float64Array(axis.steps).fill(Number.NaN)
  for (let step = 0; step < axis.steps; step += 1) {
    const count = inbound.latencyCount[step] as number
    if (!(count > 0)) continue
    let sum = 0
    for (const { latencySeconds } of outbound) sum += finite(latencySeconds[step])
    called[step] = sum / count
    own[step] = ((inbound.latencySeconds[step] as number) - sum) / count
  }
  const [ownBegan, callsBegan] = [beganAt(own, keep), beganAt(called, keep)]
  if (ownBegan === null || callsBegan === null) return false
  return (ownBegan - callsBegan) * axis.stepSeconds >= LATE_WINDOWS * windowSeconds
}

function finite(value: number | undefined): number {
  return value === undefined || Number.isNaN(value) ? 0 : value
}

/** The first step of the stretch up to now in which a quantity is above usual; null where it is not. */
function beganAt(values: Float64Array, keep: StepMask): number | null {
  let [sum, count] = [0, 0]
  let last = -1
  for (let step = 0; step < values.length; step += 1) {
    if (Number.isNaN(values[step])) continue
    last = step
    if (!isKept(keep, step)) continue
    sum += values[step] as number
    count += 1
  }
  if (count === 0 || last < 0) return null
  const usual = sum / count
  const excess = (values[last] as number) - usual
  if (excess < BEGUN.leastSeconds) return null
  const least = Math.max(BEGUN.leastSeconds, BEGUN.part * excess)
  let began = last
  for (let step = last; step >= Math.max(0, last - LAST_STEPS); step -= 1) {
    const value = values[step] as number
    if (Number.isNaN(value)) continue
    if (value - usual < least) break
    began = step
  }
  return began
}
