import { describe, expect, test } from 'vitest'
import { fleet, type Given, type GivenCall, joined, seamsOf } from './by-hand.ts'
import type { Controller } from './truth.ts'

/** A cluster whose mesh tells nothing of the host, and whose ingress is outside of it. */
const behind = (ingressMetrics: Controller, more: Given = {}): Given => ({
  linkerd: '2.18',
  meshedIngress: false,
  kubeStateMetrics: true,
  ingressMetrics,
  ...more,
})
const toCart: GivenCall = {
  from: 'east/shop/web',
  to: 'west/shop/cart',
  by: 'ingress',
  host: 'cart.example.com',
  perSecond: 5,
}
const toData: GivenCall = { ...toCart, to: 'west/shop/data', host: 'ata.example.com', perSecond: 9 }
const inside: GivenCall = { from: 'west/shop/inner', to: 'west/shop/cart', perSecond: 1 }

const seams = (west: Given, calls: readonly GivenCall[], east: Given = {}) =>
  seamsOf(joined(fleet({ east, west }, calls)))

describe('hosts as ingress controllers count them', () => {
  test.each(['nginx', 'traefik'] as const)('%s tells the host and the service behind it', (controller) => {
    expect(seams(behind(controller), [toCart, toData])).toEqual([
      'east/shop/web -> west/shop/cart, dashed by host',
      'east/shop/web -> west/shop/data, dashed by host',
    ])
  })

  test('traefik without endpoints: where one name ends and the next begins is not told, so the way ends at its door', () => {
    expect(seams(behind('traefik', { kubeStateMetrics: false }), [toCart, toData])).toEqual([
      'east/shop/web -> west/edge/door, dashed by host',
    ])
  })

  test('one host is no part of another: `ata.example.com` is not asked for at `data.example.com`', () => {
    const data = { ...toData, host: 'data.example.com' }
    const other: GivenCall = { from: 'east/shop/app', host: 'ata.example.com', by: 'outside', perSecond: 9 }
    const lines = seams(behind('traefik'), [data, { ...other, address: '198.51.100.7:443' }])
    expect(lines.filter((line) => line.startsWith('east/shop/app'))).toEqual([
      'east/shop/app -> outside/ata.example.com, solid by labels',
    ])
  })

  test('haproxy tells services and no hosts: one caller is likely, of two nobody is accused', () => {
    const blind: Given = { hostnames: false }
    expect(seams(behind('haproxy'), [toCart], blind)).toEqual(['east/shop/web -> west/shop/cart, dashed by ingress'])
    const second: GivenCall = { ...toData, from: 'east/shop/app' }
    const both = seams(behind('haproxy'), [toCart, second], blind)
    expect(both.filter((line) => !line.includes('dotted'))).toEqual([])
    expect(both).toHaveLength(4)
  })

  test('an Envoy that counts virtual hosts tells that the host is its own, and not where it sends it', () => {
    expect(seams(behind('envoyByHost'), [toCart, toData])).toEqual(['east/shop/web -> west/edge/door, dashed by host'])
  })
})

describe('vanilla Envoys', () => {
  test('an ingress outside of the mesh: its clusters are services, and what is behind it is one path', () => {
    const calls = [toCart, { from: 'west/shop/cart', to: 'west/shop/db', perSecond: 8 }]
    const { edges } = joined(fleet({ east: { hostnames: false }, west: behind('envoy') }, calls))
    expect(edges.map(({ from, to, via, confidence, rule }) => [from, to, via, confidence, rule])).toEqual([
      ['east/shop/web', 'west/shop/cart', 'west/edge/door', 'dashed', 'ingress'],
      ['west/shop/cart', 'west/shop/db', null, 'solid', 'labels'],
      ['west/edge/door', 'west/shop/cart', null, 'solid', 'labels'],
    ])
  })

  test('an ingress that the mesh sees as well is drawn once, by what the mesh knows', () => {
    const { edges } = joined(
      fleet({ east: {}, west: behind('envoy', { meshedIngress: true, linkerd: '2.17' }) }, [toCart]),
    )
    const own = edges.filter(({ from }) => from === 'west/edge/door')
    expect(own.map(({ to, callerFlows }) => [to, callerFlows.length])).toEqual([['west/shop/cart', 1]])
  })

  test('at the edge of a cluster: its own services by name, other clusters by host', () => {
    const calls: GivenCall[] = [
      { ...toCart, from: 'east/edge/proxy' },
      { from: 'east/edge/proxy', to: 'east/shop/web', perSecond: 3 },
      { from: 'east/shop/app', to: 'east/shop/web', perSecond: 1 },
    ]
    const { edges } = joined(fleet({ east: {}, west: behind('nginx') }, calls))
    const own = edges.filter(({ from }) => from === 'east/edge/proxy')
    expect(own.map(({ to, confidence, rule }) => `${to} ${confidence} ${rule}`).sort()).toEqual([
      'east/shop/web solid labels',
      'west/shop/cart dashed host',
    ])
  })

  test('a service that nobody else calls: a workload of its very name is likely, and no more', () => {
    const { edges } = joined(
      fleet({ east: {}, west: {} }, [
        { from: 'east/edge/proxy', to: 'east/shop/web', perSecond: 3 },
        { from: 'east/edge/proxy', to: ['east/shop/api-v1', 'east/shop/api-v2'], perSecond: 4 },
      ]),
    )
    expect(edges.map(({ to, confidence }) => `${to} ${confidence}`).sort()).toEqual([
      'east/shop/web dashed',
      'outside/east/shop/api solid',
    ])
  })

  test('who calls the same service in the mesh is another caller, not the same call twice', () => {
    const { edges } = joined(fleet({ east: {}, west: behind('envoy') }, [toCart, inside]))
    expect(edges.map(({ from, to }) => `${from} -> ${to}`).sort()).toEqual([
      'east/shop/web -> west/shop/cart',
      'west/edge/door -> west/shop/cart',
      'west/shop/inner -> west/shop/cart',
    ])
  })
})
