import { STALE, type TimeSeries } from './remote-write.ts'
import { BOUNDS, type Timeline } from './world.ts'

export type Oddity = 'busy' | 'idle' | 'ended' | 'tie' | `${Spoilt}${'Requests' | 'Latency' | 'Buckets'}`

/** Counters that are NaN throughout, or jump to infinity at the end. */
export type Spoilt = 'nan' | 'inf'

/**
 * One deployment of namespace `odd`, called as told, that does 8 requests a second of 15 ms; `tie`: half of them fast,
 * half slow and nothing between, so that the median lies on a plateau.
 */
export function oddWorkload(
  oddity: Oddity,
  name: string,
  timeline: Timeline,
  le: (bound: number) => string,
  perSecond = 8,
): TimeSeries[] {
  const labels = { direction: 'inbound', namespace: 'odd', deployment: name, pod: `${name}-0`, target_port: '8080' }
  const { startSeconds, stepSeconds, steps } = timeline
  const ends = oddity === 'ended' ? Math.floor(steps / 2) : steps
  const series = (metric: string, more: Record<string, string>, perStep: number, spoilt: boolean): TimeSeries => ({
    labels: { ...labels, ...more, __name__: metric },
    samples: Array.from({ length: Math.min(steps, ends + 1) }, (_, step) => ({
      atMs: (startSeconds + step * stepSeconds) * 1_000 + 123,
      value:
        step === ends
          ? STALE
          : spoilt && oddity.startsWith('nan')
            ? Number.NaN
            : spoilt && step === steps - 1
              ? Number.POSITIVE_INFINITY
              : 1_000_000 + (oddity === 'idle' ? 0 : perStep * step),
    })),
  })
  const perStep = perSecond * stepSeconds
  const upTo = (bound: number) =>
    oddity === 'tie' ? perStep * (bound < 5 ? 0 : bound < 1_000 ? 0.5 : 1) : bound < 20 ? 0 : perStep
  return [
    series('response_total', { classification: 'success' }, perStep, oddity.endsWith('Requests')),
    series('request_total', {}, perStep, false),
    series('response_latency_ms_sum', {}, perStep * 15, oddity.endsWith('Latency')),
    series('response_latency_ms_count', {}, perStep, false),
    ...[...BOUNDS, Number.POSITIVE_INFINITY].map((bound) =>
      series('response_latency_ms_bucket', { le: le(bound) }, upTo(bound), oddity.endsWith('Buckets')),
    ),
  ]
}
