import type { SimCall, SimWorkload, SimWorld } from './types.ts'

/** What is to be expected of a calm world, queues left out: good enough to size it by. All by workload. */
export interface Expectation {
  readonly requestsPerSecond: readonly number[]
  readonly meanSeconds: readonly number[]
  /** Requests that one request of a workload causes at another, of those that are waited for. */
  visits(from: number): Float64Array
}

const ROUNDS = 24

export function expect(world: SimWorld): Expectation {
  const { workloads, calls, entries } = world
  const size = workloads.length
  const direct = calls.filter(({ style }) => style !== 'forward')
  const behind = (call: SimCall) => (call.style === 'ingress' ? behindDoor(call, calls) : call.to)
  const ends = new Map(direct.map((call) => [call.index, behind(call)]))
  const requestsPerSecond = spread(size, direct, ends, (rates) => {
    for (const { workload, requestsPerSecond: rate } of entries) rates[workload] = (rates[workload] as number) + rate
  })
  for (const call of direct) {
    if (call.style !== 'ingress') continue
    const arriving = (requestsPerSecond[call.from] as number) * call.count
    requestsPerSecond[call.to] = (requestsPerSecond[call.to] as number) + arriving
  }
  let means: Float64Array = new Float64Array(size)
  for (let round = 0; round < ROUNDS; round += 1) means = meansAfter(workloads, calls, ends, means)
  return {
    requestsPerSecond: [...requestsPerSecond],
    meanSeconds: [...means],
    visits: (from) =>
      spread(
        size,
        direct.filter(({ waits }) => waits),
        ends,
        (visits) => {
          visits[from] = (visits[from] as number) + 1
        },
      ),
  }
}

function behindDoor({ host }: SimCall, calls: readonly SimCall[]): number {
  return calls.find((call) => call.style === 'forward' && call.host === host)?.to ?? -1
}

/** Follows requests along calls until nothing more moves; cycles lead back ever less. */
function spread(
  size: number,
  calls: readonly SimCall[],
  ends: ReadonlyMap<number, number>,
  begin: (amounts: Float64Array) => void,
): Float64Array {
  let amounts = new Float64Array(size)
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = new Float64Array(size)
    begin(next)
    for (const { index, from, count } of calls) {
      const to = ends.get(index) ?? -1
      if (to >= 0) next[to] = (next[to] as number) + (amounts[from] as number) * count
    }
    amounts = next
  }
  return amounts
}

function meansAfter(
  workloads: readonly SimWorkload[],
  calls: readonly SimCall[],
  ends: ReadonlyMap<number, number>,
  means: Float64Array,
): Float64Array {
  return Float64Array.from(workloads, ({ ownSeconds, stages }) => {
    const waited = stages.map((stage) =>
      stage.reduce((longest, index) => {
        const { waits, count, linkSeconds } = calls[index] as SimCall
        const each = linkSeconds + (means[ends.get(index) ?? -1] ?? 0)
        return waits ? Math.max(longest, Math.min(1, count) * each) : longest
      }, 0),
    )
    return ownSeconds + waited.reduce((sum, seconds) => sum + seconds, 0)
  })
}
