import { expect, test } from 'vitest'
import { linkerd } from '../dialects/linkerd.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
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
  await Promise.all([past.rates(reading, 1, signal), lanes.refreshSlow(reading, signal)])
  expect(past.querySeconds()).toBeGreaterThan(100)
  expect(lanes.pace).toMatchObject({ bucketRefreshSeconds: 30, why: null })
})

test('the buckets that usual values are made of are part of it', async () => {
  const { past, lanes } = lanesOver((promql, isRange) => (isRange && promql.includes('_bucket') ? 20 : 0))
  await lanes.refreshSlow(reading, signal)
  expect(lanes.pace.bucketRefreshSeconds).toBeCloseTo(past.querySeconds(), 9)
  expect(lanes.pace.bucketRefreshSeconds).toBeGreaterThan(39)
})

test('a reading costs what its lanes are asked: the slow one only where it is asked with it', async () => {
  const { past, lanes } = lanesOver(() => 1)
  const [alone, both] = [lanes.askedSeconds(false), lanes.askedSeconds(true)]
  await Promise.all([
    lanes.askFast(reading, true, signal),
    lanes.refreshSlow(reading, signal),
    past.rates(reading, 1, signal),
  ])
  const fast = linkerd.questions(WINDOW_SECONDS).filter(({ lane }) => lane === 'fast').length
  const slow = linkerd.questions(WINDOW_SECONDS).filter(({ lane }) => lane === 'slow').length
  expect(lanes.askedSeconds(false) - alone).toBe(fast)
  expect(lanes.askedSeconds(true) - both).toBe(fast + slow)
})
