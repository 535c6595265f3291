import { expect, test } from 'vitest'
import { labelsApart } from '../domain/apart.ts'
import type { SeriesColumn } from './dialect.ts'
import { INVENTORY_METRICS, inventoryQuestions, readInventory } from './inventory.ts'

const series = (labels: Record<string, string>, value = 1): SeriesColumn => ({
  ...labelsApart(labels),
  values: Float64Array.of(value),
})

/** A cart of two versions and a database, as kube-state-metrics tells them when its labels had to move. */
const PODS = [
  ['cart-v1-5d8f9c7b6-x2x4q', '10.1.0.1', 'ReplicaSet', 'cart-v1-5d8f9c7b6'],
  ['cart-v2-6b7c8d9f5-k9z8p', '10.1.0.2', 'ReplicaSet', 'cart-v2-6b7c8d9f5'],
  ['db-0', '10.1.0.3', 'StatefulSet', 'db'],
  ['door-7f6d5c4b3-abcde', '10.1.0.4', 'ReplicaSet', 'door-7f6d5c4b3'],
].map(([pod = '', pod_ip = '', created_by_kind = '', created_by_name = '']) =>
  series({
    namespace: 'monitoring',
    exported_namespace: pod.startsWith('door') ? 'edge' : 'shop',
    exported_pod: pod,
    pod_ip,
    created_by_kind,
    created_by_name,
  }),
)
const endpoint = (ip: string) => series({ exported_namespace: 'shop', endpoint: 'cart', ip })

test('who owns an address, and who is behind a service', () => {
  const { podAddresses, behindService } = readInventory(
    'west',
    new Map([
      ['pods', PODS],
      ['endpoints', [endpoint('10.1.0.1'), endpoint('10.1.0.2')]],
    ]),
  )
  expect([...(podAddresses.get('10.1.0.3') ?? [])]).toEqual(['west/shop/statefulset:db'])
  expect([...(behindService.get('west/shop/cart') ?? [])]).toEqual([
    ['west/shop/cart-v1', 1],
    ['west/shop/cart-v2', 1],
  ])
})

test('endpoint slices are named after their service', () => {
  const slice = series({ exported_namespace: 'shop', endpointslice: 'cart-x7k2p', address: '10.1.0.2' })
  const { behindService } = readInventory(
    'west',
    new Map([
      ['pods', PODS],
      ['slices', [slice]],
    ]),
  )
  expect([...behindService.keys()]).toEqual(['west/shop/cart'])
})

test('ingress controllers tell hosts and services in their own ways', () => {
  const place = { namespace: 'edge', pod: 'door-7f6d5c4b3-abcde' }
  const { exposures } = readInventory(
    'west',
    new Map([
      ['pods', PODS],
      ['endpoints', [endpoint('10.1.0.1')]],
      [
        'ingress-nginx',
        [series({ ...place, host: 'Cart.example.com', exported_namespace: 'shop', exported_service: 'cart' }, 5)],
      ],
      [
        'traefik',
        [
          series(
            { ...place, router: 'web-cart-shop-cart-example-com@kubernetes', service: 'shop-cart-8080@kubernetes' },
            6,
          ),
        ],
      ],
      ['haproxy', [series({ ...place, proxy: 'shop_svc_cart_http' }, 7), series({ ...place, proxy: 'stats' }, 1)]],
    ]),
  )
  const door = 'west/edge/door'
  const service = 'west/shop/cart'
  expect(exposures).toEqual([
    { host: 'cart.example.com', router: null, door, service, requestsPerSecond: 5, source: 'ingress-nginx' },
    {
      host: null,
      router: 'web-cart-shop-cart-example-com@kubernetes',
      door,
      service,
      requestsPerSecond: 6,
      source: 'traefik',
    },
    { host: null, router: null, door, service, requestsPerSecond: 7, source: 'haproxy' },
  ])
})

test('only what the cluster has is asked for, and no request twice', () => {
  expect(inventoryQuestions(new Set(['response_total']), 60)).toEqual([])
  const names = inventoryQuestions(new Set(INVENTORY_METRICS), 60).map(({ name }) => name)
  expect(names).toHaveLength(INVENTORY_METRICS.length - 1)
  expect(names).not.toContain('traefik-services')
})
