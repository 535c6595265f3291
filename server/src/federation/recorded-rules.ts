import { lastWithin, selector } from '../dialects/promql.ts'
import { DECLARATION, type RecordedLane } from '../dialects/recording.ts'
import type { PrometheusApi, SampleSeries } from '../prometheus/api.ts'

/** Further back than the history reaches at a rate window of a minute. */
const LOOK_BACK_SECONDS = 6_000
const STEP_SECONDS = 60

/** Which recording rules a cluster evaluates, by what they declare: one small question. None where it does not answer. */
export async function readRecorded(
  api: PrometheusApi,
  nowSeconds: number,
  signal: AbortSignal,
): Promise<readonly RecordedLane[]> {
  const range = { fromSeconds: nowSeconds - LOOK_BACK_SECONDS, toSeconds: nowSeconds, stepSeconds: STEP_SECONDS }
  const { data } = await api.queryRange(
    lastWithin(selector(DECLARATION, []), STEP_SECONDS),
    range,
    signal,
    'recording rules',
  )
  return data.flatMap((series) => laneOf(series, nowSeconds) ?? [])
}

function laneOf({ labels, atSeconds, values }: SampleSeries, nowSeconds: number): RecordedLane | null {
  const { dialect, lane, window_seconds: window } = labels
  const [windowSeconds, intervalSeconds] = [Number(window), values.at(-1) ?? Number.NaN]
  if (dialect === undefined || (lane !== 'fast' && lane !== 'slow')) return null
  if (!(windowSeconds > 0) || !(intervalSeconds > 0)) return null
  const newest = atSeconds.at(-1) ?? 0
  if (nowSeconds - newest > STEP_SECONDS) return null
  // Back to the last break: before it nothing was recorded, and nothing would look like no traffic.
  let first = atSeconds.length - 1
  while (first > 0 && (atSeconds[first] ?? 0) - (atSeconds[first - 1] ?? 0) < 1.5 * STEP_SECONDS) first -= 1
  return { dialect, lane, windowSeconds, intervalSeconds, sinceSeconds: atSeconds[first] ?? newest }
}
