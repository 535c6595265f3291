import { describe, expect, test } from 'vitest'
import { fleet, type GivenCall, joined, seamsOf } from './by-hand.ts'

const two = { east: {}, west: {} }
/** Somebody in the cluster calls the workload by its service, so that its service is known there. */
const inside = (id: string, perSecond = 1): GivenCall => ({ from: `${id.split('/')[0]}/shop/inner`, to: id, perSecond })

describe('traps', () => {
  const both = (perSecond = 5): GivenCall[] => [
    { from: 'east/shop/web', to: 'west/shop/a', by: 'ingress', host: 'a.example.com', perSecond },
    { from: 'east/shop/web', to: 'west/shop/b', by: 'ingress', host: 'b.example.com', perSecond: 2 * perSecond },
    { from: 'east/shop/app', to: 'west/shop/b', by: 'ingress', host: 'b.example.com', perSecond },
  ]

  test('two hosts behind one load balancer: with host names each is found, without them nobody is accused', () => {
    expect(seamsOf(joined(fleet(two, both())))).toEqual([
      'east/shop/app -> west/shop/b, dashed by host',
      'east/shop/web -> west/shop/a, dashed by host',
      'east/shop/web -> west/shop/b, dashed by host',
    ])
    const blind = { east: { linkerd: '2.18' }, west: { kubeStateMetrics: true } } as const
    const seams = seamsOf(joined(fleet(blind, both())))
    expect(seams).toHaveLength(4)
    expect(seams.every((seam) => seam.endsWith('dotted by ingress'))).toBe(true)
  })

  test('one load balancer in front of two clusters leads to either', () => {
    const at = { address: '203.0.113.99', kubeStateMetrics: true }
    const clusters = { east: { linkerd: '2.18' }, west: at, north: at } as const
    const calls: GivenCall[] = [
      { from: 'east/shop/web', to: 'west/shop/a', by: 'ingress', host: 'a.example.com', perSecond: 5 },
      { from: 'east/shop/app', to: 'north/shop/b', by: 'ingress', host: 'b.example.com', perSecond: 5 },
    ]
    const seams = seamsOf(joined(fleet(clusters, calls)))
    expect(seams).toEqual([
      'east/shop/app -> north/edge/door, dotted by ingress',
      'east/shop/app -> west/edge/door, dotted by ingress',
      'east/shop/web -> north/edge/door, dotted by ingress',
      'east/shop/web -> west/edge/door, dotted by ingress',
    ])
  })

  test('the same names in both clusters: a pod of the other one is not taken for the own', () => {
    const calls: GivenCall[] = [
      { from: 'east/shop/web', to: 'west/shop/cart', by: 'flat', perSecond: 5 },
      { from: 'east/shop/app', to: 'east/shop/cart', perSecond: 3 },
      { from: 'west/shop/app', to: 'west/shop/cart', perSecond: 2 },
    ]
    const { edges } = joined(fleet(two, calls))
    expect(edges.map(({ from, to }) => `${from} -> ${to}`).sort()).toEqual([
      'east/shop/app -> east/shop/cart',
      'east/shop/web -> west/shop/cart',
      'west/shop/app -> west/shop/cart',
    ])
  })

  test('identical trust domains and the same name twice: no guess is made solid', () => {
    const clusters = { east: {}, west: { link: 'west-prod' }, north: {} }
    const calls: GivenCall[] = [
      { from: 'east/shop/web', to: 'west/shop/cart', by: 'flat', perSecond: 5 },
      inside('west/shop/cart', 2),
      inside('north/shop/cart', 7),
    ]
    const stitched = joined(fleet(clusters, calls))
    expect(seamsOf(stitched)).toEqual([
      'east/shop/web -> north/shop/cart, dotted by identity',
      'east/shop/web -> west/shop/cart, dotted by identity',
    ])
    expect(stitched.unresolved[0]?.suggestion).toContain('aliases:\n  - { name: west-prod, cluster: CLUSTER }')
    const told = joined(fleet(clusters, calls), { config: { aliases: [{ name: 'west-prod', cluster: 'west' }] } })
    expect(seamsOf(told)).toEqual(['east/shop/web -> west/shop/cart, solid by mirror'])
  })

  test('overlapping pod ranges never make an address certain', () => {
    const clusters = { east: { range: '10.42' }, west: { range: '10.42' } }
    const calls: GivenCall[] = [
      { from: 'east/shop/web', by: 'outside', address: '10.42.0.14:8080', perSecond: 5 },
      { from: 'west/shop/one', to: 'west/shop/two', perSecond: 1 },
      { from: 'west/shop/two', to: 'west/shop/three', by: 'podAddress', perSecond: 5 },
    ]
    const { edges } = joined(fleet(clusters, calls))
    expect(edges.filter(({ from }) => from === 'east/shop/web').map(({ confidence }) => confidence)).not.toContain(
      'solid',
    )
    expect(edges.filter(({ seam }) => seam).every(({ confidence }) => confidence === 'dotted')).toBe(true)
  })

  test('a retry storm: what was joined before it stays joined', () => {
    const call = (attempts: number) =>
      fleet(two, [
        { from: 'east/shop/web', to: 'west/shop/cart', by: 'ingress', host: 'c.example.com', perSecond: 5, attempts },
      ])
    const [calm, storm] = [call(1), call(3)]
    const ofHost = (lines: readonly string[]) => lines.filter((line) => line.endsWith('by host'))
    expect(ofHost(seamsOf(joined(storm)))).toEqual(['east/shop/web -> west/shop/cart, dotted by host'])
    const lasting = joined(storm, { before: calm })
    expect(ofHost(seamsOf(lasting))).toEqual(['east/shop/web -> west/shop/cart, dashed by host'])
    // The caller counts requests, the callee attempts.
    expect(lasting.edges.find(({ rule }) => rule === 'host')).toMatchObject({ attempts: 'effective' })
  })

  test('a clock that lags shows another moment: the stretch before decides', () => {
    const at = (east: number, west: number) => {
      const truth = fleet(two, [
        { from: 'east/shop/web', to: 'west/shop/cart', by: 'ingress', host: 'c.example.com', perSecond: east },
      ])
      return { truth, west }
    }
    const now = fleet(two, [
      { from: 'east/shop/web', to: 'west/shop/cart', by: 'ingress', host: 'c.example.com', perSecond: 10 },
      // West is asked for a moment at which half of today's load was not there yet: modelled by a second arrival.
      { from: 'west/edge/other', to: 'west/shop/cart', by: 'ingress', host: 'c.example.com', perSecond: 6 },
    ])
    const { truth: before } = at(5, 5)
    const lines = seamsOf(joined(now, { before })).filter((line) => line.endsWith('by host'))
    expect(lines).toEqual(['east/shop/web -> west/shop/cart, dashed by host'])
  })

  const mirrored: GivenCall[] = [
    { from: 'east/shop/web', to: 'west/shop/cart', by: 'mirror', perSecond: 5 },
    { from: 'west/shop/cart', to: 'west/shop/db', perSecond: 5 },
  ]

  test('caller only: the cluster of the callee is missing, and the call is still drawn', () => {
    const truth = fleet(two, mirrored)
    const never = joined(truth, { missing: ['west'] })
    expect(never.edges.map(({ from, to, outside }) => `${from} -> ${to} ${outside}`)).toEqual([
      'east/shop/web -> outside/west/shop/cart true',
    ])
    expect(never.unresolved[0]?.suggestion).toBe(
      'services:\n  - { service: west/shop/cart, workloads: [west/shop/WORKLOAD] }',
    )
    const since = joined(truth, { missing: ['west'], before: truth })
    expect(seamsOf(since)).toEqual(['east/shop/web -> west/shop/cart, solid by mirror'])
  })

  test('callee only: the cluster of the caller is missing, and nothing is made up for it', () => {
    const { edges } = joined(fleet(two, mirrored), { missing: ['east'] })
    expect(edges.map(({ from, to }) => `${from} -> ${to}`).sort()).toEqual([
      'west/linkerd-multicluster/linkerd-gateway -> west/shop/cart',
      'west/shop/cart -> west/shop/db',
    ])
  })

  test('callee only, through a gateway that names identities: the caller is known by its own, and joined when heard', () => {
    const clusters = { east: { linkerd: '2.18' }, west: { linkerd: '2.18' } } as const
    const truth = fleet(clusters, [...mirrored, inside('east/shop/web')])
    const half = joined(truth, { missing: ['east'] })
    expect(half.edges.find(({ from }) => from.startsWith('outside/'))).toMatchObject({
      from: 'outside/web.shop.serviceaccount.identity.linkerd.cluster.local',
      to: 'west/shop/cart',
      confidence: 'dashed',
      rule: 'identity',
    })
    const whole = joined(truth)
    expect(whole.edges.filter(({ from }) => from.startsWith('outside/'))).toEqual([])
    expect(whole.edges.find(({ seam }) => seam)?.evidence).toContain(
      'the gateway of west was asked for it by web.shop.serviceaccount.identity.linkerd.cluster.local',
    )
  })

  test('cycles across clusters, and calls to oneself', () => {
    const calls: GivenCall[] = [
      { from: 'east/shop/a', to: 'west/shop/b', by: 'mirror', perSecond: 5 },
      { from: 'west/shop/b', to: 'east/shop/a', by: 'mirror', perSecond: 2 },
      { from: 'east/shop/a', to: 'east/shop/a', perSecond: 1 },
      // A workload that is asked for a host and calls itself is no ingress.
      { from: 'west/shop/b', to: 'east/shop/c', by: 'ingress', host: 'c.example.com', perSecond: 4 },
      { from: 'east/shop/c', to: 'east/shop/c', perSecond: 4 },
    ]
    const stitched = joined(fleet(two, calls))
    expect(seamsOf(stitched)).toEqual([
      'east/shop/a -> west/shop/b, solid by mirror',
      'west/shop/b -> east/shop/a, solid by mirror',
      'west/shop/b -> east/shop/c, dashed by host',
    ])
    expect(stitched.edges.filter(({ from, to }) => from === to).map(({ from }) => from)).toEqual([
      'east/shop/a',
      'east/shop/c',
    ])
  })

  test('a canary behind a mirrored service: both versions, by what each gets', () => {
    const calls: GivenCall[] = [
      { from: 'east/shop/web', to: ['west/shop/cart-v1', 'west/shop/cart-v2'], by: 'mirror', perSecond: 10 },
    ]
    const { edges } = joined(fleet(two, calls))
    const seams = edges.filter(({ seam }) => seam)
    expect(seams.map(({ to, confidence, callerFlows }) => [to, confidence, callerFlows[0]?.share])).toEqual([
      ['west/shop/cart-v1', 'solid', 0.5],
      ['west/shop/cart-v2', 'solid', 0.5],
    ])
  })
})
