import type { Series } from '@goldseam/server/contract'

type Column = readonly (number | null)[]
const ALL_PERCENTILES = 4
type Fold = (values: readonly number[]) => number

const most: Fold = (values) => Math.max(...values)
const least: Fold = (values) => Math.min(...values)
const mean: Fold = (values) => values.reduce((sum, value) => sum + value, 0) / values.length

/** One drawn instant; null where nothing was measured. Times in milliseconds, latencies in seconds. */
export interface Point {
  readonly atMs: number
  readonly requestsPerSecond: number | null
  readonly successRatio: number | null
  readonly errorRatio: number | null
  readonly inFlight: number | null
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
  readonly p999: number | null
  /** Requests behind the percentiles; null where nobody told. */
  readonly samples: number | null
  /** How many of the percentiles, from p50 on, rest on enough requests. */
  readonly enoughFor: number
}

/**
 * At most `limit` points. Spikes must survive: latency keeps its highest value of a bucket, success its lowest,
 * only traffic is averaged.
 */
export function thin(series: Series, limit: number): Point[] {
  const size = Math.max(1, Math.ceil(series.at.length / limit))
  const points: Point[] = []
  for (let start = 0; start < series.at.length; start += size) {
    const take = (column: Column, fold: Fold) => foldRange(column, start, start + size, fold)
    const successRatio = take(series.successRatio, least)
    points.push({
      atMs: (series.at[Math.min(start + size, series.at.length) - 1] ?? 0) * 1000,
      requestsPerSecond: take(series.requestsPerSecond, mean),
      successRatio,
      errorRatio: successRatio === null ? null : 1 - successRatio,
      inFlight: take(series.inFlight, most),
      p50: take(series.p50, most),
      p95: take(series.p95, most),
      p99: take(series.p99, most),
      p999: take(series.p999, most),
      samples: take(series.percentileSamples ?? [], least),
      // Of evidence from before this was told nothing is doubted.
      enoughFor: take(series.enoughFor ?? [], least) ?? ALL_PERCENTILES,
    })
  }
  return points
}

function foldRange(column: Column, start: number, end: number, fold: Fold): number | null {
  const values = column.slice(start, end).filter((value) => value !== null)
  return values.length > 0 ? fold(values) : null
}
