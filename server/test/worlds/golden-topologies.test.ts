import { describe, expect, test } from 'vitest'
import { fleet, type GivenCall, joined, seamsOf } from './by-hand.ts'

const two = { east: {}, west: {} }
/** Somebody in the cluster calls the workload by its service, so that its service is known there. */
const inside = (id: string, perSecond = 1): GivenCall => ({ from: `${id.split('/')[0]}/shop/inner`, to: id, perSecond })

describe('one topology for each rule', () => {
  test('1, labels: calls within a cluster', () => {
    const { edges } = joined(fleet(two, [{ from: 'east/shop/web', to: 'east/shop/cart', perSecond: 5 }]))
    expect(edges).toMatchObject([{ from: 'east/shop/web', to: 'east/shop/cart', confidence: 'solid', rule: 'labels' }])
  })

  test('2, mirror: the gateway of the other cluster shows who is behind the service', () => {
    const calls: GivenCall[] = [{ from: 'east/shop/web', to: 'west/shop/cart', by: 'mirror', perSecond: 5 }]
    expect(seamsOf(joined(fleet(two, calls)))).toEqual(['east/shop/web -> west/shop/cart, solid by mirror'])
  })

  test('2, mirror: pod to pod, the name that was asked for carries the cluster', () => {
    const calls: GivenCall[] = [{ from: 'east/shop/web', to: 'west/shop/cart', by: 'flat', perSecond: 5 }]
    expect(seamsOf(joined(fleet(two, calls)))).toEqual(['east/shop/web -> west/shop/cart, solid by mirror'])
  })

  test('3, identity: a trust domain of its own tells whose pod a link of another name leads to', () => {
    const clusters = { east: { trustDomain: 'east.local' }, west: { trustDomain: 'west.local', link: 'west-prod' } }
    const calls: GivenCall[] = [
      { from: 'east/shop/web', to: 'west/shop/cart', by: 'flat', perSecond: 5 },
      inside('west/shop/cart'),
    ]
    const solid = joined(fleet(clusters, [...calls, inside('east/shop/web')]))
    expect(seamsOf(solid)).toEqual(['east/shop/web -> west/shop/cart, solid by identity'])
    // Who shows no identity at home may have the same trust domain.
    expect(seamsOf(joined(fleet(clusters, calls)))).toEqual(['east/shop/web -> west/shop/cart, dotted by identity'])
  })

  test('4, address: a federated service has pods here and there', () => {
    const calls: GivenCall[] = [
      { from: 'east/shop/web', to: ['west/shop/cart', 'east/shop/cart'], by: 'federated', perSecond: 10 },
    ]
    const { edges } = joined(fleet(two, calls))
    expect(edges.map(({ to, confidence, rule }) => `${to} ${confidence} ${rule}`).sort()).toEqual([
      'east/shop/cart solid address',
      'west/shop/cart solid address',
    ])
  })

  test('4, address: a bare pod address is likely, where the rates agree', () => {
    const calls: GivenCall[] = [
      { from: 'east/shop/web', to: 'west/shop/cart', by: 'podAddress', perSecond: 5 },
      inside('west/shop/cart', 3),
    ]
    expect(seamsOf(joined(fleet(two, calls)))).toEqual(['east/shop/web -> west/shop/cart, dashed by address'])
  })

  test('5, host: asked for over here, arriving over there', () => {
    const calls: GivenCall[] = [
      { from: 'east/shop/web', to: 'west/shop/cart', by: 'ingress', host: 'cart.example.com', perSecond: 5 },
    ]
    const { edges } = joined(fleet(two, calls))
    expect(edges.find(({ seam }) => seam)).toMatchObject({
      to: 'west/shop/cart',
      confidence: 'dashed',
      via: 'west/edge/door',
    })
  })

  test("5, host: the ingress controller's own count stands in for a mesh that names no hosts", () => {
    const west = { linkerd: '2.18', meshedIngress: false, ingressMetrics: 'nginx', kubeStateMetrics: true } as const
    const calls: GivenCall[] = [
      { from: 'east/shop/web', to: 'west/shop/cart', by: 'ingress', host: 'cart.example.com', perSecond: 5 },
    ]
    expect(seamsOf(joined(fleet({ east: {}, west }, calls)))).toEqual([
      'east/shop/web -> west/shop/cart, dashed by host',
    ])
  })

  test("6, ingress: one caller, and what it sends is all that the other cluster's ingress passes on", () => {
    const clusters = { east: { hostnames: false }, west: { linkerd: '2.18', kubeStateMetrics: true } } as const
    const calls: GivenCall[] = [
      { from: 'east/shop/web', to: 'west/shop/cart', by: 'ingress', host: 'cart.example.com', perSecond: 5 },
    ]
    expect(seamsOf(joined(fleet(clusters, calls)))).toEqual(['east/shop/web -> west/shop/cart, dashed by ingress'])
  })

  test('meshes mixed: a Linkerd cluster calls an Istio cluster through its Envoy gateway, and that is one path', () => {
    const clusters = { east: { linkerd: '2.18' }, west: { istio: true, kubeStateMetrics: true } } as const
    const calls: GivenCall[] = [
      { from: 'east/shop/web', to: 'west/shop/cart', by: 'ingress', host: 'cart.example.com', perSecond: 5 },
      { from: 'west/shop/cart', to: 'west/shop/db', perSecond: 8 },
    ]
    const { edges } = joined(fleet(clusters, calls))
    expect(edges.map(({ from, to, via, confidence }) => [from, to, via, confidence])).toEqual([
      ['east/shop/web', 'west/shop/cart', 'west/edge/door', 'dashed'],
      ['west/edge/door', 'west/shop/cart', null, 'solid'],
      ['west/shop/cart', 'west/shop/db', null, 'solid'],
    ])
  })

  test('1, labels: Istio names both clusters, by names of its own', () => {
    const clusters = { east: { istio: true }, west: { istio: true, link: 'west-prod' } } as const
    const calls: GivenCall[] = [
      { from: 'east/shop/web', to: 'west/shop/cart', by: 'mesh', perSecond: 5 },
      { from: 'west/shop/cart', to: 'west/shop/db', perSecond: 8 },
    ]
    const truth = fleet(clusters, calls)
    expect(seamsOf(joined(truth))).toEqual(['east/shop/web -> west/shop/cart, solid by labels'])
    // The callee names its caller: with the caller's cluster away the edge stays.
    const half = joined(truth, { missing: ['east'] })
    expect(seamsOf(half)).toEqual(['east/shop/web -> west/shop/cart, solid by labels'])
    expect(half.edges.find(({ seam }) => seam)).toMatchObject({
      callerFlows: [],
      calleeBy: { caller: 'east/shop/web' },
    })
  })

  test('7, declared: what no metric tells, a person does', () => {
    const clusters = { east: { hostnames: true, linkerd: '2.18' }, west: { linkerd: '2.18' } } as const
    const calls: GivenCall[] = [
      { from: 'east/shop/web', to: 'west/shop/cart', by: 'ingress', host: 'cart.example.com', perSecond: 5 },
    ]
    const truth = fleet(clusters, calls)
    const [open] = joined(truth).unresolved
    expect(open?.suggestion).toBe('routes:\n  - { host: "cart.example.com", to: CLUSTER/NAMESPACE/WORKLOAD }')
    const told = joined(truth, { config: { routes: [{ host: 'cart.example.com', to: 'west/shop/cart' }] } })
    expect(seamsOf(told)).toEqual(['east/shop/web -> west/shop/cart, solid by declared'])
    expect(told.unresolved).toEqual([])
  })

  test('8, rates: equal rates are a hint, and nothing more', () => {
    const clusters = { east: { linkerd: '2.18' }, west: { linkerd: '2.18', meshedIngress: false } } as const
    const calls: GivenCall[] = [
      { from: 'east/shop/web', to: 'west/shop/cart', by: 'ingress', host: 'cart.example.com', perSecond: 5 },
    ]
    const stitched = joined(fleet(clusters, calls))
    expect(seamsOf(stitched)).toEqual(['east/shop/web -> west/shop/cart, dotted by rates'])
    // Nor is a guess written into the lines for the configuration.
    expect(stitched.unresolved[0]?.suggestion).toContain('CLUSTER/NAMESPACE/WORKLOAD')
  })
})
