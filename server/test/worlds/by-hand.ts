import { stitch } from '../../src/domain/stitch/stitch.ts'
import type { StitchConfig, Stitched } from '../../src/domain/stitch/types.ts'
import { buildWorld } from '../../src/domain/stitch/world.ts'
import type { Controller, LinkerdVersion, Style, TrueCall, TrueCluster, TrueWorkload, Truth } from './truth.ts'
import { STEP_SECONDS } from './truth.ts'
import { inventoriesOf, observationsOf, worldOf } from './world.ts'

/** What differs from a plain Linkerd 2.17 with one meshed ingress, pods of its own range, and nothing else scraped. */
export interface Given {
  readonly linkerd?: LinkerdVersion
  readonly istio?: boolean
  readonly link?: string
  readonly trustDomain?: string
  readonly range?: string
  readonly hostnames?: boolean
  readonly address?: string
  readonly meshedIngress?: boolean
  readonly kubeStateMetrics?: boolean
  readonly ingressMetrics?: Controller
}

/**
 * `from`, `to`: workload ids, of which those named `edge/proxy` are Envoys outside of every mesh; several ends are the
 * workloads behind one service.
 */
export interface GivenCall {
  readonly from: string
  readonly to?: string | readonly string[]
  readonly by?: Style
  readonly perSecond: number
  readonly host?: string
  readonly address?: string
  readonly attempts?: number
}

/** A fleet written by hand. A workload is named in `calls`; its service is its name without `-v1` and the like. */
export function fleet(clusters: Readonly<Record<string, Given>>, calls: readonly GivenCall[]): Truth {
  const names = Object.keys(clusters)
  const workloads = new Map<string, TrueWorkload>()
  const given = (name: string) => clusters[name] ?? {}
  const made = (id: string): TrueWorkload => {
    const known = workloads.get(id)
    if (known !== undefined) return known
    const [cluster = '', namespace = '', name = ''] = id.split('/')
    const range = given(cluster).range ?? `10.${40 + names.indexOf(cluster)}`
    const ip = `${range}.0.${10 + [...workloads.values()].filter((one) => one.cluster === cluster).length}`
    const pods = [{ name: `${name}-5d8f9c7b6-x2x4q`, ip }]
    const service = name.replace(/-v\d+$/, '')
    const workload = { id, cluster, namespace, kind: 'deployment', name, serviceAccount: name, service, pods } as const
    workloads.set(id, workload)
    return workload
  }
  const fleetOf = names.map((name, index): TrueCluster => {
    const { linkerd = '2.17' } = given(name)
    return {
      name,
      linkerd,
      istio: given(name).istio ?? false,
      linkName: given(name).link ?? name,
      trustDomain: given(name).trustDomain ?? 'cluster.local',
      hostnames: given(name).istio === true || (given(name).hostnames ?? linkerd === '2.17'),
      kubeStateMetrics: given(name).kubeStateMetrics ?? false,
      ingress: {
        workload: made(`${name}/edge/door`),
        address: given(name).address ?? `203.0.113.${20 + index}`,
        meshed: given(name).meshedIngress ?? true,
        metrics: given(name).ingressMetrics ?? null,
      },
      gateway: made(`${name}/linkerd-multicluster/linkerd-gateway`),
    }
  })
  const made2 = calls.map((call): TrueCall => {
    const ids = call.to === undefined ? [] : typeof call.to === 'string' ? [call.to] : call.to
    const ends = ids.map(made)
    const there = fleetOf.find(({ name }) => name === ends[0]?.cluster)
    const perStep = call.perSecond * STEP_SECONDS
    const style = call.by ?? 'local'
    return {
      from: made(call.from),
      style,
      to: ends.map((workload) => ({ workload, perStep: perStep / ends.length })),
      perStep,
      failuresPerStep: 0,
      attempts: call.attempts ?? 1,
      meanMs: 20,
      host: call.host ?? null,
      address:
        call.address ??
        (style === 'ingress'
          ? `${there?.ingress.address}:80`
          : style === 'podAddress'
            ? `${ends[0]?.pods[0]?.ip}:8080`
            : null),
    }
  })
  const system = fleetOf.flatMap(({ ingress, gateway }) => [ingress.workload.id, gateway.id])
  const others = [...workloads.values()].filter(({ id }) => !system.includes(id))
  const [proxies, plain] = [true, false].map((is) => others.filter(({ id }) => id.endsWith('/edge/proxy') === is))
  return {
    seed: 0,
    clusters: fleetOf,
    workloads: plain ?? [],
    proxies: proxies ?? [],
    calls: made2,
    told: { ingressesOf: [] },
  }
}

export interface Seen {
  readonly config?: Partial<StitchConfig>
  /** Clusters that do not answer. */
  readonly missing?: readonly string[]
  /** The same fleet over the stretch before. */
  readonly before?: Truth
}

/** Joins a fleet from its pages' text, as the server would. */
export function joined(truth: Truth, { config = {}, missing = [], before }: Seen = {}): Stitched {
  const world = worldOf(truth)
  const inventories = inventoriesOf(world)
  const past = before === undefined ? [] : observationsOf(worldOf(before))
  const observations = observationsOf(world).map((now) => {
    const known = past.find(({ cluster }) => cluster === now.cluster) ?? null
    if (!missing.includes(now.cluster)) {
      return { now, before: known, inventory: inventories.find(({ cluster }) => cluster === now.cluster) ?? null }
    }
    const nothing = { ...now, inbound: new Map(), outbound: new Map(), pods: new Map() }
    return { now: nothing, before: known, silent: true, inventory: null }
  })
  return stitch(buildWorld(observations, { ingresses: [], routes: [], ...config }))
}

/** Seams and what leads outside, one line each: `east/shop/web -> west/shop/cart, dashed by host`. */
export function seamsOf({ edges }: Stitched): string[] {
  return edges
    .filter(({ seam, to }) => seam || to.startsWith('outside/'))
    .map(({ from, to, confidence, rule }) => `${from} -> ${to}, ${confidence} by ${rule}`)
    .sort()
}
