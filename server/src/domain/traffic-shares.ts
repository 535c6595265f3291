import { addTraffic } from './add-traffic.ts'
import { addStepsInto, type Column } from './columns.ts'
import { scaledNative } from './native-histogram.ts'
import type { Counted } from './rows.ts'
import { type StepMask, type Stretch, stretchOf } from './step-mask.ts'
import {
  emptyTraffic,
  type Flow,
  flowOfMeans,
  flowOver,
  type Means,
  meansIn,
  meansOver,
  NO_FLOW,
  rowsOf,
  type Traffic,
} from './traffic.ts'

/** A part of a flow that is seen only together with others: `share` of `traffic`. */
export interface TrafficShare {
  readonly traffic: Traffic
  readonly share: number
}

/** Shares of flows, added up. */
export function sumOf(shares: readonly TrafficShare[], steps: number): Traffic {
  const sum = emptyTraffic(steps)
  for (const { traffic, share } of shares) addTraffic(sum, share === 1 ? traffic : scaled(traffic, share))
  let oldest: number | undefined
  for (const { traffic } of shares) {
    const age = traffic.bucketsAgeSeconds
    if (age !== undefined && (oldest === undefined || age > oldest)) oldest = age
  }
  sum.bucketsAgeSeconds = oldest
  return sum
}

/** Of how many series a bucket is the sum stays as it is: it tells which bounds all of them have. */
function scaled(traffic: Traffic, factor: number): Traffic {
  const { bucketSeries, native } = traffic
  return {
    success: times(traffic.success, factor),
    failures: times(traffic.failures, factor),
    latencySeconds: times(traffic.latencySeconds, factor),
    latencyCount: times(traffic.latencyCount, factor),
    buckets: traffic.buckets.map((value) => value * factor),
    bucketSeries,
    native: native?.map((histogram) => histogram && scaledNative(histogram, factor)),
  }
}

function times(column: Column, factor: number): Column {
  const product = column.slice()
  for (let step = 0; step < product.length; step += 1) product[step] = (product[step] as number) * factor
  return product
}

/**
 * The flow of shares added up, as `flowOver(sumOf(...))` has it. Nothing of the length of a history is made for it, and
 * its latencies' histogram when somebody asks for it: fleets have tens of thousands of calls, of which a few are looked at.
 */
export function flowOfShares(shares: readonly TrafficShare[], steps: number, keep: StepMask): Flow {
  const [only, ...more] = shares
  if (only === undefined) return NO_FLOW
  if (more.length === 0 && only.share === 1) return flowOver(only.traffic, keep)
  const means = flowOfMeans(more.length === 0 ? shareOf(only, keep) : meansOfSum(shares, stretchOf(keep, steps)))
  const hasLatencies = shares.some(({ traffic: { buckets, native } }) => buckets.size > 0 || native !== undefined)
  return hasLatencies ? new FlowOfShares(means, () => flowOver(sumOf(shares, steps), keep)) : means
}

/** A flow whose latencies are added up when they are asked for. They are not copied with it by spreading it. */
class FlowOfShares implements Flow {
  readonly requestsPerSecond: number | null
  readonly failuresPerSecond: number | null
  readonly meanSeconds: number | null
  readonly #add: () => Flow
  #whole: Flow | null = null

  constructor({ requestsPerSecond, failuresPerSecond, meanSeconds }: Flow, add: () => Flow) {
    this.requestsPerSecond = requestsPerSecond
    this.failuresPerSecond = failuresPerSecond
    this.meanSeconds = meanSeconds
    this.#add = add
  }

  get histogram(): Flow['histogram'] {
    return this.#added.histogram
  }

  get lostBounds(): readonly number[] | undefined {
    return this.#added.lostBounds
  }

  get histogramAgeSeconds(): number | undefined {
    return this.#added.histogramAgeSeconds
  }

  get #added(): Flow {
    this.#whole ??= this.#add()
    return this.#whole
  }
}

/** What was counted is as much less as the share is, at each step and so on average. */
function shareOf({ traffic, share }: TrafficShare, keep: StepMask): Means {
  const { success, failures, latencySeconds, latencyCount } = meansOver(traffic, keep)
  return {
    success: success * share,
    failures: failures * share,
    latencySeconds: latencySeconds * share,
    latencyCount: latencyCount * share,
  }
}

/**
 * Means over the steps of a stretch at which any of the shares was measured; NaN where none was. Those of success and
 * failures are over the steps at which either was, as they are of a single flow.
 */
function meansOfSum(shares: readonly TrafficShare[], stretch: Stretch): Means {
  const { from, end } = stretch
  const parts = shares.map(({ traffic, share }) => ({ rows: rowsOf(traffic), share }))
  const sum = (counted: Counted): Float64Array => {
    const sums = new Float64Array(Math.max(0, end - from)).fill(Number.NaN)
    for (const { rows, share } of parts) {
      addStepsInto(sums, 0, rows.columns[counted], rows.from + from, sums.length, share)
    }
    return sums
  }
  const columns = {
    success: sum('success'),
    failures: sum('failures'),
    latencySeconds: sum('latencySeconds'),
    latencyCount: sum('latencyCount'),
  }
  return meansIn({ columns, from: -from, steps: end }, stretch)
}
