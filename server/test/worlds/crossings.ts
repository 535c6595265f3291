import { atLeast, identity } from './linkerd-labels.ts'
import type { Seam } from './oracle.ts'
import type { TrueCall, TrueCluster, TrueWorkload, Truth } from './truth.ts'

/** One series of calls as its caller exports it, and what it truly is. */
export interface Crossing {
  /** The flow's key in the caller's observation. */
  readonly key: string
  readonly seam: Seam
  /** Who answers, with requests a step as this series counts them. */
  readonly ends: ReadonlyMap<string, number>
  readonly perStep: number
  /** Ingress or gateway in between: an edge that ends there is right as far as it goes. */
  readonly passes: ReadonlySet<string>
  /** What answers a request for configuration, best first. */
  readonly answers: readonly string[]
  /** How the to-do list may name it. */
  readonly destinations: readonly string[]
  readonly crosses: boolean
  /** Nobody who is measured answers. */
  readonly outside: boolean
}

/** Every series of calls that the truth's callers export, but for those inside a cluster. */
export function crossingsOf(truth: Truth): Crossing[] {
  const clusterOf = (name: string) => truth.clusters.find((cluster) => cluster.name === name) as TrueCluster
  const found = new Map<string, Crossing>()
  const put = (one: Crossing) => {
    const known = found.get(one.key)
    found.set(one.key, known === undefined ? one : both(known, one))
  }
  for (const call of truth.calls) {
    const caller = clusterOf(call.from.cluster)
    for (const one of passedOn(call, clusterOf)) put(one)
    if (truth.proxies.includes(call.from)) {
      put(byProxy(call, clusterOf))
      continue
    }
    if (call.style === 'local') continue
    if (call.style === 'mirror' || call.style === 'flat' || call.style === 'federated') {
      const known = truth.clusters.some(({ name }) => name === clusterOf(call.to[0]?.workload.cluster ?? '').linkName)
      for (const end of call.to) {
        for (const one of named(call, caller, end, clusterOf(end.workload.cluster), known)) put(one)
      }
    } else if (call.style === 'mesh') {
      for (const end of call.to) put(overMesh(call, end, clusterOf(end.workload.cluster)))
    } else {
      const there = call.to[0] === undefined ? null : clusterOf(call.to[0].workload.cluster)
      for (const one of unnamed(call, caller, there)) put(one)
    }
  }
  const all = [...found.values()]
  // Where hosts are counted, they stand for the addresses of the same requests.
  const byHost = new Set(all.flatMap(({ seam }) => (seam.kind === 'host' ? [seam.from] : [])))
  const dialledByHost = new Set(
    truth.calls.flatMap(({ from, host, address }) =>
      host !== null && byHost.has(from.id) ? [`${from.id} address ${address}`] : [],
    ),
  )
  return all.filter(({ key }) => !dialledByHost.has(key))
}

/** What an Envoy at the edge counts: the host it calls, or the service of its own cluster. */
function byProxy(call: TrueCall, clusterOf: (name: string) => TrueCluster): Crossing {
  const { from, host, perStep } = call
  const ends = new Map(call.to.map((end) => [end.workload.id, end.perStep]))
  const [to] = call.to
  const shared = { ends, perStep, answers: [...ends.keys()], outside: false }
  if (host === null) return toService(from, to?.workload as TrueWorkload, shared)
  const door = clusterOf(to?.workload.cluster ?? '').ingress.workload.id
  return {
    ...shared,
    key: `${from.id} host ${host}`,
    seam: { kind: 'host', from: from.id, host },
    passes: new Set([door]),
    destinations: [host],
    crosses: true,
  }
}

/** What an ingress made of Envoy, outside of the mesh, sends on. */
function passedOn(call: TrueCall, clusterOf: (name: string) => TrueCluster): Crossing[] {
  if (call.style !== 'ingress') return []
  return call.to.flatMap(({ workload: to, perStep }) => {
    const { meshed, metrics, workload } = clusterOf(to.cluster).ingress
    if (meshed || metrics === null || !metrics.startsWith('envoy')) return []
    const rate = perStep * call.attempts
    return [
      toService(workload, to, { ends: new Map([[to.id, rate]]), perStep: rate, answers: [to.id], outside: false }),
    ]
  })
}

function toService(
  from: TrueWorkload,
  to: TrueWorkload,
  shared: Pick<Crossing, 'ends' | 'perStep' | 'answers' | 'outside'>,
): Crossing {
  return {
    ...shared,
    key: `${from.id} service ${to.cluster}/${to.namespace}/${to.service}`,
    seam: { kind: 'named', from: from.id, to: to.id },
    passes: new Set(),
    destinations: [`${to.service}.${to.namespace}`],
    crosses: false,
  }
}

function named(
  call: TrueCall,
  caller: TrueCluster,
  { workload: to, perStep }: TrueCall['to'][number],
  callee: TrueCluster,
  known: boolean,
): Crossing[] {
  const { from } = call
  const place = to.id.slice(to.cluster.length + 1)
  const shared = { ends: new Map([[to.id, perStep]]), perStep, answers: [to.id], outside: false }
  if (call.style === 'mirror') {
    const service = `${to.namespace}/${to.service}`
    return [
      {
        ...shared,
        key: `${from.id} mirror ${callee.linkName}/${service}`,
        seam: { kind: 'mirror', from: from.id, link: callee.linkName, service },
        passes: new Set([callee.gateway.id]),
        destinations: [`${callee.linkName}/${service}`],
        crosses: true,
      },
    ]
  }
  const asked = `${to.service}-${call.style === 'flat' ? callee.linkName : 'federated'}`
  const share = shares(perStep * call.attempts, from, to)
  // Addresses are asked for only where the name says that another cluster may answer.
  const split = known || call.style === 'federated'
  return to.pods.map((pod, index): Crossing => {
    const mine = share[index] ?? 0
    return {
      ...shared,
      perStep: mine,
      ends: new Map([[to.id, mine]]),
      key: `${from.id} pod ${caller.name}/${to.namespace}/${to.kind}:${to.name} ${asked} ${split ? `${pod.ip}:8080` : ''}`,
      seam: {
        kind: 'pod',
        from: from.id,
        asked,
        service: to.service,
        place,
        ip: pod.ip,
        serverId: identity(to, callee),
      },
      passes: new Set(),
      destinations: [`${asked}.${to.namespace}`],
      crosses: callee !== caller,
    }
  })
}

function overMesh(
  { from }: TrueCall,
  { workload: to, perStep }: TrueCall['to'][number],
  callee: TrueCluster,
): Crossing {
  return {
    key: `${from.id} workload ${callee.linkName}/${to.namespace}/${to.kind}:${to.name}`,
    seam: { kind: 'named', from: from.id, to: to.id },
    ends: new Map([[to.id, perStep]]),
    perStep,
    passes: new Set(),
    answers: [to.id],
    destinations: [],
    crosses: true,
    outside: false,
  }
}

/** Requests a step at each of the callee's pods, as the caller's pods share them out. */
function shares(perStep: number, from: TrueWorkload, to: TrueWorkload): number[] {
  const count = from.pods.length * to.pods.length
  const parts = Array.from(
    { length: count },
    (_, index) => Math.floor(perStep / count) + (index < perStep % count ? 1 : 0),
  )
  return to.pods.map((_, pod) =>
    parts.slice(pod * from.pods.length, (pod + 1) * from.pods.length).reduce((a, b) => a + b, 0),
  )
}

function unnamed(call: TrueCall, caller: TrueCluster, there: TrueCluster | null): Crossing[] {
  const { from, host, attempts } = call
  const address = call.address ?? ''
  const old = !caller.istio && !atLeast(caller.linkerd, '2.9')
  const through = call.style === 'ingress' && there !== null ? there.ingress.workload.id : null
  const endsTimes = (times: number) => new Map(call.to.map(({ workload, perStep }) => [workload.id, perStep * times]))
  const shared = {
    passes: new Set(through === null ? [] : [through]),
    crosses: there !== null && there !== caller,
    outside: call.style === 'outside',
  }
  const byHost = (times: number): Crossing => ({
    ...shared,
    key: `${from.id} host ${host}`,
    seam: { kind: 'host', from: from.id, host: host ?? '' },
    ends: endsTimes(times),
    perStep: call.perStep * times,
    answers: call.to.map(({ workload }) => workload.id),
    destinations: [host ?? ''],
  })
  const byAddress: Crossing = {
    ...shared,
    key: `${from.id} address ${address}`,
    seam: { kind: 'address', from: from.id, address },
    ends: endsTimes(attempts),
    perStep: call.perStep * attempts,
    answers: through === null ? call.to.map(({ workload }) => workload.id) : [through],
    destinations: [address],
  }
  // 2.8 counts by the name that was asked for, in place of the address.
  if (old && host !== null) return [byHost(attempts)]
  // Istio tells the host, or nothing.
  if (caller.istio) return host === null ? [] : [byHost(1)]
  return caller.hostnames && host !== null ? [byHost(1), byAddress] : [byAddress]
}

/** Several calls with one label set are one series. */
function both(a: Crossing, b: Crossing): Crossing {
  const ends = new Map(a.ends)
  for (const [id, perStep] of b.ends) ends.set(id, (ends.get(id) ?? 0) + perStep)
  return {
    ...a,
    ends,
    perStep: a.perStep + b.perStep,
    passes: new Set([...a.passes, ...b.passes]),
    answers: [...new Set([...a.answers, ...b.answers])],
    outside: a.outside && b.outside,
  }
}
