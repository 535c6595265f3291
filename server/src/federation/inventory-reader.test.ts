import { expect, test } from 'vitest'
import type { Inventory } from '../domain/stitch/inventory.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { PlainSample } from '../prometheus/plain-sample.ts'
import { UpstreamError } from '../prometheus/upstream-error.ts'
import { InventoryReader } from './inventory-reader.ts'

const signal = new AbortController().signal
const POD = { namespace: 'shop', pod: 'cart-1-x', created_by_kind: 'ReplicaSet', created_by_name: 'cart-1' }
const SERIES = {
  kube_pod_info: { ...POD, pod_ip: '10.1.0.1' },
  kube_endpoint_address: { namespace: 'shop', endpoint: 'cart', ip: '10.1.0.1' },
  kube_service_status_load_balancer_ingress: { namespace: 'shop', service: 'cart', ip: '203.0.113.20' },
  nginx_ingress_controller_requests: { namespace: 'shop', service: 'cart', host: 'cart.example.com' },
  traefik_router_requests_total: { router: 'cart-cart-example-com@kubernetes', service: 'shop-cart-80@kubernetes' },
  traefik_service_requests_total: { service: 'shop-cart-80@kubernetes' },
}
type Metric = keyof typeof SERIES
const FACTS = ['kube_pod_info', 'kube_endpoint_address', 'kube_service_status_load_balancer_ingress'] as const

/** A cluster that tells of some metrics, does not answer about others, and of the rest has nothing. */
function clusterOf(initially: readonly Metric[]) {
  const state = { tells: initially, fails: [] as readonly Metric[], asked: [] as string[] }
  const api = {
    query: async (promql: string) => {
      state.asked.push(promql)
      if (state.fails.some((metric) => promql.includes(metric))) throw new UpstreamError('rejected', 'no')
      const told = state.tells.filter((metric) => promql.includes(metric))
      return { data: told.map((metric) => new PlainSample(SERIES[metric], {}, 1)), warnings: [] }
    },
  } as unknown as PrometheusApi
  const reader = new InventoryReader('east', api)
  const look = async (present: readonly string[], nowSeconds: number) => {
    state.asked.length = 0
    await reader.refresh(new Set(present), null, nowSeconds, signal)
    return sizes(reader.inventory)
  }
  return { state, reader, look }
}

function sizes(inventory: Inventory | null) {
  if (inventory === null) return null
  const { podAddresses, behindService, balancers, exposures } = inventory
  return [podAddresses.size, behindService.size, balancers.size, exposures.length]
}

test('what ingresses are asked for is counted once a minute, and at once where the clock was set back', async () => {
  const counted: number[] = []
  const api = {
    query: async (_promql: string, atSeconds: number) => {
      counted.push(atSeconds)
      return { data: [], warnings: [] }
    },
  } as unknown as PrometheusApi
  const inventory = new InventoryReader('east', api)
  await inventory.refresh(new Set(['nginx_ingress_controller_requests']), null, 10_000, signal)
  for (const now of [10_059, 10_060, 6_460, 6_519, 6_520]) await inventory.recount(null, now, signal)
  expect(counted).toEqual([10_000, 10_060, 6_460, 6_520])
})

test.each([
  { present: [], how: 'its metrics are no longer among those of the cluster' },
  { present: FACTS, how: 'its metrics are still listed' },
])('what is gone is dropped with the second look that finds nothing: $how', async ({ present }) => {
  const { state, look } = clusterOf(FACTS)
  expect(await look(FACTS, 1_000)).toEqual([1, 1, 1, 0])
  state.tells = []
  // It may be a server that has begun anew with nothing.
  expect(await look(present, 1_300)).toEqual([1, 1, 1, 0])
  expect(await look(present, 1_600)).toEqual([0, 0, 0, 0])
  await look([], 1_900)
  expect(state.asked).toEqual([])
})

test('what is back by the next look was never gone', async () => {
  const { state, look } = clusterOf(FACTS)
  await look(FACTS, 1_000)
  for (const seconds of [1_300, 1_900, 2_500]) {
    state.tells = []
    expect(await look([], seconds)).toEqual([1, 1, 1, 0])
    state.tells = FACTS
    expect(await look(FACTS, seconds + 300)).toEqual([1, 1, 1, 0])
  }
})

test('what cannot be asked stands for as long as that', async () => {
  const { state, look } = clusterOf(FACTS)
  await look(FACTS, 1_000)
  state.tells = []
  state.fails = FACTS
  for (const seconds of [1_300, 1_600, 9_000]) expect(await look([], seconds)).toEqual([1, 1, 1, 0])
})

test('what an ingress counts is what it counts now', async () => {
  const { state, look } = clusterOf(['nginx_ingress_controller_requests'])
  expect(await look(['nginx_ingress_controller_requests'], 1_000)).toEqual([0, 0, 0, 1])
  state.tells = []
  expect(await look([], 1_300)).toEqual([0, 0, 0, 0])
})

test('services are no longer counted once routers are, which count the same requests', async () => {
  const { state, look } = clusterOf(['traefik_service_requests_total'])
  expect(await look(['traefik_service_requests_total'], 1_000)).toEqual([0, 0, 0, 1])
  state.tells = ['traefik_router_requests_total', 'traefik_service_requests_total']
  expect(await look(state.tells, 1_300)).toEqual([0, 0, 0, 1])
})

const RECALLED: Inventory = {
  cluster: 'east',
  podAddresses: new Map([['10.1.0.9', new Set(['east/shop/old'])]]),
  behindService: new Map([['east/shop/old', new Map([['east/shop/old', 1]])]]),
  balancers: new Map(),
  exposures: [],
}

test('what was known before this process began stands in part by part, and goes as all else does', async () => {
  const { state, reader, look } = clusterOf([])
  reader.recall(RECALLED)
  state.fails = FACTS
  expect(await look([], 1_000)).toEqual([1, 1, 0, 0])
  state.fails = ['kube_endpoint_address']
  state.tells = ['kube_pod_info']
  expect(await look(['kube_pod_info'], 1_300)).toEqual([1, 1, 0, 0])
  expect([...(reader.inventory?.podAddresses.keys() ?? [])]).toEqual(['10.1.0.1'])
  state.fails = []
  state.tells = []
  expect(await look([], 1_600)).toEqual([1, 1, 0, 0])
  expect(await look([], 1_900)).toEqual([0, 0, 0, 0])
  await look([], 2_200)
  expect(state.asked).toEqual([])
})

test('ingress counts of before this process are gone with the first look that finds no ingress', async () => {
  const { reader, look } = clusterOf([])
  const exposure = { host: 'a.example.com', router: null, door: null, service: null, requestsPerSecond: 1 }
  reader.recall({ ...RECALLED, podAddresses: new Map(), exposures: [{ ...exposure, source: 'ingress-nginx' }] })
  expect(await look([], 1_000)).toEqual([0, 1, 0, 0])
})
