import type { PromHistogram, PromHistogramSeries, PromSeries } from '../../api/prometheus.ts'
import { plain } from '../../format/plain.ts'
import type { Stretch } from './explore-search.ts'
import { labelText } from './series.ts'
import { TOGETHER } from './together.ts'

/** Native histograms with the cluster that they are of. */
export interface HistogramSeries extends PromHistogramSeries {
  readonly key: string
  readonly cluster: string
  readonly newest: PromHistogram | null
}

export function histogramSeries(cluster: string, series: readonly PromHistogramSeries[]): HistogramSeries[] {
  return series.map((one) => {
    // What could not be joined is one cluster's own.
    const own = cluster === TOGETHER ? (one.labels.cluster ?? TOGETHER) : cluster
    return { ...one, cluster: own, key: keyOf(own, one.labels), newest: one.histograms.at(-1) ?? null }
  })
}

/** A quantile of a histogram has its labels, but not its name. */
export function keyOf(cluster: string, labels: PromSeries['labels']): string {
  const { __name__: _, ...rest } = labels
  return `${cluster} ${labelText(rest)}`
}

export interface HistogramHeat {
  readonly atMs: readonly number[]
  /** From bottom to top. */
  readonly rows: readonly { readonly label: string; readonly tick: string | null }[]
  readonly columns: readonly (readonly (number | null)[] | null)[]
}

const MOST_ROWS = 40

/**
 * How many lay between which bounds when, over all of the histograms. Rows end where no bucket of any of them is cut in
 * two, so that every count is exact; of very many rows some neighbours are one.
 */
export function heatOfHistograms(series: readonly HistogramSeries[], { from, to, step }: Stretch): HistogramHeat {
  const bounds = fewer(wholeBounds(series))
  const steps = Math.floor((to - from) / step) + 1
  const columns: ((number | null)[] | null)[] = Array.from({ length: steps }, () => null)
  for (const { at, histograms } of series) {
    at.forEach((second, index) => {
      const place = Math.round((second - from) / step)
      if (place < 0 || place >= steps) return
      const cells = columns[place] ?? bounds.slice(1).map(() => 0)
      for (const [, high, count] of histograms[index]?.buckets ?? []) {
        const row = bounds.findIndex((bound) => bound >= high) - 1
        cells[Math.max(0, row)] = (cells[Math.max(0, row)] ?? 0) + count
      }
      columns[place] = cells
    })
  }
  const every = Math.ceil((bounds.length - 1) / 12)
  const rows = bounds.slice(1).map((high, index) => ({
    label: rangeText(bounds[index] ?? 0, high),
    tick: index % every === 0 ? plain(high) : null,
  }))
  return { atMs: columns.map((_, index) => (from + index * step) * 1000), rows, columns }
}

/** The bounds that lie within no bucket, ascending. */
function wholeBounds(series: readonly HistogramSeries[]): readonly number[] {
  const buckets = new Map<string, readonly [number, number]>()
  for (const { histograms } of series) {
    for (const { buckets: all } of histograms) for (const [low, high] of all) buckets.set(`${low} ${high}`, [low, high])
  }
  const known = [...buckets.values()]
  const bounds = [...new Set(known.flat())].sort((a, b) => a - b)
  return bounds.filter((bound) => known.every(([low, high]) => bound <= low || bound >= high))
}

function fewer(bounds: readonly number[]): readonly number[] {
  const together = Math.ceil((bounds.length - 1) / MOST_ROWS)
  if (together <= 1) return bounds
  return bounds.filter((_, index) => index % together === 0 || index === bounds.length - 1)
}

function rangeText(low: number, high: number): string {
  if (low === -high) return `within ${plain(high)} of 0`
  if (high === Number.POSITIVE_INFINITY) return `> ${plain(low)}`
  return low === Number.NEGATIVE_INFINITY ? `≤ ${plain(high)}` : `${plain(low)} to ${plain(high)}`
}
