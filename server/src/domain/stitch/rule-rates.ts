import { spoken } from '../identity.ts'
import { percent, perSecond } from '../phrase.ts'
import { requestsOf, type Traffic } from '../traffic.ts'
import { candidates, clusterOf } from './target.ts'
import type { Call, Resolution, World } from './types.ts'
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
  const alike = [...world.workloads.values()].flatMap((workload) => {
    if (clusterOf(workload.id) === call.cluster) return []
    const left = knownRate(workload.total) - (explained.get(workload.id) ?? 0)
    if (left <= 0 || Math.abs(left - calling) > CLOSE * calling) return []
    // A course holds all requests: it tells something only where most of them are unexplained.
    const mostly = left > 0.8 * knownRate(workload.total)
    const together = mostly ? correlation(call.past, workload.past) : null
    if (together !== null && together < LEAST_CORRELATION) return []
    return [{ id: workload.id, left, together }]
  })
  if (alike.length === 0 || alike.length > MOST_CANDIDATES) return null
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
