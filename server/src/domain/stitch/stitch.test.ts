import { describe, expect, test } from 'vitest'
import { parseWorkloadId, type WorkloadRef, workloadId } from '../identity.ts'
import {
  type Destination,
  destinationKey,
  emptyObservation,
  NO_CLUES,
  newInbound,
  type Observation,
} from '../observation.ts'
import { emptyTraffic, type Traffic } from '../traffic.ts'
import { matchesAddress, matchesGlob } from './glob.ts'
import { stitch } from './stitch.ts'
import type { StitchConfig, Stitched } from './types.ts'
import { buildWorld } from './world.ts'

const NO_CONFIG: StitchConfig = { ingresses: [], routes: [] }

function ref(id: string): WorkloadRef {
  const parsed = parseWorkloadId(id)
  if (parsed === undefined) throw new Error(`bad id in a test: ${id}`)
  return parsed
}

function traffic(rate: number): Traffic {
  const made = emptyTraffic(1)
  made.success[0] = rate
  return made
}

interface Seen {
  inbound?: Record<string, { rate: number; hosts?: Record<string, number>; clients?: Record<string, number> }>
  outbound?: { from: string; to: Destination; rate: number; serverId?: string }[]
}

/** What one cluster's proxies report at one instant. */
function cluster(name: string, { inbound = {}, outbound = [] }: Seen): Observation {
  const observation = emptyObservation(name, 1)
  for (const [id, { rate, hosts = {}, clients = {} }] of Object.entries(inbound)) {
    observation.inbound.set(id, {
      ...newInbound(ref(id), 1),
      total: traffic(rate),
      byHost: new Map(Object.entries(hosts).map(([host, part]) => [host, traffic(part)])),
      byClient: new Map(Object.entries(clients).map(([client, part]) => [client, traffic(part)])),
    })
  }
  for (const { from, to, rate, serverId } of outbound) {
    observation.outbound.set(`${from} ${destinationKey(to)}`, {
      from: ref(from),
      destination: to,
      traffic: traffic(rate),
      measure: to.kind === 'host' ? 'full' : 'firstByte',
      attempts: 'each',
      serverId: serverId ?? null,
      clues: NO_CLUES,
      tcp: null,
    })
  }
  return observation
}

function join(observations: Observation[], config: StitchConfig = NO_CONFIG): Stitched {
  return stitch(
    buildWorld(
      observations.map((now) => ({ now, before: null })),
      config,
    ),
  )
}

const host = (name: string): Destination => ({ kind: 'host', host: name })
const address = (text: string): Destination => ({ kind: 'address', address: text })
const workload = (id: string, service: string | null = null): Destination => ({
  kind: 'workload',
  workload: ref(id),
  service,
})

/** West: a meshed ingress that forwards two hosts to two workloads. */
const west = (hostRate = 20) =>
  cluster('west', {
    inbound: {
      'west/edge/door': { rate: hostRate + 8, hosts: { 'a.example.com': hostRate, 'b.example.com': 8 } },
      'west/shop/a': { rate: hostRate, hosts: { 'a.example.com': hostRate } },
      'west/shop/b': { rate: 8, hosts: { 'b.example.com': 8 } },
    },
    outbound: [
      { from: 'west/edge/door', to: workload('west/shop/a'), rate: hostRate },
      { from: 'west/edge/door', to: workload('west/shop/b'), rate: 8 },
    ],
  })
const east = (...outbound: NonNullable<Seen['outbound']>) =>
  cluster('east', { inbound: { 'east/web/front': { rate: 30 } }, outbound })

describe('rule 1, labels', () => {
  test('the caller names its callee; identity singles out its requests there', () => {
    const { edges } = join([
      cluster('east', {
        inbound: {
          'east/web/front': { rate: 30 },
          'east/web/cart': { rate: 30, clients: { 'front.web.id': 30 } },
        },
        outbound: [
          { from: 'east/edge/door', to: workload('east/web/front'), rate: 30, serverId: 'front.web.id' },
          { from: 'east/web/front', to: workload('east/web/cart', 'cart'), rate: 30, serverId: 'cart.web.id' },
        ],
      }),
    ])
    expect(edges.find((edge) => edge.to === 'east/web/cart')).toMatchObject({
      rule: 'labels',
      confidence: 'solid',
      seam: false,
      calleeBy: { client: 'front.web.id' },
    })
  })

  test('a callee without inbound series stays in the picture, as outside', () => {
    const { edges } = join([east({ from: 'east/web/front', to: workload('east/db/statefulset:pg'), rate: 5 })])
    expect(edges).toMatchObject([{ to: 'east/db/statefulset:pg', outside: true }])
  })
})

describe('rule 2, mirrored service', () => {
  const mirror: Destination = { kind: 'mirror', cluster: 'west', namespace: 'shop', service: 'cart' }

  test('leads to the workloads behind that service over there, by their share', () => {
    const there = cluster('west', {
      inbound: { 'west/shop/cart-v1': { rate: 9 }, 'west/shop/cart-v2': { rate: 1 } },
      outbound: [
        { from: 'west/mesh/gateway', to: workload('west/shop/cart-v1', 'cart'), rate: 9 },
        { from: 'west/mesh/gateway', to: workload('west/shop/cart-v2', 'cart'), rate: 1 },
      ],
    })
    const { edges } = join([east({ from: 'east/web/front', to: mirror, rate: 10 }), there])
    const seams = edges.filter((edge) => edge.seam)
    expect(seams.map((edge) => [edge.to, edge.rule, edge.confidence, edge.callerFlows[0]?.share])).toEqual([
      ['west/shop/cart-v1', 'mirror', 'solid', 0.9],
      ['west/shop/cart-v2', 'mirror', 'solid', 0.1],
    ])
  })

  test('into a cluster nobody configured is listed as unresolved', () => {
    const { edges, unresolved } = join([east({ from: 'east/web/front', to: mirror, rate: 10 })])
    expect(edges).toMatchObject([{ to: 'outside/west/shop/cart', outside: true }])
    expect(unresolved).toMatchObject([{ from: 'east/web/front', destination: 'west/shop/cart' }])
  })
})

describe('rule 5, host', () => {
  test('one cluster exposes the host and the rates agree: dashed, through its ingress', () => {
    const { edges, ingressIds } = join([east({ from: 'east/web/front', to: host('a.example.com'), rate: 19 }), west()])
    expect([...ingressIds]).toEqual(['west/edge/door'])
    expect(edges.find((edge) => edge.seam)).toMatchObject({
      to: 'west/shop/a',
      via: 'west/edge/door',
      rule: 'host',
      confidence: 'dashed',
      calleeBy: { host: 'a.example.com' },
    })
  })

  test('rates apart by more than a fifth: dotted, and on the to-do list', () => {
    const { edges, unresolved } = join([
      east({ from: 'east/web/front', to: host('a.example.com'), rate: 10 }),
      west(20),
    ])
    expect(edges.find((edge) => edge.seam)).toMatchObject({ confidence: 'dotted' })
    expect(unresolved).toMatchObject([{ destination: 'a.example.com', candidates: ['west/shop/a'] }])
  })

  test('two clusters expose it: every candidate is listed, none is believed', () => {
    const north = cluster('north', { inbound: { 'north/shop/a': { rate: 20, hosts: { 'a.example.com': 20 } } } })
    const { edges } = join([east({ from: 'east/web/front', to: host('a.example.com'), rate: 20 }), west(), north])
    const seams = edges.filter((edge) => edge.seam)
    expect(seams.map((edge) => [edge.to, edge.confidence])).toEqual([
      ['west/shop/a', 'dotted'],
      ['north/shop/a', 'dotted'],
    ])
  })

  test('hosts stand for the address they share: no call is counted twice', () => {
    const { edges } = join([
      east(
        { from: 'east/web/front', to: host('a.example.com'), rate: 20 },
        { from: 'east/web/front', to: host('b.example.com'), rate: 8 },
        { from: 'east/web/front', to: address('203.0.113.20:80'), rate: 28 },
      ),
      west(),
    ])
    expect(edges.filter((edge) => edge.from === 'east/web/front').map((edge) => edge.to)).toEqual([
      'west/shop/a',
      'west/shop/b',
    ])
  })

  test('a pod that happens to be called as often as the hosts are is not what they stand for', () => {
    const { unresolved } = join([
      east(
        { from: 'east/web/front', to: host('a.example.com'), rate: 20 },
        { from: 'east/web/front', to: host('b.example.com'), rate: 8 },
        // Attempts, of which there are more than requests.
        { from: 'east/web/front', to: address('203.0.113.20:80'), rate: 46 },
        { from: 'east/web/front', to: address('10.47.2.43:8080'), rate: 28.1 },
      ),
      west(),
    ])
    expect(unresolved.map(({ destination }) => destination)).toContain('10.47.2.43:8080')
  })

  test('an ingress that reports its forwarding by host as well is not another caller', () => {
    const door = west()
    for (const [key, flow] of cluster('west', {
      outbound: [{ from: 'west/edge/door', to: host('a.example.com'), rate: 20 }],
    }).outbound) {
      door.outbound.set(key, flow)
    }
    const { edges } = join([east({ from: 'east/web/front', to: host('a.example.com'), rate: 20 }), door])
    expect(edges.find((edge) => edge.seam)).toMatchObject({ to: 'west/shop/a', confidence: 'dashed' })
    expect(edges.filter((edge) => edge.from === 'west/edge/door').map((edge) => edge.rule)).toEqual([
      'labels',
      'labels',
    ])
  })

  test('a dialled address that is not the ingress of that cluster weakens the claim', () => {
    const config: StitchConfig = {
      ingresses: [
        { cluster: 'west', workload: 'west/edge/door', addresses: ['203.0.113.20'], hosts: ['*.example.com'] },
      ],
      routes: [],
    }
    const calls = (dialled: string) => [
      east(
        { from: 'east/web/front', to: host('a.example.com'), rate: 20 },
        { from: 'east/web/front', to: address(dialled), rate: 20 },
      ),
      west(),
    ]
    const confidence = (dialled: string) => join(calls(dialled), config).edges.find((edge) => edge.seam)?.confidence
    expect(confidence('203.0.113.20:80')).toBe('dashed')
    expect(confidence('198.51.100.9:80')).toBe('dotted')
  })
})

describe('rule 6, ingress', () => {
  const config: StitchConfig = {
    ingresses: [{ cluster: 'west', workload: 'west/edge/door', addresses: ['203.0.113.20'], hosts: [] }],
    routes: [],
  }

  test('a single caller: its calls are the ingress calls, by their share', () => {
    const { edges } = join([east({ from: 'east/web/front', to: address('203.0.113.20:80'), rate: 28 }), west()], config)
    const seams = edges.filter((edge) => edge.seam)
    expect(seams.map((edge) => [edge.to, edge.via, edge.confidence])).toEqual([
      ['west/shop/a', 'west/edge/door', 'dashed'],
      ['west/shop/b', 'west/edge/door', 'dashed'],
    ])
    expect(seams[0]?.callerFlows[0]?.share).toBeCloseTo(20 / 28, 12)
  })

  test('into a cluster that does not answer: the seam is known, what is behind it is not', () => {
    const hosts: StitchConfig = {
      ingresses: [{ cluster: 'west', workload: 'west/edge/door', addresses: [], hosts: ['*.example.com'] }],
      routes: [],
    }
    const calling = east({ from: 'east/web/front', to: host('a.example.com'), rate: 20 })
    const { edges } = stitch(
      buildWorld(
        [
          { now: calling, before: null },
          { now: emptyObservation('west', 1), before: null, silent: true },
        ],
        hosts,
      ),
    )
    expect(edges).toMatchObject([{ to: 'west/edge/door', seam: true, confidence: 'dashed', outside: true }])
    expect(edges[0]?.evidence).toContain('west does not answer')
  })

  test('several callers: who calls what is an assumption, dotted', () => {
    const two = cluster('east', {
      inbound: { 'east/web/front': { rate: 14 }, 'east/web/batch': { rate: 14 } },
      outbound: [
        { from: 'east/web/front', to: address('203.0.113.20:80'), rate: 14 },
        { from: 'east/web/batch', to: address('203.0.113.20:80'), rate: 14 },
      ],
    })
    const { edges } = join([two, west()], config)
    expect(new Set(edges.filter((edge) => edge.seam).map((edge) => edge.confidence))).toEqual(new Set(['dotted']))
  })
})

describe('rule 7, declared', () => {
  test('a declared route is believed, and what else agrees is kept as evidence', () => {
    const config: StitchConfig = { ingresses: [], routes: [{ host: '*.example.com', to: 'west/shop/a' }] }
    const { edges } = join([east({ from: 'east/web/front', to: host('a.example.com'), rate: 5 }), west()], config)
    const seam = edges.find((edge) => edge.seam)
    expect(seam).toMatchObject({ to: 'west/shop/a', rule: 'declared', confidence: 'solid' })
    expect(seam?.evidence.join('\n')).toContain('also: joined by host a.example.com')
  })
})

test('a destination no rule knows is an outside node with the lines that would resolve it', () => {
  const { edges, unresolved } = join([east({ from: 'east/web/front', to: host('api.stripe.example'), rate: 2 })])
  expect(edges).toMatchObject([{ to: 'outside/api.stripe.example', outside: true, seam: false }])
  expect(unresolved[0]?.suggestion).toContain('host: "api.stripe.example"')
})

describe('globs', () => {
  test.each([
    ['*.example.com', 'a.example.com', true],
    ['*.example.com', 'A.Example.com', true],
    ['*.example.com', 'example.com', false],
    ['a*c*e', 'abcde', true],
    ['a*c*e', 'abde', false],
    ['*', '', true],
    ['ab*ba', 'aba', false],
  ])('%s against %s', (glob, text, want) => expect(matchesGlob(glob, text)).toBe(want))

  test('an address matches with and without its port', () => {
    expect(matchesAddress('203.0.113.20', '203.0.113.20:80')).toBe(true)
    expect(matchesAddress('203.0.113.20:443', '203.0.113.20:80')).toBe(false)
  })
})

test('ids survive the round trip', () => {
  for (const id of ['east/web/front', 'east/db/statefulset:pg']) expect(workloadId(ref(id))).toBe(id)
})
