import { type ChangeMark, changeMark } from './change.ts'
import { quantileOf } from './columns.ts'
import { type Golden, readGolden } from './golden.ts'
import { perBucket } from './latency-grid.ts'
import { isNative, type LatencyHistogram } from './latency-histogram.ts'
import { flowAt, type Traffic } from './traffic.ts'

/** One interval of a flow. Counts are of the whole interval; latencies in seconds. */
export interface IntervalReading {
  readonly step: number
  readonly good: number | null
  readonly bad: number | null
  readonly golden: Golden
  readonly minSeconds: number | null
  /** Null without requests, and beyond the last finite bound. */
  readonly maxSeconds: number | null
  readonly changeRatio: number | null
  readonly change: ChangeMark
}

/** Intervals that one is held against: a stall lifts a mean, but not the median of six. */
const COMPARED_WITH = 6

/**
 * A flow interval by interval, oldest first. Each step has to be the rate over exactly the interval before it, so that
 * nothing is counted twice.
 */
export function intervalsOf(traffic: Traffic, steps: number, intervalSeconds: number): IntervalReading[] {
  const read = Array.from({ length: steps }, (_, step) => {
    const flow = flowAt(traffic, step)
    const { golden } = readGolden(flow, { windowSeconds: intervalSeconds, seen: true, stale: false })
    return { step, golden, ends: endsOf(flow.histogram) }
  })
  return read.map(({ step, golden, ends }) => {
    const before = read
      .slice(Math.max(0, step - COMPARED_WITH), step)
      .flatMap(({ golden: { latencySeconds } }) => latencySeconds.p99 ?? [])
    const median = before.length < 2 ? null : quantileOf(before, 0.5)
    const now = golden.latencySeconds.p99
    const changeRatio = now === null || median === null || median <= 0 ? null : now / median
    const rate = golden.requestsPerSecond
    const failures = golden.failuresPerSecond
    return {
      step,
      good: rate === null ? null : (rate - (failures ?? 0)) * intervalSeconds,
      bad: failures === null ? null : failures * intervalSeconds,
      golden,
      minSeconds: ends?.low ?? null,
      maxSeconds: ends?.high ?? null,
      changeRatio,
      change: changeMark(changeRatio),
    }
  })
}

function endsOf(histogram: LatencyHistogram | null): { low: number; high: number | null } | null {
  if (histogram === null) return null
  const finite = (high: number) => (Number.isFinite(high) ? high : null)
  if (isNative(histogram)) {
    const { lows, highs, counts, unitSeconds } = histogram
    const used = counts.flatMap((count, index) => (count > 0 ? [index] : []))
    const [first] = used
    const last = used.at(-1)
    if (first === undefined || last === undefined) return null
    return { low: (lows[first] ?? 0) * unitSeconds, high: finite((highs[last] ?? 0) * unitSeconds) }
  }
  const used = perBucket(histogram).flatMap((count, index) => (count > 0 ? [index] : []))
  const [first] = used
  const last = used.at(-1)
  if (first === undefined || last === undefined) return null
  return {
    low: first === 0 ? 0 : (histogram.upperBounds[first - 1] ?? 0),
    high: finite(histogram.upperBounds[last] ?? Number.POSITIVE_INFINITY),
  }
}
