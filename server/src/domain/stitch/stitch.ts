import { parseWorkloadId, workloadId } from '../identity.ts'
import { calleeSide } from './callee-side.ts'
import { rules } from './rules.ts'
import type { Call, Resolution, Stitched, StitchedEdge, Target, UnresolvedCall, World } from './types.ts'
import { knownRate } from './world.ts'

/** Host series stand for the address series of the same caller when they hold at least this part of its calls. */
const HOSTS_COVER_ADDRESSES = 0.8

/**
 * Joins what each cluster's proxies saw into edges between workloads, over all clusters. Every call ends in an edge:
 * to a workload, or to an outside node, which is then listed with the configuration that would resolve it.
 */
export function stitch(world: World): Stitched {
  const edges = new Map<string, StitchedEdge>()
  const unresolved: UnresolvedCall[] = []
  for (const call of world.calls) {
    if (call.destination.kind === 'address' && hostsCover(call, world)) continue
    const found = rules.flatMap((rule) => rule.resolve(call, world) ?? [])
    const [winner, ...others] = found
    if (winner === undefined || winner.targets.length === 0) {
      put(edges, outsideEdge(call))
      unresolved.push(todo(call, []))
      continue
    }
    for (const target of winner.targets) put(edges, edgeTo(call, winner, target, others, world))
    if (winner.confidence === 'dotted')
      unresolved.push(
        todo(
          call,
          winner.targets.map((target) => target.id),
        ),
      )
  }
  for (const edge of calleeSide(world, edges)) put(edges, edge)
  return { edges: [...edges.values()], unresolved, ingressIds: world.ingressIds }
}

/** With both kinds of series, hosts tell more; adding both would count every call twice. */
function hostsCover(call: Call, world: World): boolean {
  const own = world.callsFrom.get(call.from) ?? []
  const rateOf = (kind: 'host' | 'address') =>
    own.filter((other) => other.destination.kind === kind).reduce((sum, other) => sum + knownRate(other.rates), 0)
  const hosts = rateOf('host')
  return hosts > 0 && hosts >= HOSTS_COVER_ADDRESSES * rateOf('address')
}

function edgeTo(
  call: Call,
  won: Resolution,
  target: Target,
  others: readonly Resolution[],
  world: World,
): StitchedEdge {
  const toCluster = parseWorkloadId(target.id)?.cluster
  const agreeing = others.filter((other) => other.targets.some((candidate) => candidate.id === target.id))
  return {
    id: `${call.from}~${target.id}`,
    from: call.from,
    to: target.id,
    seam: toCluster !== undefined && toCluster !== call.cluster,
    rule: won.rule,
    confidence: won.confidence,
    evidence: [
      ...won.evidence,
      ...agreeing.flatMap((other) => other.evidence.slice(0, 1).map((text) => `also: ${text}`)),
    ],
    destination: destinationText(call),
    via: target.via,
    host: target.host,
    callerFlows: [{ key: call.key, share: target.share }],
    callerCluster: call.cluster,
    measure: call.measure,
    attempts: call.attempts,
    calleeBy: target.host !== null ? { host: target.host } : clientOf(call, target, world),
    outside: !world.workloads.has(target.id),
  }
}

/**
 * The caller by name, where the callee's labels tell it; else by its mesh identity, where the callee counts that and no
 * other workload shows the same one.
 */
function clientOf(call: Call, target: Target, world: World): StitchedEdge['calleeBy'] {
  if (call.destination.kind !== 'workload' || target.via !== null) return null
  const callee = world.workloads.get(target.id)
  if (callee?.byCaller.has(call.from)) return { caller: call.from }
  for (const client of callee?.byClient.keys() ?? []) {
    const shownBy = world.identities.get(`${call.cluster} ${client}`)
    if (shownBy?.size === 1 && shownBy.has(call.from)) return { client }
  }
  return null
}

function outsideEdge(call: Call): StitchedEdge {
  const to = outsideId(call)
  return {
    id: `${call.from}~${to}`,
    from: call.from,
    to,
    seam: false,
    rule: 'labels',
    confidence: 'solid',
    evidence: [`the caller's proxy names ${destinationText(call) ?? to}; nobody measures what is behind it`],
    destination: destinationText(call),
    via: null,
    host: null,
    callerFlows: [{ key: call.key, share: 1 }],
    callerCluster: call.cluster,
    measure: call.measure,
    attempts: call.attempts,
    calleeBy: null,
    outside: true,
  }
}

function outsideId(call: Call): string {
  const { destination } = call
  switch (destination.kind) {
    case 'workload':
      return workloadId(destination.workload)
    // The label names a workload of some cluster: drawing it in the caller's own would be a guess.
    case 'pod':
      return `outside/${call.cluster}/${destination.workload.namespace}/${destination.asked}`
    case 'unknown':
      return `outside/${call.cluster}/${destination.what}`
    case 'host':
      return `outside/${destination.host}`
    // The same private address may be another machine in every cluster.
    case 'address':
      return `outside/${call.cluster}/${destination.address}`
    case 'mirror':
    case 'service':
      return `outside/${destination.cluster}/${destination.namespace}/${destination.service}`
    default:
      return destination satisfies never
  }
}

function destinationText({ destination }: Call): string | null {
  switch (destination.kind) {
    case 'workload':
      return destination.service
    case 'pod':
      return `${destination.asked}.${destination.workload.namespace}`
    case 'unknown':
      return destination.what
    case 'host':
      return destination.host
    case 'address':
      return destination.address
    case 'mirror':
    case 'service':
      return `${destination.service}.${destination.namespace}`
    default:
      return destination satisfies never
  }
}

function todo(call: Call, candidates: readonly string[]): UnresolvedCall {
  const destination = destinationText(call) ?? outsideId(call)
  const to = candidates[0] ?? 'CLUSTER/NAMESPACE/WORKLOAD'
  const key = call.destination.kind === 'address' ? 'address' : 'host'
  return {
    from: call.from,
    destination,
    requestsPerSecond: call.rates.now ?? call.rates.before,
    candidates,
    suggestion: `routes:\n  - { ${key}: "${destination}", to: ${to} }`,
  }
}

/** Several flows between the same two workloads are one edge; the stronger claim speaks for it. */
function put(edges: Map<string, StitchedEdge>, edge: StitchedEdge): void {
  const known = edges.get(edge.id)
  if (known === undefined) {
    edges.set(edge.id, edge)
    return
  }
  const strength = ['dotted', 'dashed', 'solid']
  const stronger = strength.indexOf(edge.confidence) > strength.indexOf(known.confidence) ? edge : known
  edges.set(edge.id, {
    ...stronger,
    evidence: [...new Set([...known.evidence, ...edge.evidence])],
    callerFlows: [...known.callerFlows, ...edge.callerFlows],
    // Requests that arrive by several names cannot be singled out by one of them.
    calleeBy: JSON.stringify(known.calleeBy) === JSON.stringify(edge.calleeBy) ? known.calleeBy : null,
  })
}
