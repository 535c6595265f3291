import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { joinAlerts } from '../../src/domain/alerts.ts'
import type { ClusterView } from '../../src/domain/assess.ts'
import { parseWorkloadId, spoken, type WorkloadRef } from '../../src/domain/identity.ts'
import {
  type Destination,
  destinationKey,
  emptyObservation,
  NO_CLUES,
  newInbound,
} from '../../src/domain/observation.ts'
import { assumedTarget, isElsewhere } from '../../src/domain/stitch/assumed-target.ts'
import { host } from '../../src/domain/stitch/rule-host.ts'
import { byRates } from '../../src/domain/stitch/rule-rates.ts'
import { clusterOf, labelOf, underOurName } from '../../src/domain/stitch/target.ts'
import type { Call, KnownWorkload, World } from '../../src/domain/stitch/types.ts'
import { knownRate } from '../../src/domain/stitch/weigh.ts'
import { buildWorld } from '../../src/domain/stitch/world.ts'
import { emptyTraffic, type Traffic } from '../../src/domain/traffic.ts'

/** What is looked up now was searched for once: the old searches are kept here, for both have to find the same. */

const CLUSTERS = ['east', 'west', 'north'] as const
const ALIASES = [...CLUSTERS, 'Kubernetes', 'west-1', 'elsewhere'] as const
const [clusters, aliases] = [fc.constantFrom(...CLUSTERS), fc.constantFrom(...ALIASES)]
const names = fc.constantFrom('a', 'b', 'c', 'statefulset:a', 'waypoint', 'shop-waypoint', 'd')
const ids = fc.tuple(clusters, names).map(([cluster, name]) => `${cluster}/ns/${name}`)
const labels = fc.tuple(aliases, names).map(([cluster, name]) => `${cluster}/ns/${name}`)
const rates = fc.constantFrom(0, 0.5, 1, 1.02, 1.05, 1.051, 2, 40, 41)

interface Drawn {
  readonly workloads: readonly {
    readonly id: string
    readonly rate: number
    readonly callers: readonly string[]
    readonly hosts: readonly string[]
    readonly assumed: boolean
  }[]
  readonly calls: readonly { readonly from: string; readonly to: string; readonly rate: number }[]
}

const hosts = fc.constantFrom('a.example', 'b.example')
const worlds: fc.Arbitrary<Drawn> = fc.record({
  workloads: fc.array(
    fc.record({
      id: ids,
      rate: rates,
      callers: fc.uniqueArray(labels, { maxLength: 4 }),
      hosts: fc.uniqueArray(hosts, { maxLength: 2 }),
      assumed: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  ),
  calls: fc.array(
    fc.record({
      from: ids,
      to: fc.oneof(ids, hosts, fc.constantFrom('203.0.113.1:80', '203.0.113.2:80')),
      rate: rates,
    }),
    { maxLength: 12 },
  ),
})

const CONFIG = {
  ingresses: [{ cluster: 'west', workload: 'west/ns/d', addresses: ['203.0.113.1'], hosts: [] }],
  routes: [],
  aliases: [
    { name: 'Kubernetes', cluster: 'east' },
    { name: 'west-1', cluster: 'west' },
  ],
}

function worldOf({ workloads, calls }: Drawn): World {
  const observations = CLUSTERS.map((name) => {
    const now = emptyObservation(name, 1)
    for (const { id, rate, callers, hosts: asked, assumed } of workloads) {
      if (clusterOf(id) !== name) continue
      now.inbound.set(id, {
        ...newInbound(refOf(id), 1),
        total: traffic(rate),
        byCaller: new Map(callers.map((caller) => [caller, traffic(rate / 2)])),
        byHost: new Map(asked.map((one) => [one, traffic(rate)])),
        assumed,
      })
    }
    for (const { from, to, rate } of calls) {
      if (clusterOf(from) !== name) continue
      const destination = destinationOf(to)
      now.outbound.set(`${from} ${destinationKey(destination)}`, {
        from: refOf(from),
        destination,
        traffic: traffic(rate),
        measure: 'full',
        attempts: 'each',
        serverId: null,
        clues: NO_CLUES,
        tcp: null,
      })
    }
    return { now, before: null }
  })
  return buildWorld(observations, CONFIG)
}

function destinationOf(to: string): Destination {
  if (to.includes('/')) return { kind: 'workload', workload: refOf(to), service: null }
  return to.includes(':') ? { kind: 'address', address: to } : { kind: 'host', host: to }
}

function refOf(id: string): WorkloadRef {
  return parseWorkloadId(id) ?? expect.fail(`bad id in a test: ${id}`)
}

function traffic(rate: number): Traffic {
  const made = emptyTraffic(1)
  made.success[0] = rate
  return made
}

test('by which name a workload is called', () => {
  fc.assert(
    fc.property(worlds, fc.uniqueArray(labels), ids, (drawn, all, id) => {
      const world = worldOf(drawn)
      const searched = all.find((label) => underOurName(label, world) === id)
      expect(labelOf(new Map(all.map((label) => [label, null])), id, world)).toBe(searched)
    }),
  )
})

describe('whose requests nobody explains', () => {
  /** As it was. Without a past nothing is correlated. */
  function searched(call: Call, explained: ReadonlyMap<string, number>, world: World): string[] | null {
    const calling = knownRate(call.rates)
    if (calling <= 0) return null
    const alike = [...world.workloads.values()].flatMap((workload) => {
      if (clusterOf(workload.id) === call.cluster) return []
      const left = knownRate(workload.total) - (explained.get(workload.id) ?? 0)
      return left <= 0 || Math.abs(left - calling) > 0.05 * calling ? [] : [workload.id]
    })
    return alike.length === 0 || alike.length > 3 ? null : alike
  }

  test('is found by its rate', () => {
    fc.assert(
      fc.property(worlds, fc.dictionary(ids, rates), (drawn, known) => {
        const world = worldOf(drawn)
        const explained = new Map(Object.entries(known))
        for (const call of world.calls) {
          const found = byRates(call, explained, world)
          expect(found?.targets.map(({ id }) => id) ?? null).toEqual(searched(call, explained, world))
        }
      }),
    )
  })

  test('is worked out once for all calls that are open', () => {
    const many = Array.from({ length: 200 }, (_, at) => at)
    const world = worldOf({
      workloads: many.map((at) => ({ id: `west/ns/w${at}`, rate: 1_000 + at, callers: [], hosts: [], assumed: false })),
      calls: many.map((at) => ({ from: `east/ns/c${at}`, to: `x${at}.example`, rate: 1 })),
    })
    let looks = 0
    const workloads = new Map(
      [...world.workloads].map(([id, workload]) => [id, counting(workload, () => (looks += 1))]),
    )
    const explained = new Map<string, number>()
    const counted = { ...world, workloads }
    for (const call of counted.calls) byRates(call, explained, counted)
    expect(looks).toBeLessThanOrEqual(workloads.size)
  })

  function counting(workload: KnownWorkload, look: () => void): KnownWorkload {
    return {
      ...workload,
      get total() {
        look()
        return workload.total
      },
    }
  }
})

describe('who calls a host', () => {
  const hostCalls = (world: World) => world.calls.filter(({ destination }) => destination.kind === 'host')

  test('is worked out once for all of them, as for each alone', () => {
    fc.assert(
      fc.property(worlds, (drawn) => {
        const world = worldOf(drawn)
        // Nothing is remembered of another world.
        for (const call of hostCalls(world)) expect(host.resolve(call, world)).toEqual(host.resolve(call, { ...world }))
      }),
    )
  })

  test('in as many steps as there are callers', () => {
    const callers = Array.from({ length: 200 }, (_, at) => `east/ns/c${at}`)
    const world = worldOf({
      workloads: [{ id: 'west/ns/a', rate: 200, callers: [], hosts: ['a.example'], assumed: false }],
      calls: callers.map((from) => ({ from, to: 'a.example', rate: 1 })),
    })
    let looks = 0
    const callsFrom = new (class extends Map<string, readonly Call[]> {
      override get(from: string) {
        looks += 1
        return super.get(from)
      }
    })(world.callsFrom)
    const counted = { ...world, callsFrom }
    for (const call of hostCalls(counted)) host.resolve(call, counted)
    expect(looks).toBeLessThanOrEqual(4 * callers.length)
  })
})

describe("a waypoint's calls", () => {
  function callerAt({ byCaller }: KnownWorkload, from: string, world: World): string | undefined {
    const all = [...byCaller.keys()]
    const isWaypoint = (label: string) => /waypoint[^/]*$/.test(label)
    return (
      all.find((label) => underOurName(label, world) === from) ??
      all.find((label) => clusterOf(underOurName(label, world)) === clusterOf(from) && isWaypoint(label))
    )
  }

  const isSeen = (cluster: string, world: World) =>
    [...world.workloads.values()].some(({ ref, assumed }) => ref.cluster === cluster && !assumed)

  const isOwner = (id: string, world: World) => [...world.addressOwners.values()].some((owners) => owners.has(id))

  test('are counted by whoever names their caller', () => {
    fc.assert(
      fc.property(worlds, (drawn) => {
        const world = worldOf(drawn)
        for (const call of world.calls) {
          if (call.destination.kind !== 'workload') continue
          const { cluster, namespace, name, kind } = call.destination.workload
          const namesakes = [...world.workloads.values()].filter(
            ({ ref, assumed }) =>
              !assumed &&
              ref.cluster !== cluster &&
              ref.namespace === namespace &&
              ref.name === name &&
              ref.kind === kind,
          )
          const told = namesakes.flatMap((namesake) => {
            const label = callerAt(namesake, call.from, world)
            return label === undefined ? [] : [`${spoken(namesake.id)} names its caller: ${spoken(label)}`]
          })
          const said = assumedTarget(call, world)?.evidence.filter((text) => text.includes('names its caller')) ?? []
          expect(said.sort()).toEqual(told.sort())
        }
      }),
    )
  })

  test('go elsewhere where they did', () => {
    fc.assert(
      fc.property(worlds, fc.array(ids), (drawn, owners) => {
        const world = {
          ...worldOf(drawn),
          addressOwners: new Map(owners.map((id, at) => [`10.0.0.${at}`, new Set([id])])),
        }
        for (const { id, ref, assumed } of world.workloads.values()) {
          const searched =
            assumed &&
            isSeen(ref.cluster, world) &&
            !isOwner(id, world) &&
            [...world.workloads.values()].some(
              (other) =>
                other.ref.cluster !== ref.cluster &&
                other.id.slice(other.id.indexOf('/')) === id.slice(id.indexOf('/')) &&
                !other.assumed &&
                [...other.byCaller.keys()].some((label) => clusterOf(underOurName(label, world)) === ref.cluster),
            )
          expect(isElsewhere(id, world)).toBe(searched)
        }
      }),
    )
  })
})

describe('the workload that an alert names', () => {
  function searched(all: readonly string[], namespace: string | null, name: string, kind: string): string | null {
    const meant = all.filter((id) => {
      const ref = parseWorkloadId(id)
      if (ref === undefined || ref.cluster !== 'east' || ref.name !== name) return false
      return (kind === '' || ref.kind === kind) && (namespace === null || ref.namespace === namespace)
    })
    return meant.length === 1 ? (meant[0] ?? null) : null
  }

  const namespaces = fc.constantFrom('shop', 'pay')
  const known = fc
    .tuple(namespaces, fc.constantFrom('a', 'b', 'statefulset:a', 'daemonset:b'))
    .map(([namespace, name]) => `east/${namespace}/${name}`)
  const named = fc.record({
    namespace: fc.option(namespaces),
    label: fc.constantFrom('workload', 'deployment', 'statefulset', 'daemonset'),
    name: fc.constantFrom('a', 'b', 'c'),
  })

  test('is found by its name', () => {
    fc.assert(
      fc.property(fc.uniqueArray(known), named, (all, { namespace, label, name }) => {
        const now = emptyObservation('east', 1)
        for (const id of all) now.inbound.set(id, newInbound(refOf(id), 1))
        const told = { [label]: name, ...(namespace === null ? {} : { namespace }) }
        const firing = [{ name: 'A', severity: null, summary: null, sinceSeconds: null, labels: told }]
        const surroundings = { goals: new Map(), alerts: { firing, told: true } }
        const view: ClusterView = {
          name: 'east',
          state: 'current',
          ageSeconds: 0,
          now,
          history: null,
          compare: null,
          surroundings,
        }
        const kind = label === 'workload' ? '' : label
        expect(joinAlerts([view])[0]?.workload).toBe(searched(all, namespace, name, kind))
      }),
    )
  })
})
