import { spoken } from '../identity.ts'
import { percent, perSecond } from '../phrase.ts'
import { remembered } from '../remembered.ts'
import { requestsOf, type Traffic } from '../traffic.ts'
import { candidates, clusterOf } from './target.ts'
import type { Call, KnownWorkload, Resolution, World } from './types.ts'
import { knownRate } from './weigh.ts'

/** Two rates that are this close may be the same requests. */
const CLOSE = 0.05
/** With a history, they must also have moved together. */
const LEAST_CORRELATION = 0.9
const LEAST_STEPS = 10
/** More look-alikes than this tell nothing. */
const MOST_CANDIDATES = 3

/**
 * Rule 8, the last resort: a call that nothing resolves goes on at the rate at which some workload of another cluster
 * gets requests that nobody's calls explain. A hint for a person, never more: rates agree by chance.
 */
export function byRates(call: Call, explained: ReadonlyMap<string, number>, world: World): Resolution | null {
  const calling = knownRate(call.rates)
  if (calling <= 0) return null
  const alike: { id: string; left: number; together: number | null }[] = []
  for (const { workload, left } of leftAround(calling, unexplained(explained, world))) {
    if (clusterOf(workload.id) === call.cluster) continue
    // A course holds all requests: it tells something only where most of them are unexplained.
    const mostly = left > 0.8 * knownRate(workload.total)
    const together = mostly ? correlation(call.past, workload.past) : null
    if (together !== null && together < LEAST_CORRELATION) continue
    alike.push({ id: workload.id, left, together })
    if (alike.length > MOST_CANDIDATES) return null
  }
  if (alike.length === 0) return null
  return {
    rule: 'rates',
    confidence: 'dotted',
    evidence: alike.map(({ id, left, together }) => {
      const moved = together === null ? '' : `, and both move together (${percent(together)})`
      return `a hint only: ${perSecond(calling)} called, ${perSecond(left)} arriving at ${spoken(id)} that nobody's calls explain${moved}`
    }),
    targets: candidates(alike.map(({ id }) => id)),
  }
}

interface Left {
  readonly workload: KnownWorkload
  /** What it gets that nobody's calls explain, per second. */
  readonly left: number
  /** Among all workloads. */
  readonly place: number
}

/** What is left of each workload's rate, the least first: worked out once for all calls that are open. */
const unexplained = remembered((explained: ReadonlyMap<string, number>, { workloads }: World): readonly Left[] => {
  return [...workloads.values()]
    .map((workload, place) => ({
      workload,
      left: knownRate(workload.total) - (explained.get(workload.id) ?? 0),
      place,
    }))
    .filter(({ left }) => left > 0)
    .sort((a, b) => a.left - b.left)
})

/** Those whose rest is close to a rate, in the order of the workloads. */
function leftAround(calling: number, rests: readonly Left[]): Left[] {
  const isClose = ({ left }: Left) => Math.abs(left - calling) <= CLOSE * calling
  let [from, end] = [0, rests.length]
  while (from < end) {
    const middle = (from + end) >> 1
    const rest = rests[middle] as Left
    if (rest.left < calling && !isClose(rest)) from = middle + 1
    else end = middle
  }
  const close: Left[] = []
  for (let at = from; at < rests.length && isClose(rests[at] as Left); at += 1) close.push(rests[at] as Left)
  return close.sort((a, b) => a.place - b.place)
}

/** Pearson's, over the steps that both have; null where there are too few or nothing moves. */
function correlation(one: Traffic | null, other: Traffic | null): number | null {
  if (one === null || other === null) return null
  const [a, b] = [requestsOf(one), requestsOf(other)]
  const pairs = [...a].flatMap((x, step) => {
    const y = b[step]
    return Number.isNaN(x) || y === undefined || Number.isNaN(y) ? [] : [[x, y] as const]
  })
  if (pairs.length < LEAST_STEPS) return null
  const mean = (pick: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[pick], 0) / pairs.length
  const [meanX, meanY] = [mean(0), mean(1)]
  let [xy, xx, yy] = [0, 0, 0]
  for (const [x, y] of pairs) {
    xy += (x - meanX) * (y - meanY)
    xx += (x - meanX) ** 2
    yy += (y - meanY) ** 2
  }
  // A flat course follows every other flat one: nothing to learn.
  if (xx < 1e-4 * pairs.length * meanX ** 2 || yy < 1e-4 * pairs.length * meanY ** 2) return null
  return xy / Math.sqrt(xx * yy)
}
