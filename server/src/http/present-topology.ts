import type { Edge, TopologyNode, Unresolved } from '../contract/index.ts'
import { readGolden } from '../domain/golden.ts'
import type { MeasuredEdge } from '../domain/graph-of.ts'
import { localName, parseWorkloadId } from '../domain/identity.ts'
import type { LatencyHistogram } from '../domain/latency-histogram.ts'
import type { Situation } from '../domain/situation.ts'
import type { UnresolvedCall } from '../domain/stitch/types.ts'
import { presentEnd } from './present-golden.ts'

/** An edge with both its ends. `histogram`: the caller's buckets, which are asked only for the edges on screen. */
export function presentEdge(situation: Situation, measured: MeasuredEdge, histogram?: LatencyHistogram): Edge {
  const { edge, flows } = measured
  const callerNow = histogram === undefined ? flows.callerNow : { ...flows.callerNow, histogram }
  const { windowSeconds } = situation
  const caller = situation.assessment.workloads.get(edge.from)
  const callee = situation.assessment.workloads.get(edge.to)
  const seenByCaller = presentEnd(callerNow, windowSeconds, edge)
  const seenByCallee = edge.outside
    ? null
    : presentEnd(flows.calleeNow, windowSeconds, { measure: 'firstByte', attempts: 'each' })
  const callerRate = flows.callerNow.requestsPerSecond
  const calleeRate = flows.calleeNow.requestsPerSecond
  const separated = flows.calleeMean === 'caller'
  const ages = [caller, callee].flatMap((end) => (end?.stale ? [end.ageSeconds] : []))
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
    notes: notesOf(measured),
  }
}

function notesOf({ edge, flows }: MeasuredEdge): string[] {
  const notes: string[] = []
  if (edge.measure === 'full')
    notes.push('the caller measures the whole response, the callee its first byte: the difference is an upper bound')
  if (edge.rule === 'host') notes.push('per host the caller knows the exact mean; its buckets are coarse')
  if (edge.confidence === 'dotted') notes.push('a guess: not used for blame')
  const caller = flows.callerNow.meanSeconds
  const callee = flows.calleeNow.meanSeconds
  if (caller !== null && callee !== null && !edge.outside && callee > caller) {
    notes.push('the callee took longer than the caller waited: it gave up, or the window moved in between')
  }
  return notes
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
