import type { Exporter } from '../mesh/exporter.ts'
import { cumulate, seriesNames } from '../mesh/family.ts'
import type { Labels } from '../mesh/labels.ts'
import { exportedName } from '../prometheus/config.ts'
import { remoteWrite, type TimeSeries } from '../prometheus/remote-write.ts'
import type { Pace } from './measure.ts'
import { pastOfCell } from './past-of-cell.ts'
import type { Timeline } from './timeline.ts'

/** Prometheus takes samples up to an hour older than its newest one: all series of one stretch go before any of the next. */
const STRETCH_SECONDS = 30 * 60
export const SERIES_PER_REQUEST = 800

interface PagePast {
  readonly series: { labels: Labels; values: Float64Array }[]
  /** Numbers of each cell at the end, to go on from. */
  readonly end: Map<string, Float64Array>
}

/** Writes the past of a cluster's pages to its Prometheus and makes them go on from there. Returns how many series there are. */
export async function writeHistory(options: {
  prometheusUrl: string
  prometheusVersion: string
  exporters: readonly Exporter[]
  pace: Pace
  timeline: Timeline
  signal: AbortSignal
}): Promise<number> {
  const { exporters, pace, timeline } = options
  const pasts = exporters.map((exporter) => pastOfPage(exporter, pace, timeline, options.prometheusVersion))
  const series = pasts.flatMap((past) => past.series)
  for (const [from, to] of stretches(timeline)) {
    const timestampsMs = timeline.timestampsMs.slice(from, to)
    for (let first = 0; first < series.length; first += SERIES_PER_REQUEST) {
      const part: TimeSeries[] = series
        .slice(first, first + SERIES_PER_REQUEST)
        .map(({ labels, values }) => ({ labels, timestampsMs, values: values.subarray(from, to) }))
      await remoteWrite(options.prometheusUrl, part, options.signal)
    }
  }
  exporters.forEach(({ name, registry }, i) => {
    for (const cell of pace.get(name)?.values() ?? []) registry.cell(cell.family, cell.labels)
    registry.seed(pasts[i]?.end ?? new Map())
  })
  return series.length
}

function pastOfPage(exporter: Exporter, pace: Pace, timeline: Timeline, prometheusVersion: string): PagePast {
  const targetLabels = { job: exporter.job, ...exporter.labels }
  const target: Labels = Object.entries(targetLabels)
  const up = new Float64Array(timeline.timestampsMs.length).fill(1)
  const past: PagePast = { series: [{ labels: sorted('up', target), values: up }], end: new Map() }
  for (const cell of pace.get(exporter.name)?.values() ?? []) {
    const numbers = pastOfCell(cell, timeline)
    const columns = numbers.map((values) => cumulate(cell.family, values))
    seriesNames(cell.family, cell.labels).forEach(({ name, labels }, row) => {
      const values = Float64Array.from(columns, (column) => column[row] ?? 0)
      const stored = cell.family.kind === 'histogram' ? normalizeLe(labels, prometheusVersion) : labels
      const own = stored.map(([key, value]) => [exportedName(key, targetLabels), value] as const)
      past.series.push({ labels: sorted(name, [...own, ...target]), values })
    })
    const end = numbers.at(-1)
    if (end) past.end.set(cell.key, end)
  }
  return past
}

/** Prometheus 3 writes whole `le` values as floats when it scrapes ("1" becomes "1.0"); the past has to match. */
export function normalizeLe(labels: Labels, prometheusVersion: string): Labels {
  if (Number.parseInt(prometheusVersion, 10) < 3) return labels
  return labels.map(([name, value]) => (name === 'le' && /^\d+$/.test(value) ? [name, `${value}.0`] : [name, value]))
}

/** Remote write wants labels in order, empty ones left out as a scrape does. */
export function sorted(name: string, labels: Labels): Labels {
  const all: [string, string][] = [['__name__', name], ...labels.map(([key, value]): [string, string] => [key, value])]
  return all.filter(([, value]) => value !== '').sort(([a], [b]) => (a < b ? -1 : 1))
}

function stretches(timeline: Timeline): [from: number, to: number][] {
  const ranges: [number, number][] = []
  let from = 0
  timeline.timestampsMs.forEach((atMs, i) => {
    if (atMs - (timeline.timestampsMs[from] ?? atMs) < STRETCH_SECONDS * 1000) return
    ranges.push([from, i])
    from = i
  })
  return [...ranges, [from, timeline.timestampsMs.length]]
}
