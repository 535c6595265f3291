import { describe, expect, test } from 'vitest'
import type { ClusterView } from '../../src/domain/assess.ts'
import { straysIn, withoutStrays } from '../../src/domain/strays.ts'
import { seamsOf } from './by-hand.ts'
import { type End, istioLabels, joinedPages, page, worldOfPages } from './by-page.ts'

const REQUESTS = 'istio_requests_total'
const BYTES = 'istio_tcp_sent_bytes_total'
const OPENED = 'istio_tcp_connections_opened_total'
const web = 'namespace="shop",pod="web-1",job="istio"'
const cart = 'namespace="shop",pod="cart-1",job="istio"'
const gateway = 'namespace="istio-system",pod="gw-1",job="istio"'
const requests = (reporter: 'source' | 'destination' | 'waypoint', from: End, to: End, count = 600) =>
  [REQUESTS, istioLabels(reporter, from, to), count] as const
const bytes = (reporter: 'source' | 'destination', from: End, to: End) =>
  [BYTES, istioLabels(reporter, from, to, { request_protocol: 'tcp' }), 6_000] as const

const edgesOf = (pages: Readonly<Record<string, string>>) =>
  joinedPages(pages).edges.map(
    ({ from, to, confidence, callerFlows }) => `${from} -> ${to} ${confidence} ${callerFlows.length}`,
  )

test('several primaries: an east-west gateway passes bytes on and stands in nobody’s way', () => {
  const call = ['east/shop/web', 'west/shop/cart'] as const
  const east = page(web, requests('source', ...call))
  const west = page(cart, requests('destination', ...call))
  const passing = page(gateway, bytes('source', 'west/istio-system/istio-eastwestgateway', 'west/shop/cart'))
  const stitched = joinedPages({ east, west: west + passing })
  expect(seamsOf(stitched)).toEqual(['east/shop/web -> west/shop/cart, solid by labels'])
  expect(stitched.edges.find(({ seam }) => seam)).toMatchObject({ via: null, calleeBy: { caller: 'east/shop/web' } })
  expect(stitched.unresolved).toEqual([])
})

test('several primaries: one that does not answer leaves what the other saw', () => {
  const call = ['east/shop/web', 'west/shop/cart'] as const
  expect(edgesOf({ east: '', west: page(cart, requests('destination', ...call)) })).toEqual([
    'east/shop/web -> west/shop/cart solid 0',
  ])
  expect(edgesOf({ east: page(web, requests('source', ...call)), west: '' })).toEqual([
    'east/shop/web -> west/shop/cart solid 1',
  ])
})

test('ambient: ztunnels see bytes only, and where a waypoint is in the path its requests are the call', () => {
  const toCart = ['east/shop/web', 'east/shop/cart'] as const
  const toDb = ['east/shop/cart', 'east/data/db'] as const
  const ztunnel = page(
    'namespace="istio-system",pod="ztunnel-a",app="ztunnel",job="istio"',
    bytes('source', ...toCart),
    bytes('destination', ...toCart),
    bytes('source', ...toDb),
    bytes('destination', ...toDb),
  )
  const waypoint = page('namespace="shop",pod="waypoint-1",job="istio"', requests('waypoint', ...toCart))
  expect(edgesOf({ east: ztunnel + waypoint, west: '' }).sort()).toEqual([
    'east/shop/cart -> east/data/db solid 1',
    'east/shop/web -> east/shop/cart solid 1',
  ])
})

test('ambient: what a waypoint says of another cluster is nobody’s word: its own name is all it knows', () => {
  const east = page(web, requests('source', 'east/shop/web', 'west/shop/cart'))
  const west = page(cart, requests('waypoint', 'east/shop/web', 'west/shop/cart'))
  expect(edgesOf({ east, west })).toEqual(['east/shop/web -> west/shop/cart solid 1'])
})

describe('ambient: a waypoint writes its own cluster, whatever it sends to', () => {
  const waypointsWord = page(
    'namespace="shop",pod="waypoint-1",job="istio"',
    requests('waypoint', 'east/shop/web', 'east/shop/cart'),
  )
  /** East's ztunnels are scraped, and have carried nothing to a cart of east. */
  const ztunnel = page(
    'namespace="istio-system",pod="ztunnel-a",app="ztunnel",job="istio"',
    bytes('source', 'east/shop/web', 'east/shop/waypoint'),
    bytes('destination', 'east/shop/web', 'east/shop/waypoint'),
  )
  const toCart = (pages: Readonly<Record<string, string>>) =>
    joinedPages(pages).edges.flatMap(({ from, to, confidence, callerFlows }) =>
      to.endsWith('/cart') && from === 'east/shop/web'
        ? [`${to} ${confidence} ${callerFlows.map(({ share }) => share.toFixed(2))}`]
        : [],
    )

  const rowsOf = (pages: Readonly<Record<string, string>>) => {
    const { observations, world } = worldOfPages(pages)
    const views = observations.map((now): ClusterView => {
      return { name: now.cluster, state: 'current', ageSeconds: 0, now, history: null, compare: null }
    })
    return withoutStrays(views, straysIn(world)).flatMap(({ now }) => [...(now?.inbound.keys() ?? [])])
  }

  test('the workload over there names the caller: the call is its, and nothing of that name runs here', () => {
    const west = page(cart, requests('destination', 'east/shop/web', 'west/shop/cart'))
    const pages = { east: ztunnel + waypointsWord, west }
    expect(toCart(pages)).toEqual(['west/shop/cart solid 1.00'])
    expect(rowsOf(pages)).toEqual(['east/shop/waypoint', 'west/shop/cart'])
    // Where no ztunnel is heard, not to be told of by one says nothing.
    expect(rowsOf({ east: waypointsWord, west })).toEqual(['east/shop/cart', 'west/shop/cart'])
  })

  test('it names the waypoint alone, in bytes: likely', () => {
    const west = page(
      'namespace="istio-system",pod="ztunnel-b",app="ztunnel",job="istio"',
      bytes('destination', 'east/shop/waypoint', 'west/shop/cart'),
      [OPENED, istioLabels('destination', 'east/shop/waypoint', 'west/shop/cart'), 6],
    )
    expect(toCart({ east: ztunnel + waypointsWord, west })).toEqual(['west/shop/cart dashed 1.00'])
  })

  test('a namesake that names nobody: likely where the ztunnels here carried nothing to such a workload, else a guess', () => {
    const west = page(cart, requests('destination', 'west/shop/web', 'west/shop/cart'))
    expect(toCart({ east: ztunnel + waypointsWord, west })).toEqual(['west/shop/cart dashed 1.00'])
    expect(toCart({ east: waypointsWord, west }).sort()).toEqual([
      'east/shop/cart dotted 1.00',
      'west/shop/cart dotted 1.00',
    ])
    const [open] = joinedPages({ east: waypointsWord, west }).unresolved
    expect(open?.suggestion).toContain('host: "cart.shop.svc.cluster.local"')
    const told = { routes: [{ host: 'cart.shop.svc.cluster.local', to: 'west/shop/cart' }] }
    expect(seamsOf(joinedPages({ east: waypointsWord, west }, told))).toEqual([
      'east/shop/web -> west/shop/cart, solid by declared',
    ])
  })

  test('one service in both clusters: each has the part that it counts', () => {
    const here = page(
      'namespace="istio-system",pod="ztunnel-a",app="ztunnel",job="istio"',
      bytes('destination', 'east/shop/waypoint', 'east/shop/cart'),
    )
    const west = page(cart, requests('destination', 'east/shop/web', 'west/shop/cart', 150))
    expect(toCart({ east: here + waypointsWord, west }).sort()).toEqual([
      'east/shop/cart dashed 0.75',
      'west/shop/cart dashed 0.25',
    ])
    // Whoever has a namesake elsewhere is no less certain of its own calls for it.
    const others = page(cart, requests('destination', 'west/shop/web', 'west/shop/cart'))
    expect(toCart({ east: here + waypointsWord, west: others })).toEqual(['east/shop/cart solid 1.00'])
  })
})

test('a plain ingress between two meshes: the host leads as far as the gateway, and its calls go on from there', () => {
  const outside = istioLabels('source', 'east/shop/web', null, {
    destination_service: 'cart.example.com',
    destination_service_name: 'cart.example.com',
  })
  const east = page(web, [REQUESTS, outside, 600])
  const west = page(gateway, requests('source', 'west/istio-system/istio-ingressgateway', 'west/shop/cart'))
  const config = {
    ingresses: [
      {
        cluster: 'west',
        workload: 'west/istio-system/istio-ingressgateway',
        addresses: [],
        hosts: ['cart.example.com'],
      },
    ],
  }
  const stitched = joinedPages({ east, west }, config)
  expect(seamsOf(stitched)).toEqual(['east/shop/web -> west/shop/cart, dashed by ingress'])
  expect(stitched.edges.find(({ seam }) => seam)?.via).toBe('west/istio-system/istio-ingressgateway')
  // Without a word equal rates are a hint, at whichever of the two they arrive.
  const blind = joinedPages({ east, west })
  expect(seamsOf(blind).every((line) => line.endsWith('dotted by rates'))).toBe(true)
  expect(blind.unresolved[0]?.suggestion).toBe(
    'routes:\n  - { host: "cart.example.com", to: CLUSTER/NAMESPACE/WORKLOAD }',
  )
})

test('unknown ends are kept: failures that reached no workload stay with the service that was asked for', () => {
  const failed = istioLabels('source', 'east/shop/web', null, {
    destination_service: 'cart.shop.svc.cluster.local',
    destination_service_name: 'cart',
    destination_service_namespace: 'shop',
    response_code: '503',
    response_flags: 'UH',
  })
  const east = page(web, requests('source', 'east/shop/web', 'east/shop/cart'), [REQUESTS, failed, 60])
  // Both are calls of one service: one edge, which no failure is missing from.
  expect(edgesOf({ east, west: '' })).toEqual(['east/shop/web -> east/shop/cart solid 2'])
  const alone = page(web, [REQUESTS, failed, 60], [REQUESTS, istioLabels('destination', null, 'east/shop/web'), 60])
  expect(edgesOf({ east: alone, west: '' }).sort()).toEqual([
    'east/shop/web -> outside/east/shop/cart solid 1',
    'outside/east/unknown -> east/shop/web solid 0',
  ])
})
