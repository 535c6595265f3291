import { afterEach, expect, test, vi } from 'vitest'
import type { PrometheusApi } from '../prometheus/api.ts'
import { UpstreamError } from '../prometheus/upstream-error.ts'
import { discover } from './discovery.fixture.ts'

afterEach(() => void vi.useRealTimers())

const LATE = new UpstreamError('timeout', 'its stores take too long')
const STORE_DOWN = 'fetch label values from store Addr: 10.0.0.7:10901 MinTime: 1: rpc error: desc = connection refused'

test('until the first look has ended nobody knows which clusters there are', async () => {
  const { discovery, after } = discover()
  let tell: (values: readonly string[]) => void = () => {}
  const values = new Promise<readonly string[]>((resolve) => {
    tell = resolve
  })
  const looking = after(0, { values })
  const untold = 'http://thanos:10902 has not told yet which clusters it holds'
  expect(discovery.blind).toMatchObject({ kind: 'timeout', message: untold })
  expect(discovery.gaps()).toMatchObject([{ what: 'list of clusters', why: 'timeout', detail: untold }])
  expect(discovery.leftOut()).toEqual([])
  tell(['east'])
  expect(await looking).toEqual(['east'])
  expect([discovery.blind, discovery.gaps()]).toEqual([null, []])
})

/** An endpoint that holds `east`, and counts its replicas, if at all. */
function countingEndpoint() {
  let begun: () => void = () => {}
  const world = {
    hangs: true,
    /** Resolves when it is first asked what it does not answer. */
    counting: new Promise<void>((resolve) => {
      begun = resolve
    }),
  }
  const api = {
    labelValues: async () => ({ data: ['east'], warnings: [] }),
    forward: async () => Promise.reject(new UpstreamError('malformed', 'HTTP 404')),
    async query(_promql: string, _atSeconds: number, patience: AbortSignal) {
      if (!world.hangs) return { data: [{ labels: { cluster: 'east' }, apart: {}, value: 2 }], warnings: [] }
      begun()
      return new Promise((_, reject) => patience.addEventListener('abort', () => reject(patience.reason)))
    },
  } as unknown as PrometheusApi
  const { discovery, after } = discover({ api, replicaLabels: ['replica'] })
  return { world, discovery, after }
}

test('names do not wait until replicas are counted', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { world, discovery, after } = countingEndpoint()
  const looking = after(0)
  await world.counting
  expect(discovery.found().map(({ name }) => name)).toEqual(['east'])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await looking).toEqual(['east'])
})

test('replicas that were counted more than once still are where they cannot be counted in time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { world, discovery, after } = countingEndpoint()
  world.hangs = false
  await after(0)
  world.hangs = true
  const looking = after(10)
  await world.counting
  await vi.advanceTimersByTimeAsync(2_000)
  await looking
  expect(discovery.gaps()).toMatchObject([{ what: 'replicas as one' }])
})

test('while label values are late, clusters that no store announces may be missing: said until all were told once', async () => {
  const { discovery, after } = discover()
  expect(await after(0, { values: LATE, stores: { east: null } })).toEqual(['east'])
  expect(discovery.blind).toBeNull()
  const part =
    'http://thanos:10902 does not tell all clusters it holds, so that some may be missing: its stores take too long'
  const gap = { cluster: 'thanos:10902', what: 'list of clusters', why: 'timeout', detail: part, sinceSeconds: 1_000 }
  expect(discovery.gaps()).toEqual([gap])
  expect(discovery.leftOut()).toEqual([part])
  expect(await after(10, { values: ['east', 'received'] })).toEqual(['east', 'received'])
  expect(discovery.gaps()).toEqual([])
  expect(await after(10, { values: LATE })).toEqual(['east', 'received'])
  expect([discovery.gaps(), discovery.leftOut()]).toEqual([[], []])
  await after(300)
  expect(discovery.gaps()).toEqual([{ ...gap, sinceSeconds: 1_020 }])
})

test.each([
  ['a store of a Thanos', STORE_DOWN, 'its store 10.0.0.7:10901 does not answer: connection refused'],
  ['VictoriaMetrics', 'partial response: some storage nodes did not answer', 'some storage nodes did not answer'],
])('values that are said to lack a part tell of nobody that he is gone: %s', async (_, warning, cause) => {
  const { discovery, after } = discover()
  expect(await after(0, { values: ['east'], warnings: [warning] })).toEqual(['east'])
  expect(discovery.gaps()).toMatchObject([
    { what: 'list of clusters', why: 'partial response', detail: expect.stringContaining(cause) },
  ])
  expect(await after(10, { values: ['east', 'west'], warnings: ['results may be old'] })).toEqual(['east', 'west'])
  expect(discovery.gaps()).toEqual([])
  expect(await after(10, { values: ['east'], warnings: [warning] })).toEqual(['east', 'west'])
  expect(await after(10, { warnings: [] })).toEqual(['east', 'west gone'])
})

test('a part of nothing is as good as no answer', async () => {
  const { discovery, after } = discover()
  expect(await after(0, { values: LATE, stores: {} })).toEqual([])
  const blind = 'http://thanos:10902 cannot be asked which clusters it holds: its stores take too long'
  expect(discovery.blind).toMatchObject({ kind: 'timeout', message: blind })
  expect(discovery.gaps()).toMatchObject([{ what: 'list of clusters', why: 'timeout', detail: blind }])
  expect(discovery.leftOut()).toEqual([])
  // Where there was nothing a moment ago, too.
  await after(10, { values: [] })
  expect(discovery.gaps()).toMatchObject([{ why: 'none found' }])
  await after(10, { values: LATE })
  expect(discovery.gaps()).toMatchObject([{ what: 'list of clusters', why: 'timeout', detail: blind }])
})
