import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { INVENTORY_METRICS, inventoryQuestions, readInventory } from '../../src/dialects/inventory.ts'
import type { Inventory } from '../../src/domain/stitch/inventory.ts'
import { collectInstant } from '../../src/federation/collect.ts'
import { InventoryReader } from '../../src/federation/inventory-reader.ts'
import { clientOf } from '../engines/ours.ts'
import { remoteWrite } from '../engines/remote-write.ts'
import { type RealPrometheus, startPrometheus } from '../support/start-prometheus.ts'
import { LOAD_SECONDS, parseExposition, underLoad } from './exposition.ts'

const binary = process.env.PROMETHEUS_BIN ?? ''
const WINDOW_SECONDS = 60
const page = (name: string) =>
  parseExposition(readFileSync(new URL(`../../src/dialects/fixtures/inventory/${name}.prom`, import.meta.url), 'utf8'))

// On CI a missing Prometheus fails the run: skipped tests count as failures there.
describe.skipIf(binary === '')('addresses, services and hosts, by a real Prometheus', () => {
  let prometheus: RealPrometheus
  const atSeconds = Math.floor(Date.now() / 5_000) * 5 - 30
  const read = async (present: readonly string[] = INVENTORY_METRICS) => {
    const client = clientOf('west', [prometheus.url])
    const questions = inventoryQuestions(new Set(present), WINDOW_SECONDS)
    const { answers, failures } = await collectInstant(client, questions, atSeconds, AbortSignal.timeout(30_000))
    await client.close()
    expect(failures).toEqual([])
    return readInventory('west', answers)
  }

  /** Less was asked for, and a pod had another address. */
  const anHourAgo = [...page('kube-state-metrics'), ...page('controllers')].map(({ labels, ...series }) => ({
    ...series,
    labels: labels.pod_ip === '10.1.0.1' ? { ...labels, pod_ip: '10.1.0.9' } : labels,
    value: series.type === 'counter' ? series.value / 2 : series.value,
  }))

  beforeAll(async () => {
    prometheus = await startPrometheus(binary, 'global: {}\nstorage: { tsdb: { out_of_order_time_window: 1d } }\n')
    await remoteWrite(prometheus.url, underLoad([...page('kube-state-metrics'), ...page('controllers')], atSeconds))
    await remoteWrite(prometheus.url, underLoad(anHourAgo, atSeconds - 3_600))
  })
  afterAll(() => prometheus?.close())

  test('whose an address is, who is behind a service, what a load balancer leads to', async () => {
    const { podAddresses, behindService, balancers } = await read()
    expect(Object.fromEntries([...podAddresses].map(([ip, ids]) => [ip, [...ids]]))).toEqual({
      '10.1.0.1': ['west/shop/cart-v1'],
      '10.1.0.2': ['west/shop/cart-v2'],
      '10.1.0.3': ['west/data/statefulset:pg'],
      '10.1.0.4': ['west/edge/door'],
      '10.1.0.5': ['west/edge/daemonset:contour'],
    })
    expect(Object.fromEntries(behindService.get('west/shop/cart') ?? [])).toEqual({
      'west/shop/cart-v1': 1,
      'west/shop/cart-v2': 1,
    })
    expect([...balancers].map(([address, ids]) => [address, ...ids]).sort()).toEqual([
      ['203.0.113.20', 'west/edge/door'],
      ['lb-1.example.net', 'west/edge/door'],
    ])
  })

  test('what each ingress controller counts, by host and service as far as it names them', async () => {
    const { exposures } = await read()
    const told = exposures.map(({ source, host, router, door, service, requestsPerSecond }) => {
      const counted = Math.round((requestsPerSecond ?? Number.NaN) * LOAD_SECONDS * 1e6) / 1e6
      return [source, host ?? router, door?.slice('west/edge/'.length) ?? null, service, counted]
    })
    expect(told.sort((a, b) => `${a[0]} ${b[4]}`.localeCompare(`${b[0]} ${a[4]}`))).toEqual([
      ['envoy', 'cart.example.com', 'daemonset:contour', null, 600],
      ['envoy', 'shop-cart-route-web-example-com', 'daemonset:contour', null, 60],
      ['haproxy', null, 'haproxy', 'west/shop/cart', 660],
      ['haproxy', null, 'haproxy', 'west/data/pg', 60],
      ['ingress-nginx', 'cart.example.com', 'door', 'west/shop/cart', 600],
      ['traefik', 'shop-cart-cart-example-com@kubernetes', 'traefik', 'west/shop/cart', 600],
      // Nothing tells where the namespace ends: no endpoints of that service are known.
      ['traefik', 'ops-dash-dash-example-com@kubernetes', 'traefik', null, 120],
    ])
  })

  test('Traefik without router labels still tells its services, and none of its requests twice', async () => {
    const services = INVENTORY_METRICS.filter((metric) => metric !== 'traefik_router_requests_total')
    const { exposures } = await read(services)
    expect(exposures.filter(({ source }) => source === 'traefik')).toMatchObject([
      { host: null, router: null, service: 'west/shop/cart', requestsPerSecond: expect.closeTo(1, 6) },
    ])
  })

  test('of a past instant, its own counts and addresses; where none were written down, the present addresses', async () => {
    const client = clientOf('west', [prometheus.url])
    const reader = new InventoryReader('west', client)
    const signal = AbortSignal.timeout(30_000)
    await reader.refresh(new Set(INVENTORY_METRICS), null, atSeconds, signal)
    const told = (inventory: Inventory | null) => ({
      cart: inventory?.exposures.find(({ source }) => source === 'ingress-nginx')?.requestsPerSecond ?? null,
      addresses: [...(inventory?.podAddresses.keys() ?? [])].filter((ip) => /\.[19]$/.test(ip)),
    })
    const past = told(await reader.at(atSeconds - 3_600, null, signal))
    expect(past).toEqual({ cart: expect.closeTo(300 / LOAD_SECONDS, 6), addresses: ['10.1.0.9'] })
    expect(told(await reader.at(atSeconds - 7_200, null, signal))).toEqual({ cart: null, addresses: ['10.1.0.1'] })
    expect(told(reader.inventory)).toEqual({ cart: expect.closeTo(600 / LOAD_SECONDS, 6), addresses: ['10.1.0.1'] })
    await client.close()
  })
})
