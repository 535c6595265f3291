import type { TimeSeries } from '../engines/remote-write.ts'

const STEP_SECONDS = 15

/** What Linkerd's proxies of one workload counted up to now, at a constant pace. */
export interface Pace {
  readonly perSecond: number
  readonly failedShare: number
  /** Share slower than 500 ms; the others are faster than 100 ms. */
  readonly slowShare: number
}

const LABELS = { job: 'linkerd-proxy', instance: '10.0.0.1:4191', namespace: 'shop', direction: 'inbound' }

/** Counters that ran for `hours`, so that every window holds the same shares, whenever it is asked for. */
export function shopSeries(deployment: string, pace: Pace, hours: number, nowSeconds: number): TimeSeries[] {
  const labels = { ...LABELS, deployment, pod: `${deployment}-5d8f9c7b6-x2x4q` }
  const steps = Math.round((hours * 3_600) / STEP_SECONDS)
  const counter = (more: Record<string, string>, perSecond: number): TimeSeries => ({
    labels: { ...labels, ...more },
    samples: Array.from({ length: steps + 1 }, (_, step) => ({
      atMs: Math.round((nowSeconds - (steps - step) * STEP_SECONDS) * 1_000),
      value: step * STEP_SECONDS * perSecond,
    })),
  })
  const { perSecond, failedShare, slowShare } = pace
  const bucket = (le: string, share: number) =>
    counter({ __name__: 'response_latency_ms_bucket', le }, perSecond * share)
  return [
    counter({ __name__: 'response_total', classification: 'success' }, perSecond * (1 - failedShare)),
    counter({ __name__: 'response_total', classification: 'failure' }, perSecond * failedShare),
    counter({ __name__: 'response_latency_ms_count' }, perSecond),
    counter({ __name__: 'response_latency_ms_sum' }, perSecond * 60),
    bucket('100', 1 - slowShare),
    bucket('500', 1 - slowShare),
    bucket('1000', 1),
    bucket('+Inf', 1),
    { ...counter({}, 0), labels: { __name__: 'up', job: LABELS.job, instance: LABELS.instance } },
  ]
}
