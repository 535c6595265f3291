import { cumulate, seriesNames } from '../mesh/family.ts'
import type { Labels } from '../mesh/labels.ts'
import type { Pod } from '../mesh/pod.ts'
import { podLabels, SCRAPE_JOB } from '../prometheus/config.ts'
import { remoteWrite, type TimeSeries } from '../prometheus/remote-write.ts'
import type { Pace } from './measure.ts'
import { pastOfCell } from './past-of-cell.ts'
import type { Timeline } from './timeline.ts'

/** Prometheus takes samples up to an hour older than its newest one: all series of one stretch go before any of the next. */
const STRETCH_SECONDS = 30 * 60
const SERIES_PER_REQUEST = 800

interface PodPast {
  readonly series: { labels: Labels; values: Float64Array }[]
  /** Numbers of each cell at the end, to go on from. */
  readonly end: Map<string, Float64Array>
}

/** Writes the past of a cluster's pods to its Prometheus and makes the pods go on from there. Returns how many series there are. */
export async function writeHistory(options: {
  prometheusUrl: string
  prometheusVersion: string
  pods: readonly Pod[]
  pace: Pace
  timeline: Timeline
  signal: AbortSignal
}): Promise<number> {
  const { pods, pace, timeline } = options
  const pasts = pods.map((pod) => pastOfPod(pod, pace, timeline, options.prometheusVersion))
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
  pods.forEach((pod, i) => {
    for (const cell of pace.get(pod.facts.name)?.values() ?? []) pod.registry.cell(cell.family, cell.labels)
    pod.registry.seed(pasts[i]?.end ?? new Map())
  })
  return series.length
}

function pastOfPod(pod: Pod, pace: Pace, timeline: Timeline, prometheusVersion: string): PodPast {
  const target: Labels = [['job', SCRAPE_JOB], ...Object.entries(podLabels(pod))]
  const up = new Float64Array(timeline.timestampsMs.length).fill(1)
  const past: PodPast = { series: [{ labels: sorted('up', target), values: up }], end: new Map() }
  for (const cell of pace.get(pod.facts.name)?.values() ?? []) {
    const numbers = pastOfCell(cell, timeline)
    const columns = numbers.map((values) => cumulate(cell.family, values))
    seriesNames(cell.family, cell.labels).forEach(({ name, labels }, row) => {
      const values = Float64Array.from(columns, (column) => column[row] ?? 0)
      const stored = cell.family.kind === 'histogram' ? normalizeLe(labels, prometheusVersion) : labels
      past.series.push({ labels: sorted(name, [...stored, ...target]), values })
    })
    const end = numbers.at(-1)
    if (end) past.end.set(cell.key, end)
  }
  return past
}

/** Prometheus 3 writes whole `le` values as floats when it scrapes ("1" becomes "1.0"); the past has to match. */
function normalizeLe(labels: Labels, prometheusVersion: string): Labels {
  if (Number.parseInt(prometheusVersion, 10) < 3) return labels
  return labels.map(([name, value]) => (name === 'le' && /^\d+$/.test(value) ? [name, `${value}.0`] : [name, value]))
}

/** Remote write wants labels in order, empty ones left out as a scrape does. */
function sorted(name: string, labels: Labels): Labels {
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
