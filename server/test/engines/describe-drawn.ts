import { describe, expect, test } from 'vitest'
import { dialectsFor } from '../../src/dialects/registry.ts'
import type { Observation, Outbound } from '../../src/domain/observation.ts'
import type { Traffic } from '../../src/domain/traffic.ts'
import { compare } from './compare.ts'
import type { DrawnWorld } from './drawn-worlds.ts'
import { inboundOf, keyOf, merged, observe } from './ours.ts'
import { type RealFleet, WINDOW_SECONDS } from './real-fleet.ts'
import { CALLEE, goldenBy, INBOUND, OUTBOUND, RESPONSES, type Side, WORKLOAD, workloadKey } from './theirs.ts'

const MIRROR = ['dst_target_cluster', 'dst_target_service', 'dst_target_service_namespace']
/** Written out by hand, as `INBOUND` is. */
const EGRESS = {
  matchers: 'parent_kind!="Service",hostname!=""',
  requests: 'outbound_http_route_request_statuses_total',
  good: 'http_status!~"5..",error=""',
  latency: 'outbound_http_route_request_duration_seconds',
  perSecond: 1,
  percentiles: true,
}

interface Compared extends Side {
  readonly side: string
  /** Several flows may have one key: they are added up. */
  readonly ours: (observation: Observation) => readonly (readonly [string, Traffic])[]
}

const SIDES: readonly Compared[] = [
  {
    side: 'inbound',
    ...RESPONSES,
    matchers: INBOUND,
    by: WORKLOAD,
    keyOf: (labels) => workloadKey(labels),
    ours: (observation) => [...inboundOf(observation)],
  },
  {
    side: 'calls to workloads and mirrored services',
    ...RESPONSES,
    matchers: OUTBOUND,
    by: [...WORKLOAD, ...CALLEE, ...MIRROR],
    keyOf: (labels) =>
      `${workloadKey(labels)} > ${labels.dst_target_cluster ? mirrored(labels) : workloadKey(labels, 'dst_')}`,
    ours: (observation) => outbound(observation, (flow) => `${keyOf(flow.from)} > ${namedOf(flow)}`, namedOf),
  },
  {
    side: 'calls to addresses and hosts that nobody knows',
    ...RESPONSES,
    matchers: 'direction="outbound",dst_namespace=""',
    by: [...WORKLOAD, 'place'],
    relabelled: (rates) =>
      `label_replace(label_replace(${rates}, "place", "$1", "authority", "(.+)"), "place", "$1", "target_addr", "(.+)")`,
    percentiles: false,
    keyOf: (labels) => `${workloadKey(labels)} > ${labels.place}`,
    ours: (observation) => outbound(observation, (flow) => `${keyOf(flow.from)} > ${placeOf(flow)}`, placeOf),
  },
  {
    side: 'what leaves the mesh, by caller and host',
    ...EGRESS,
    by: [...WORKLOAD, 'hostname'],
    keyOf: (labels) => `${workloadKey(labels)} > ${labels.hostname}`,
    ours: (observation) => outbound(observation, (flow) => `${keyOf(flow.from)} > ${hostnameOf(flow)}`, hostnameOf),
  },
  {
    side: 'what leaves the mesh, by host alone',
    ...EGRESS,
    by: ['hostname'],
    keyOf: ({ hostname = '' }) => hostname,
    ours: (observation) => outbound(observation, (flow) => hostnameOf(flow) ?? '', hostnameOf),
  },
]

/** Fleets whose clusters call each other: every kind of flow, in each cluster and over all, as Thanos Query has it. */
export function describeDrawn(fleet: () => RealFleet): void {
  describe('random calls between clusters', () => {
    const known = new Map<DrawnWorld, Promise<Observation[]>>()
    const read = (drawn: DrawnWorld): Promise<Observation[]> => {
      const all = known.get(drawn) ?? readAll(drawn)
      known.set(drawn, all)
      return all
    }
    const readAll = ({ world }: DrawnWorld) => {
      const names = world.truth.clusters.map(({ name }) => name)
      const each = names.map(async (name) => {
        const client = fleet().clients.get(name) ?? expect.fail(`no client for ${name}`)
        const peers = () => names.filter((other) => other !== name)
        const [linkerd] = dialectsFor({ named: ['linkerd'], peers, overrides: {} })
        return observe(name, client, world.atSeconds, WINDOW_SECONDS, linkerd)
      })
      return Promise.all(each)
    }
    const oursOf = (observations: readonly Observation[], { ours }: Compared) =>
      merged(
        observations.flatMap((observation) => ours(observation).map((flow) => new Map([flow]))),
        WINDOW_SECONDS,
      )
    /** The same, each cluster for itself. */
    const apart = (side: Compared): Compared => ({
      ...side,
      by: ['cluster', ...side.by],
      keyOf: (labels) => `${labels.cluster}: ${side.keyOf(labels)}`,
      ours: (observation) =>
        side.ours(observation).map(([key, traffic]) => [`${observation.cluster}: ${key}`, traffic] as const),
    })

    test('there are fleets to look at, with every way to call', () => {
      const ways = new Set(fleet().drawn.flatMap(({ world }) => world.truth.calls.map(({ style }) => style)))
      expect(fleet().drawn).toHaveLength(2)
      expect([...ways].sort()).toEqual(['federated', 'flat', 'ingress', 'local', 'mirror', 'outside', 'podAddress'])
    })

    test.each(SIDES)('$side', async (side) => {
      let flows = 0
      for (const drawn of fleet().drawn) {
        const observations = await read(drawn)
        const asked = { url: fleet().thanosUrl, atSeconds: drawn.world.atSeconds, windowSeconds: WINDOW_SECONDS }
        for (const one of [side, apart(side)]) {
          const theirs = await goldenBy(asked, one)
          const { differences, compared, unknown } = compare(oursOf(observations, one), theirs)
          expect(differences, `seed ${drawn.seed}`).toEqual([])
          // Percentiles are unknown where they are not asked for, and nothing else is.
          expect(unknown).toBe(side.percentiles ? 0 : (compared * 4) / 7)
          flows += theirs.size
        }
      }
      expect(flows).toBeGreaterThan(16)
    })
  })
}

function outbound(
  observation: Observation,
  key: (flow: Outbound) => string,
  place: (flow: Outbound) => string | null,
): readonly (readonly [string, Traffic])[] {
  return [...observation.outbound.values()].flatMap((flow) =>
    place(flow) === null ? [] : [[key(flow), flow.traffic] as const],
  )
}

function namedOf({ destination }: Outbound): string | null {
  if (destination.kind === 'workload' || destination.kind === 'pod') return keyOf(destination.workload)
  if (destination.kind !== 'mirror') return null
  return `${destination.cluster}: ${destination.namespace}/${destination.service}`
}

function mirrored(labels: Readonly<Record<string, string>>): string {
  const { dst_target_cluster: cluster, dst_target_service: service } = labels
  return `${cluster}: ${labels.dst_target_service_namespace}/${service}`
}

function placeOf({ destination, measure }: Outbound): string | null {
  if (destination.kind === 'address') return destination.address
  return destination.kind === 'host' && measure === 'firstByte' ? destination.host : null
}

/** Route metrics tell of whole requests, which is how they are known from the others here. */
function hostnameOf({ destination, measure }: Outbound): string | null {
  return destination.kind === 'host' && measure === 'full' ? destination.host : null
}
