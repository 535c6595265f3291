import type { Assessed } from './assess.ts'
import { instantOf } from './baseline.ts'
import { inFlightOf, inFlightText } from './in-flight.ts'
import { perSecond } from './phrase.ts'
import type { Situation } from './situation.ts'
import { meanAt, requestsAt } from './traffic.ts'

/** Values within this of each other are flat. */
const FLAT = 0.1
const GROWN = 2
/** Of a stretch that is to tell anything, and the part of it at either end that is compared. */
const LEAST_STEPS = 6
const LAST_STEPS = 24
const END = 1 / 3
/** What the driver has to grow by over the stretch itself: a queue that stands no longer grows, nor is it a flat line. */
const GROWING = 1.2

/**
 * A signal that is stuck while what drives it grows: requests get done at one and the same rate, however many more wait.
 * In words, or null. That is what a worker, a pool, a port range or a limit looks like from outside when it is used up.
 */
export function flatLine(situation: Situation, workload: Assessed): string | null {
  const { id, ref, now, usual, trouble } = workload
  const traffic = situation.clusters.get(ref.cluster)?.history?.inbound.get(id)?.total
  const [waiting, before] = [inFlightOf(now), inFlightOf(usual)]
  if (traffic === undefined || trouble.onsetSeconds === null || waiting === null || before === null) return null
  if (waiting < 1 || waiting < GROWN * before) return null
  const rates: number[] = []
  const held: number[] = []
  for (let step = Math.max(0, situation.axis.steps - LAST_STEPS); step < situation.axis.steps; step += 1) {
    // Before a rate window is over, it holds some of what was before.
    if (instantOf(situation.axis, step) < trouble.onsetSeconds + situation.windowSeconds) continue
    const [rate, mean] = [requestsAt(traffic, step), meanAt(traffic, step)]
    if (rate === null || mean === null) continue
    rates.push(rate)
    held.push(rate * mean)
  }
  if (rates.length < LEAST_STEPS) return null
  const [least, most] = [Math.min(...rates), Math.max(...rates)]
  const end = Math.max(1, Math.floor(rates.length * END))
  const growing = average(held.slice(-end)) >= GROWING * average(held.slice(0, end))
  if (most <= 0 || most - least > FLAT * most || !growing) return null
  return `flat line: rps stuck at ${perSecond(average(rates))} while in-flight grows, ${inFlightText(situation, workload)}`
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
