import { expect, test } from 'vitest'
import { linkerd } from '../dialects/linkerd.ts'
import { emptyObservation } from '../domain/observation.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { PlainSample } from '../prometheus/plain-sample.ts'
import { UpstreamError } from '../prometheus/upstream-error.ts'
import { unasked } from './ask-now.ts'
import { ClusterLanes } from './cluster-lanes.ts'
import { ClusterPast } from './cluster-past.ts'
import { axisTo } from './instants.ts'

const AT_SECONDS = 1_700_000_000
const WINDOW_SECONDS = 60
const { signal } = new AbortController()
const reading = {
  atSeconds: AT_SECONDS,
  windowSeconds: WINDOW_SECONDS,
  axis: axisTo(AT_SECONDS, WINDOW_SECONDS),
  live: true,
}

/** A cluster that says of each query what it cost, and holds nothing. */
function lanesOver(costOf: (promql: string, isRange: boolean) => number) {
  const telling = (isRange: boolean) => async (promql: string) => {
    return { data: [], warnings: [], evalSeconds: costOf(promql, isRange) }
  }
  const api = { query: telling(false), queryRange: telling(true), status: () => [] } as unknown as PrometheusApi
  const dialects = () => [linkerd]
  const past = new ClusterPast('east', api, dialects)
  const pace = { refreshSeconds: 10, bucketRefreshSeconds: 30, maxLoad: 1 }
  const lanes = new ClusterLanes({ ...pace, name: 'east', api, dialects, past, clock: () => AT_SECONDS })
  return { past, lanes }
}

test('the slow lane costs what it is asked, not what of the past is read at the same time', async () => {
  const { past, lanes } = lanesOver((promql, isRange) => (isRange && !promql.includes('_bucket') ? 100 : 1))
  const { api, querySeconds } = past.metered()
  await Promise.all([past.rates(reading, 1, signal, api), lanes.refreshSlow(reading, signal)])
  expect(querySeconds()).toBeGreaterThan(100)
  expect(lanes.pace).toMatchObject({ bucketRefreshSeconds: 30, why: null })
})

test('the buckets that usual values are made of are part of it', async () => {
  const { past, lanes } = lanesOver((promql, isRange) => (isRange && promql.includes('_bucket') ? 20 : 0))
  await lanes.refreshSlow(reading, signal)
  const { api, querySeconds } = past.metered()
  await past.buckets({ ...reading, live: false }, lanes.bucketSeries(WINDOW_SECONDS), signal, api)
  expect(lanes.pace.bucketRefreshSeconds).toBeCloseTo(querySeconds(), 9)
  expect(lanes.pace.bucketRefreshSeconds).toBeGreaterThan(39)
})

test('the slow lanes of several rate windows that are asked at once cost what each of them is asked', async () => {
  const { lanes } = lanesOver((promql, isRange) => (!isRange && promql.includes('response_latency_ms_bucket') ? 20 : 0))
  const windows = [60, 300, 3_600]
  for (const window of windows) lanes.cap.watched(window, AT_SECONDS)
  const over = (windowSeconds: number) => ({ ...reading, windowSeconds, axis: axisTo(AT_SECONDS, windowSeconds) })
  await Promise.all(windows.map((window) => lanes.refreshSlow(over(window), signal)))
  // Three of them in a second of each second.
  expect(lanes.pace.bucketRefreshSeconds).toBeCloseTo(60, 9)
})

test('a slow lane that is refused tells nothing of what it costs when it answers', async () => {
  let refused = false
  const { lanes } = lanesOver((promql) => {
    if (refused) throw new UpstreamError('unreachable', 'nobody listens')
    return promql.includes('_bucket') ? 60 : 0
  })
  const asked = () => lanes.refreshSlow(reading, signal)
  for (let times = 0; times < 5; times += 1) await asked()
  const { bucketRefreshSeconds } = lanes.pace
  expect(bucketRefreshSeconds).toBeGreaterThan(60)
  refused = true
  await asked()
  expect(lanes.pace.bucketRefreshSeconds).toBe(bucketRefreshSeconds)
})

test('what percentiles of one rate window could not be told is no matter of another', async () => {
  const refused = '[3600s]'
  const { lanes } = lanesOver((promql) => {
    if (promql.includes(refused)) throw new UpstreamError('timeout', 'no answer within 10 s')
    return 1
  })
  const hour = { ...reading, windowSeconds: 3_600, axis: axisTo(AT_SECONDS, 3_600) }
  await lanes.refreshSlow(hour, signal)
  await lanes.refreshSlow(reading, signal)
  const now = { ...unasked('east'), failures: [], warnings: [] }
  expect(lanes.withSlowTrouble(now, hour).failures).not.toEqual([])
  expect(lanes.withSlowTrouble(now, reading).failures).toEqual([])
})

test('what is said of percentiles is said for as long as they stand', async () => {
  const missing = 'Addr: 10.0.0.9:10901 MinTime: 0 MaxTime: 1: rpc error: code = Unavailable desc = gone'
  let warnings: readonly string[] = [missing]
  const labels = { namespace: 'shop', deployment: 'web' }
  const bucket = new PlainSample(labels, { le: '100' }, 1)
  const api = {
    query: async () => ({ data: [bucket], warnings, evalSeconds: 0 }),
    queryRange: async () => ({ data: [], warnings: [], evalSeconds: 0 }),
    status: () => [],
  } as unknown as PrometheusApi
  const dialects = () => [linkerd]
  const past = new ClusterPast('east', api, dialects)
  const pace = { refreshSeconds: 10, bucketRefreshSeconds: 30, maxLoad: 1 }
  const lanes = new ClusterLanes({ ...pace, name: 'east', api, dialects, past, clock: () => AT_SECONDS })
  const now = { ...unasked('east'), warnings: [] }
  const told = () => lanes.withSlowTrouble(now, reading).warnings
  await lanes.refreshSlow(reading, signal)
  expect(told()).toEqual([missing])
  warnings = []
  await lanes.refreshSlow({ ...reading, atSeconds: AT_SECONDS + 30 }, signal)
  expect(told()).toEqual([])
})

test('usual values of rate windows that nobody looks at any more are forgotten', () => {
  const { lanes } = lanesOver(() => 1)
  const usual = { axis: reading.axis, observation: emptyObservation('east', 0) }
  for (let window = 60; window < 160; window += 1) lanes.recallUsual(window, usual)
  const held = Array.from({ length: 100 }, (_, index) => lanes.usual(60 + index)).filter((one) => one !== null)
  expect(held.length).toBeLessThanOrEqual(8)
  expect(lanes.usual(159)).toBe(usual)
})
