import { parseWorkloadId } from '../identity.ts'
import { allAtOnce, Pieces, type Turns } from '../turns.ts'
import { type AsBefore, edgesBefore, sameSingledOut } from './as-before.ts'
import { calleeSide, gatewaySide } from './callee-side.ts'
import { coveredAddresses } from './cover.ts'
import { destinationText, outsideId } from './outside.ts'
import { byRates } from './rule-rates.ts'
import { rules } from './rules.ts'
import { labelOf } from './target.ts'
import { todo } from './todo.ts'
import type { Call, Resolution, Stitched, StitchedEdge, Target, UnresolvedCall, World } from './types.ts'
import { knownRate } from './weigh.ts'

/**
 * Joins what each cluster's proxies saw into edges between workloads, over all clusters. Every call ends in an edge:
 * to a workload, or to an outside node, which is then listed with the configuration that would resolve it.
 */
export function stitch(world: World): Stitched {
  return allAtOnce(stitching(world))
}

/** The same in turns. `before`: edges of the picture before, which are given again where they say the same. */
export function* stitching(world: World, before: readonly StitchedEdge[] = []): Turns<Stitched> {
  const pieces = new Pieces()
  const asBefore = yield* edgesBefore(before)
  const edges = new Map<string, StitchedEdge>()
  const unresolved: UnresolvedCall[] = []
  const sure: { readonly id: string; readonly call: Call; readonly share: number }[] = []
  const covered = new Map<string, ReturnType<typeof coveredAddresses>>()
  for (const from of world.callsFrom.keys()) {
    if (pieces.ended) yield
    covered.set(from, coveredAddresses(from, world))
  }
  const open: Call[] = []
  for (const call of world.calls) {
    if (pieces.ended) yield
    if (covered.get(call.from)?.has(call)) continue
    const found = resolutions(call, world)
    const winner = found.find(isSure) ?? found[0]
    if (winner === undefined) {
      open.push(call)
      continue
    }
    const others = found.length === 1 ? NONE : found.filter((other) => other !== winner)
    for (const target of winner.targets) {
      put(edges, edgeTo(call, winner, target, others, world), asBefore)
      if (winner.confidence !== 'dotted') sure.push({ id: target.id, call, share: target.share })
    }
    if (winner.confidence === 'dotted' || winner.open || isForeign(call, world))
      unresolved.push(todo(call, isForeign(call, world) ? [] : candidatesOf(winner), world, winner))
  }
  const explained = new Map<string, number>()
  // Rates are added up, over hours at worst, where a call is left that nothing else tells of.
  for (const { id, call, share } of open.length === 0 ? [] : sure)
    explained.set(id, (explained.get(id) ?? 0) + knownRate(call.rates) * share)
  for (const call of open) {
    if (pieces.ended) yield
    const hint = byRates(call, explained, world)
    if (hint === null) put(edges, outsideEdge(call), asBefore)
    else for (const target of hint.targets) put(edges, edgeTo(call, hint, target, [], world), asBefore)
    // Equal rates are no answer to write into a configuration.
    unresolved.push({ ...todo(call, [], world), candidates: hint === null ? [] : candidatesOf(hint) })
  }
  yield
  for (const edge of [...calleeSide(world, edges), ...gatewaySide(world)]) put(edges, edge, asBefore)
  return { edges: [...edges.values()], unresolved, ingressIds: world.ingressIds }
}

const NONE: readonly Resolution[] = []
const isSure = ({ confidence }: Resolution) => confidence !== 'dotted'

/** What each rule that knows the callee says, in the order of the rules. */
function resolutions(call: Call, world: World): Resolution[] {
  const found: Resolution[] = []
  for (const rule of rules) {
    const resolution = rule.resolve(call, world)
    if (resolution !== null && resolution.targets.length > 0) found.push(resolution)
  }
  return found
}

/** Labels name a cluster that nobody has configured, or not by this name. */
function isForeign({ destination }: Call, world: World): boolean {
  return destination.kind === 'workload' && !world.clusterNames.has(destination.workload.cluster)
}

/** An ingress whose inside is not measured is where the way ends, not where it leads to. */
function candidatesOf({ targets, open }: Resolution): string[] {
  return open ? [] : targets.map(({ id }) => id)
}

function edgeTo(
  call: Call,
  won: Resolution,
  target: Target,
  others: readonly Resolution[],
  world: World,
): StitchedEdge {
  const toCluster = parseWorkloadId(target.id)?.cluster
  return {
    id: `${call.from}~${target.id}`,
    from: call.from,
    to: target.id,
    seam: toCluster !== undefined && toCluster !== call.cluster,
    rule: won.rule,
    confidence: won.confidence,
    evidence: others.length === 0 ? won.evidence : [...won.evidence, ...agreeing(others, target)],
    destination: destinationText(call),
    via: target.via,
    host: target.host,
    callerFlows: [{ key: call.key, share: target.share }],
    callerCluster: call.cluster,
    measure: call.measure,
    attempts: call.attempts,
    calleeBy: target.host !== null ? { host: target.host } : callerAt(call, target, world),
    outside: !world.workloads.has(target.id),
  }
}

/** What the rules say first that did not win, and name the same callee. */
function agreeing(others: readonly Resolution[], { id }: Target): string[] {
  const same = others.filter(({ targets }) => targets.some((candidate) => candidate.id === id))
  return same.flatMap(({ evidence }) => evidence.slice(0, 1).map((text) => `also: ${text}`))
}

/** The caller by name, or its mesh identity where the callee counts it and no other workload shows the same one. */
function callerAt(call: Call, target: Target, world: World): StitchedEdge['calleeBy'] {
  const callee = world.workloads.get(target.id)
  const caller = callee === undefined ? undefined : labelOf(callee.byCaller, call.from, world)
  if (caller !== undefined) return { caller }
  if (call.destination.kind !== 'workload' || target.via !== null) return null
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

/**
 * Several flows between the same two workloads are one edge, whose numbers are as sure as the least sure of them. A
 * guess is not added to what is known, for it would lend it calls that may go elsewhere: it is kept beside it.
 */
function put(edges: Map<string, StitchedEdge>, edge: StitchedEdge, asBefore: AsBefore): void {
  const known = edges.get(edge.id)
  const one = asBefore(known === undefined ? edge : both(known, edge))
  edges.set(one.id, one)
}

function both(known: StitchedEdge, edge: StitchedEdge): StitchedEdge {
  if ((known.confidence === 'dotted') !== (edge.confidence === 'dotted')) {
    const [sure, guess] = known.confidence === 'dotted' ? [edge, known] : [known, edge]
    const perhaps = guess.evidence.slice(0, 1).map((text) => `perhaps more, not counted here: ${text}`)
    return {
      ...sure,
      evidence: [...new Set([...sure.evidence, ...perhaps])],
      guess: sure.guess === undefined ? guess : both(sure.guess, guess),
    }
  }
  const strength = ['dotted', 'dashed', 'solid']
  const weaker = strength.indexOf(edge.confidence) < strength.indexOf(known.confidence) ? edge : known
  return {
    ...weaker,
    evidence: [...new Set([...known.evidence, ...edge.evidence])],
    callerFlows: [...known.callerFlows, ...edge.callerFlows],
    // Requests that arrive by several names cannot be singled out by one of them.
    calleeBy: sameSingledOut(known.calleeBy, edge.calleeBy) ? known.calleeBy : null,
    ...(known.guess === undefined ? {} : { guess: known.guess }),
  }
}
