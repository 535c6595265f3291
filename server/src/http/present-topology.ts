import type { Edge, TopologyNode, Unresolved } from '../contract/index.ts'
import type { Assessed } from '../domain/assess.ts'
import { readGolden } from '../domain/golden.ts'
import type { MeasuredEdge } from '../domain/graph-of.ts'
import { localName, parseWorkloadId } from '../domain/identity.ts'
import type { LatencyHistogram } from '../domain/latency-histogram.ts'
import { percent } from '../domain/phrase.ts'
import type { Situation } from '../domain/situation.ts'
import type { UnresolvedCall } from '../domain/stitch/types.ts'
import { withHistogram } from '../domain/traffic.ts'
import { presentEnd } from './present-golden.ts'
import { presentSignals, presentTcp } from './present-mesh.ts'

/** An edge with both its ends. `histogram`: the caller's buckets, which are asked only for the edges on screen. */
export function presentEdge(situation: Situation, measured: MeasuredEdge, histogram?: LatencyHistogram): Edge {
  const { edge, flows } = measured
  const callerNow = histogram === undefined ? flows.callerNow : withHistogram(flows.callerNow, histogram)
  const { windowSeconds } = situation
  const caller = situation.assessment.workloads.get(edge.from)
  const callee = situation.assessment.workloads.get(edge.to)
  const seenByCaller = presentEnd(callerNow, windowSeconds, edge)
  const seenByCallee = edge.outside
    ? null
    : presentEnd(flows.calleeNow, windowSeconds, { measure: flows.calleeMeasure, attempts: flows.calleeAttempts })
  const callerFlow = observedFlows(situation, measured)[0]
  const callerRate = flows.callerNow.requestsPerSecond
  const calleeRate = flows.calleeNow.requestsPerSecond
  const separated = flows.calleeMean === 'caller'
  const signals = signalsOf(situation, measured)
  const callerAgeSeconds = caller === undefined ? tellerAge(situation, measured) : staleAge(caller)
  const calleeAgeSeconds = staleAge(callee)
  const ages = [callerAgeSeconds, calleeAgeSeconds].filter((age) => age !== null)
  return {
    from: edge.from,
    to: edge.to,
    seam: edge.seam,
    confidence: edge.confidence,
    rule: edge.rule,
    evidence: [...edge.evidence],
    destination: edge.destination,
    via: edge.via,
    seenFrom: seenByCaller !== null && seenByCallee !== null ? 'both' : seenByCallee !== null ? 'callee' : 'caller',
    caller: seenByCaller,
    callee: seenByCallee,
    usual:
      flows.callerUsual.requestsPerSecond === null
        ? null
        : readGolden(flows.callerUsual, { windowSeconds, seen: true, stale: false }).golden,
    callsPerRequest: ratio(callerRate, caller?.now.requestsPerSecond ?? null),
    accountedRatio: separated ? ratio(calleeRate, callerRate) : null,
    seamSeconds: difference(flows.callerNow.meanSeconds, edge.outside ? null : flows.calleeNow.meanSeconds),
    calleeMean: seenByCallee === null ? null : flows.calleeMean,
    ageSeconds: ages.length === 0 ? null : Math.max(...ages),
    callerAgeSeconds,
    calleeAgeSeconds,
    tcp: presentTcp(callerFlow?.tcp),
    signals,
    notes: [...notesOf(measured), ...untimed(signals, callerRate)],
  }
}

function staleAge(end: Assessed | undefined): number | null {
  return end?.stale ? end.ageSeconds : null
}

/** Who only calls is assessed by nobody: its cluster tells how old its calls are. */
function tellerAge({ clusters }: Situation, { edge }: MeasuredEdge): number | null {
  const teller = edge.callerFlows.length > 0 ? clusters.get(edge.callerCluster) : undefined
  return teller === undefined || teller.state === 'current' ? null : teller.ageSeconds
}

function notesOf(measured: MeasuredEdge): string[] {
  const { edge, flows } = measured
  const notes = differences(measured)
  if (edge.rule === 'host') notes.push('per host the caller knows the exact mean; its buckets are coarse')
  if (edge.confidence === 'dotted') notes.push('a guess: not used for blame')
  const caller = flows.callerNow.meanSeconds
  const callee = flows.calleeNow.meanSeconds
  if (caller !== null && callee !== null && !edge.outside && callee > caller) {
    notes.push('the callee took longer than the caller waited: it gave up, or the window moved in between')
  }
  return notes
}

/** Fewer than this change no percentile that is shown. */
const LEAST_UNTIMED = 0.001

/** A latency that improves while more of its calls time out is a survivor's. */
function untimed(signals: Edge['signals'], callerRate: number | null): string[] {
  const part = ratio(signals.find(({ name }) => name === 'untimedPerSecond')?.value ?? null, callerRate)
  if (part === null || part < LEAST_UNTIMED) return []
  return [`${percent(part)} of these calls timed out or were reset: this latency is of the others`]
}

const MEASURES = { firstByte: 'the first byte', full: 'the whole response' }
const ATTEMPTS = { each: 'each attempt', effective: 'what came of all attempts' }

/** Ends that do not measure the same leave no more than a bound for the time in between. */
function differences({ edge, flows }: MeasuredEdge): string[] {
  if (edge.outside || flows.callerNow.meanSeconds === null || flows.calleeNow.meanSeconds === null) return []
  const bound = (most: boolean) => `the difference is ${most ? 'an upper' : 'a lower'} bound`
  const { calleeMeasure, calleeAttempts } = flows
  const notes: string[] = []
  if (edge.measure !== calleeMeasure) {
    const most = bound(edge.measure === 'full')
    notes.push(`the caller measures ${MEASURES[edge.measure]}, the callee ${MEASURES[calleeMeasure]}: ${most}`)
  }
  if (edge.attempts !== calleeAttempts) {
    const most = bound(edge.attempts === 'effective')
    notes.push(`the caller counts ${ATTEMPTS[edge.attempts]}, the callee ${ATTEMPTS[calleeAttempts]}: ${most}`)
  }
  return notes
}

function observedFlows(situation: Situation, { edge }: MeasuredEdge) {
  const outbound = situation.clusters.get(edge.callerCluster)?.now?.outbound
  return edge.callerFlows.flatMap(({ key }) => outbound?.get(key) ?? [])
}

function signalsOf(situation: Situation, { edge }: MeasuredEdge): Edge['signals'] {
  const signals = situation.clusters.get(edge.callerCluster)?.now?.signals
  const [first, ...others] = edge.callerFlows.flatMap(({ key }) => signals?.get(key) ?? [])
  // Of several flows facts cannot be added in general: those of one speak for an edge only if there is just one.
  return others.length > 0 ? [] : presentSignals(first)
}

function ratio(a: number | null, b: number | null): number | null {
  return a === null || b === null || b <= 0 ? null : a / b
}

function difference(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a - b
}

export function presentNode(situation: Situation, id: string): TopologyNode {
  const ref = parseWorkloadId(id)
  const known = situation.assessment.workloads.has(id)
  if (ref === undefined || !known) {
    const outside = id.startsWith('outside/')
    return {
      id,
      kind: 'outside',
      cluster: outside ? null : (ref?.cluster ?? null),
      namespace: outside ? null : (ref?.namespace ?? null),
      name: outside ? id.slice('outside/'.length) : ref === undefined ? id : localName(ref),
    }
  }
  const kind = situation.stitched.ingressIds.has(id) ? 'ingress' : 'workload'
  return { id, kind, cluster: ref.cluster, namespace: ref.namespace, name: localName(ref) }
}

export function presentUnresolved(call: UnresolvedCall): Unresolved {
  return { ...call, candidates: [...call.candidates] }
}
