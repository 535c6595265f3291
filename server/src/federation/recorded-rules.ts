import { lastWithin, selector } from '../dialects/promql.ts'
import { DECLARATION, RECORDED_SERIES, type Recorded, type RecordedLane } from '../dialects/recording.ts'
import type { PrometheusApi, SampleSeries } from '../prometheus/api.ts'
import type { StepRange } from '../prometheus/step-range.ts'

/** Further back than the history reaches at a rate window of a minute. */
const LOOK_BACK_SECONDS = 6_000
const STEP_SECONDS = 60

/** Recorded lately: rules run every minute at least. */
const RECENT_SECONDS = 300

/** A cluster without recording rules, or one that did not tell of any. */
export const NOTHING_RECORDED: Recorded = { lanes: [], questions: null, names: null }

/**
 * Which recording rules a cluster evaluates: what they declare, and what they recorded something for. Three small
 * questions, one where nothing is declared.
 */
export async function readRecorded(api: PrometheusApi, nowSeconds: number, signal: AbortSignal): Promise<Recorded> {
  const lanes = await readLanes(api, nowSeconds, signal)
  if (lanes.length === 0) return NOTHING_RECORDED
  const recently = { fromSeconds: nowSeconds - RECENT_SECONDS, toSeconds: nowSeconds }
  const valuesOf = (label: string): Promise<ReadonlySet<string> | null> =>
    api.labelValues(label, [RECORDED_SERIES], recently, signal).then(
      ({ data }) => new Set(data),
      () => null,
    )
  const [questions, names] = await Promise.all([valuesOf('question'), valuesOf('__name__')])
  return { lanes, questions, names }
}

async function readLanes(
  api: PrometheusApi,
  nowSeconds: number,
  signal: AbortSignal,
): Promise<readonly RecordedLane[]> {
  const range: StepRange = {
    fromSeconds: nowSeconds - LOOK_BACK_SECONDS,
    toSeconds: nowSeconds,
    stepSeconds: STEP_SECONDS,
  }
  const { data } = await api.queryRange(
    lastWithin(selector(DECLARATION, []), STEP_SECONDS),
    range,
    signal,
    'recording rules',
  )
  return Array.from(data, (series) => laneOf(series, range)).filter((lane) => lane !== null)
}

function laneOf({ labels, values }: SampleSeries, { fromSeconds }: StepRange): RecordedLane | null {
  const { dialect, lane, window_seconds: window } = labels
  const newest = values.findLastIndex((value) => !Number.isNaN(value))
  const [windowSeconds, intervalSeconds] = [Number(window), values[newest] ?? Number.NaN]
  if (dialect === undefined || (lane !== 'fast' && lane !== 'slow')) return null
  if (!(windowSeconds > 0) || !(intervalSeconds > 0)) return null
  if (values.length - 1 - newest > 1) return null
  // Back to the last break: before it nothing was recorded, and nothing would look like no traffic.
  let first = newest
  while (first > 0 && !Number.isNaN(values[first - 1])) first -= 1
  return { dialect, lane, windowSeconds, intervalSeconds, sinceSeconds: fromSeconds + first * STEP_SECONDS }
}
