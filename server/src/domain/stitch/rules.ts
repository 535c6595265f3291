import { parseWorkloadId, spoken, workloadId } from '../identity.ts'
import { percent, perSecond } from '../phrase.ts'
import { matchesAddress, matchesGlob } from './glob.ts'
import type { Call, KnownWorkload, Rates, Resolution, Rule, Target, World } from './types.ts'
import { declaredFor, knownRate, sameDestination } from './world.ts'

/** Two ends count the same requests when their rates differ by no more than this. */
const RATE_TOLERANCE = 0.2

/** Rule 1: the caller's labels name the callee, in the caller's own cluster. */
const labels: Rule = {
  name: 'labels',
  resolve({ destination, cluster }, world) {
    if (destination.kind === 'workload') {
      const id = workloadId(destination.workload)
      const known = world.workloads.has(id)
      const evidence = [`the caller's proxy names ${id}`]
      if (!known) evidence.push('it reports no inbound traffic itself: not in the mesh, or nothing measured')
      return { rule: 'labels', confidence: 'solid', evidence, targets: [target(id)] }
    }
    if (destination.kind !== 'service') return null
    const service = `${cluster}/${destination.namespace}/${destination.service}`
    return behind(service, world, 'labels', [`the caller's proxy names the service ${service}`])
  },
}

/** Rule 2: a service mirrored by a gateway names the target cluster, namespace and service. */
const mirror: Rule = {
  name: 'mirror',
  resolve({ destination }, world) {
    if (destination.kind === 'pod') return flatMirror(destination, world)
    if (destination.kind !== 'mirror') return null
    const service = `${destination.cluster}/${destination.namespace}/${destination.service}`
    return behind(service, world, 'mirror', [`mirrored service: the caller's proxy names ${service} as its target`])
  },
}

/** In flat networks the pod is called directly: the service asked for is its own with the cluster's name behind. */
function flatMirror(
  { asked, service, workload }: Extract<Call['destination'], { kind: 'pod' }>,
  world: World,
): Resolution | null {
  const cluster = world.clusters.find((name) => asked === `${service}-${name}`)
  if (cluster === undefined) return null
  const id = workloadId({ ...workload, cluster })
  const evidence = [`mirrored service: ${asked} is ${service} of ${cluster}, and the pod says it belongs to ${id}`]
  const confidence = world.workloads.has(id) ? 'solid' : 'dashed'
  return { rule: 'mirror', confidence, evidence, targets: [target(id)] }
}

/** Rule 7, tried early: a person said so, and that is worth more than what merely looks alike. */
const declared: Rule = {
  name: 'declared',
  resolve({ destination }, world) {
    for (const route of world.config.routes) {
      const host = destination.kind === 'host' && route.host !== undefined && matchesGlob(route.host, destination.host)
      const address =
        destination.kind === 'address' &&
        route.address !== undefined &&
        matchesAddress(route.address, destination.address)
      if (!host && !address) continue
      const pattern = host ? `host ${route.host}` : `address ${route.address}`
      const evidence = [`declared in the configuration: ${pattern} leads to ${route.to}`]
      return { rule: 'declared', confidence: 'solid', evidence, targets: [target(route.to)] }
    }
    return null
  },
}

/** Rule 5: the host that the caller asked for is a host that another cluster's workloads are asked for. */
const host: Rule = {
  name: 'host',
  resolve(call, world) {
    if (call.destination.kind !== 'host') return null
    const name = call.destination.host
    const asked = world.askedFor.get(name) ?? []
    const clusters = [...new Set(asked.map((workload) => workload.ref.cluster))]
    if (clusters.length === 0) return null
    const asking = rateOfAll(sameDestination(call, world))
    const ends = clusters.flatMap((cluster) => receivers(name, cluster, asked, world))
    const evidence: string[] = []
    let agreed = clusters.length === 1
    for (const cluster of clusters) {
      const doors = asked.filter((workload) => workload.ref.cluster === cluster && world.ingressIds.has(workload.id))
      const counted = doors.length > 0 ? doors : asked.filter((workload) => workload.ref.cluster === cluster)
      const arriving = sumRates(counted.map((workload) => workload.byHost.get(name)))
      const verdict = compareRates(asking, arriving)
      agreed &&= verdict.agree
      const door = doors.map((workload) => workload.id).join(', ') || counted.map((workload) => workload.id).join(', ')
      evidence.push(`${name} is asked for at ${door}: ${verdict.text}`)
    }
    const address = addressEvidence(call, clusters, world)
    if (address !== null) evidence.push(address.text)
    agreed &&= address?.agrees !== false
    if (clusters.length > 1) evidence.push(`${clusters.length} clusters expose ${name}: any of them may be meant`)
    return {
      rule: 'host',
      confidence: agreed ? 'dashed' : 'dotted',
      evidence: [`joined by host ${name}`, ...evidence],
      targets: agreed ? ends : ends.map((end) => ({ ...end, share: 1 })),
    }
  },
}

/** Rule 6: the address or host is another cluster's ingress; behind it, only the ingress's own calls are known. */
const ingress: Rule = {
  name: 'ingress',
  resolve(call, world) {
    const { destination } = call
    const door = world.config.ingresses.find((entry) =>
      destination.kind === 'address'
        ? entry.addresses.some((glob) => matchesAddress(glob, destination.address))
        : destination.kind === 'host' && entry.hosts.some((glob) => matchesGlob(glob, destination.host)),
    )
    if (door === undefined) return null
    const name =
      destination.kind === 'address' ? destination.address : destination.kind === 'host' ? destination.host : ''
    const behindDoor = (world.callsFrom.get(door.workload) ?? []).filter(
      (other) => other.destination.kind === 'workload',
    )
    const evidence = [`${name} is the ingress ${spoken(door.workload)} by configuration`]
    if (behindDoor.length === 0) {
      const silent = world.silent.has(door.cluster)
      evidence.push(silent ? `${door.cluster} does not answer` : 'what lies behind it is not measured')
      const known = silent || world.workloads.has(door.workload)
      return known ? { rule: 'ingress', confidence: 'dashed', evidence, targets: [target(door.workload)] } : null
    }
    const total = rateOfAll(behindDoor)
    const asking = rateOfAll(sameDestination(call, world))
    const verdict = compareRates(asking, { now: total.now, before: total.before })
    evidence.push(`calls of the ingress: ${verdict.text}`)
    const single = verdict.agree && (behindDoor.length === 1 || onlyCaller(call, world))
    if (!single) evidence.push('who of its callers calls what behind it is an assumption')
    const sum = behindDoor.reduce((all, other) => all + knownRate(other.rates), 0)
    return {
      rule: 'ingress',
      confidence: single ? 'dashed' : 'dotted',
      evidence,
      targets: behindDoor.flatMap((other) => {
        if (other.destination.kind !== 'workload') return []
        const share = sum > 0 ? knownRate(other.rates) / sum : 1 / behindDoor.length
        return [{ id: workloadId(other.destination.workload), share, via: door.workload, host: null }]
      }),
    }
  },
}

/** From strongest to weakest; the first that resolves a call wins, the others corroborate. */
export const rules: readonly Rule[] = [labels, mirror, declared, host, ingress]

function target(id: string): Target {
  return { id, share: 1, via: null, host: null }
}

function behind(service: string, world: World, rule: 'labels' | 'mirror', evidence: string[]): Resolution | null {
  const workloads = world.behindService.get(service)
  if (workloads !== undefined) {
    const targets = [...workloads].map(([id, share]) => ({ ...target(id), share }))
    const names = targets.map(({ id, share }) => `${spoken(id)} ${percent(share)}`).join(', ')
    return { rule, confidence: 'solid', evidence: [...evidence, `calls seen over there lead to ${names}`], targets }
  }
  // Where nobody calls the service from inside, a workload of the very same name is the only one that can be meant.
  const ref = parseWorkloadId(service)
  if (ref === undefined || !world.workloads.has(service)) return null
  return {
    rule,
    confidence: 'dashed',
    evidence: [...evidence, `a workload has the service's name`],
    targets: [target(service)],
  }
}

/** The workloads behind a cluster's ingress that are asked for the host; the ingress itself where none tells. */
function receivers(name: string, cluster: string, asked: readonly KnownWorkload[], world: World): Target[] {
  const here = asked.filter((workload) => workload.ref.cluster === cluster)
  const doors = here.filter((workload) => world.ingressIds.has(workload.id))
  const ends = here.filter((workload) => !world.ingressIds.has(workload.id))
  const via = doors[0]?.id ?? null
  if (ends.length === 0) return doors.map((door) => ({ id: door.id, share: 1 / doors.length, via: null, host: name }))
  const rateFor = (end: KnownWorkload) => knownRate(end.byHost.get(name) ?? { now: null, before: null })
  const total = ends.reduce((sum, end) => sum + rateFor(end), 0)
  return ends.map((end) => ({ id: end.id, share: total > 0 ? rateFor(end) / total : 1 / ends.length, via, host: name }))
}

/** Whether the addresses that the caller dials outside the mesh belong to the ingress of one of the clusters. */
function addressEvidence(
  call: Call,
  clusters: readonly string[],
  world: World,
): { text: string; agrees: boolean } | null {
  const dialled = (world.callsFrom.get(call.from) ?? []).filter((other) => other.destination.kind === 'address')
  const doors = world.config.ingresses.filter((entry) => clusters.includes(entry.cluster))
  if (dialled.length === 0 || doors.length === 0) return null
  for (const other of dialled) {
    if (other.destination.kind !== 'address') continue
    const { address } = other.destination
    const door = doors.find((entry) => entry.addresses.some((glob) => matchesAddress(glob, address)))
    if (door !== undefined) return { text: `the caller dials ${address}, the ingress of ${door.cluster}`, agrees: true }
  }
  const name = call.destination.kind === 'host' ? call.destination.host : ''
  const expected = declaredFor(world, name).length > 0
  return expected ? { text: `the caller dials none of the addresses of ${clusters.join(', ')}`, agrees: false } : null
}

function onlyCaller(call: Call, world: World): boolean {
  return sameDestination(call, world).every((other) => other.from === call.from)
}

function rateOfAll(calls: readonly Call[]): Rates {
  return sumRates(calls.map((call) => call.rates))
}

function sumRates(list: readonly (Rates | undefined)[]): Rates {
  const add = (pick: (rates: Rates) => number | null): number | null => {
    const known = list.flatMap((rates) => (rates === undefined ? [] : [pick(rates)])).filter((rate) => rate !== null)
    return known.length === 0 ? null : known.reduce((a, b) => a + b, 0)
  }
  return { now: add((rates) => rates.now), before: add((rates) => rates.before) }
}

/** Whether two ends count the same requests, at present or over the stretch before, in words. */
function compareRates(calls: Rates, arrivals: Rates): { agree: boolean; text: string } {
  const pairs = [
    { a: calls.now, b: arrivals.now, when: 'now' },
    { a: calls.before, b: arrivals.before, when: 'over the stretch before' },
  ]
  let text = 'no rates to compare'
  for (const { a, b, when } of pairs) {
    if (a === null || b === null || a <= 0 || b <= 0) continue
    const agree = Math.abs(a - b) <= RATE_TOLERANCE * Math.max(a, b)
    const words = `${perSecond(a)} called, ${perSecond(b)} arriving ${when}`
    if (agree) return { agree, text: words }
    text = `${words}: more than ${percent(RATE_TOLERANCE)} apart`
  }
  return { agree: false, text }
}
