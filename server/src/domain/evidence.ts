import type { Assessed } from './assess.ts'
import { instantOf } from './baseline.ts'
import { skewsOn } from './caveats.ts'
import type { Contribution } from './decomposition.ts'
import { type Entry, failuresOf } from './entry.ts'
import { alertsEvidence } from './evidence-alerts.ts'
import { breakerEvidence, eventsEvidence, podsEvidence } from './evidence-events.ts'
import type { Evidence } from './evidence-item.ts'
import { spoken } from './identity.ts'
import { inFlightOf, inFlightText } from './in-flight.ts'
import { ownChangeText, ownFailures, ownFailuresText } from './own-part.ts'
import { ownDelta } from './own-time.ts'
import { age, clock, delta, percent, perSecond, seconds, times } from './phrase.ts'
import { calledPerSecond, calleeIds, countsNothing, isAffected, type Situation, seamsAlong } from './situation.ts'
import { requestsAt } from './traffic.ts'
import { sinceOf } from './trouble.ts'

export interface Charge {
  readonly id: string
  readonly kind: Contribution['kind']
  readonly entry: Entry
  readonly share: number
  readonly contributedSeconds: number
  readonly path: readonly string[]
}

/** Rates within this of each other over the last minute count as flat. */
const FLAT = 0.1
const GROWN = 2

export function evidenceFor(situation: Situation, charge: Charge): Evidence[] {
  const workload = situation.assessment.workloads.get(charge.id)
  const entry = situation.assessment.workloads.get(charge.entry.id)
  return [
    shareEvidence(situation, charge),
    calleesEvidence(situation, charge),
    firstEvidence(situation, charge),
    ...(workload === undefined || charge.kind !== 'workload'
      ? []
      : [queueingEvidence(situation, workload), oneAtATimeEvidence(situation, workload), scalingEvidence(workload)]),
    ...(entry === undefined ? [] : [trafficEvidence(situation, entry)]),
    pathEvidence(situation, charge),
    ...(workload === undefined ? [] : aroundEvidence(situation, workload, charge.entry.trouble)),
  ]
}

/** What else is known of a workload: its pods, breakers on it, what happened near its onset, what fires. */
function aroundEvidence(situation: Situation, { id, ref, trouble }: Assessed, way: Entry['trouble']): Evidence[] {
  const facts = situation.clusters.get(ref.cluster)?.surroundings?.suspects?.get(id) ?? null
  return [
    podsEvidence(facts),
    breakerEvidence(situation, id),
    eventsEvidence(facts, sinceOf(trouble, way)),
    alertsEvidence(situation, id),
  ]
}

function shareEvidence(situation: Situation, charge: Charge): Evidence {
  const { entry, share, contributedSeconds } = charge
  const text =
    entry.trouble === 'latency'
      ? `adds ${delta(contributedSeconds)} per request to the ${delta(entry.totalSeconds)} that ${spoken(entry.id)} gained (${percent(share)})`
      : `${perSecond(contributedSeconds)} of the ${perSecond(entry.totalSeconds)} failures of ${spoken(entry.id)} (${percent(share)})`
  const own = charge.kind === 'workload' ? ownText(situation, charge) : null
  return { name: 'share', answer: share >= 0.7, text: own === null ? text : `${text}; ${own}` }
}

/** The range of what is its own: nobody tells whether calls go one after the other, nor which failed calls mattered. */
function ownText(situation: Situation, { id, entry }: Charge): string | null {
  if (entry.trouble === 'latency') return ownChangeText(ownDelta(situation.graph, id))
  const own = ownFailures(failuresOf(situation).graph, id)
  return own === null ? null : ownFailuresText(own)
}

function calleesEvidence(situation: Situation, { id, kind }: Charge): Evidence {
  if (kind === 'beyond') return { name: 'callees', answer: null, text: 'nobody measures what is inside or behind it' }
  if (kind === 'link') return { name: 'callees', answer: true, text: beyondLink(situation, id) }
  const callees = [...new Set(calleeIds(situation, id))].filter((callee) => callee !== id)
  if (callees.length === 0) return { name: 'callees', answer: true, text: 'it calls nothing that is measured' }
  const unseen = callees.filter((callee) => {
    const workload = situation.assessment.workloads.get(callee)
    return workload === undefined || workload.stale
  })
  const slow = callees.filter((callee) => isAffected(situation.assessment.workloads.get(callee)))
  if (slow.length > 0) {
    const sure = slow.some((callee) => !isGuessed(situation, id, callee))
    return {
      name: 'callees',
      answer: false,
      text: `it ${sure ? 'calls' : 'may call'} ${names(slow)}, in trouble as well`,
    }
  }
  const dead = callees.filter((callee) => {
    const workload = situation.assessment.workloads.get(callee)
    return workload !== undefined && countsNothing(workload) && calledPerSecond(situation, callee) > 0
  })
  if (dead.length > 0) {
    const text = `it calls ${names(dead)}, where no request is counted any more`
    return { name: 'callees', answer: false, text }
  }
  if (unseen.length > 0)
    return { name: 'callees', answer: null, text: `it calls ${names(unseen)}, which cannot be seen into` }
  return { name: 'callees', answer: true, text: `its own calls are fine: ${names(callees)}` }
}

/** Whether only a guess (dotted) says that one calls the other. */
function isGuessed({ callsOf }: Situation, from: string, to: string): boolean {
  const calls = (callsOf.get(from) ?? []).filter(({ edge }) => edge.to === to || edge.via === to)
  return calls.every(({ edge }) => edge.confidence === 'dotted')
}

/** What a way has lost is what its callee did not count: whether that is fine is another question. */
function beyondLink({ assessment }: Situation, id: string): string {
  const callee = id.split('~')[1] ?? id
  const workload = assessment.workloads.get(callee)
  if (workload !== undefined && countsNothing(workload)) return `${spoken(callee)} itself counts no request any more`
  if (workload !== undefined && !isAffected(workload)) return `${spoken(callee)} itself does as usual`
  if (workload === undefined) return `what ${spoken(callee)} itself counts is not part of it`
  return `what ${spoken(callee)} itself counts is not part of it, though it is in trouble as well`
}

function firstEvidence(situation: Situation, { id, entry, path }: Charge): Evidence {
  const onsetOf = (node: string) => situation.assessment.workloads.get(node)?.trouble.onsetSeconds ?? null
  const own = onsetOf(id)
  if (own === null) {
    const text = entry.trouble === 'failures' ? ALL_AT_ONCE : 'its onset is not known'
    return { name: 'first', answer: null, text }
  }
  const [skew] = skewsOn(situation, [id, ...path])
  if (skew !== undefined) return { name: 'first', answer: null, text: `${skew}: who moved first cannot be told` }
  const others = path.filter((node) => node !== id).flatMap((node) => onsetOf(node) ?? [])
  const earliest = Math.min(own, ...others)
  // Two steps of the trend cannot be told apart by a rate window.
  const first = own <= earliest + situation.axis.stepSeconds
  const after = own - earliest
  const text = first ? `among the first to change, at ${clock(own)} UTC` : `changed ${age(after)} after the first`
  return { name: 'first', answer: first, text }
}

/** A caller fails with the very request that its callee fails. */
const ALL_AT_ONCE = 'failures pass up the calls at once: who failed first cannot be told from them'

function queueingEvidence(situation: Situation, workload: Assessed): Evidence {
  const now = inFlightOf(workload.now)
  const usual = inFlightOf(workload.usual)
  if (now === null || usual === null) return { name: 'queueing', answer: null, text: 'in-flight is not known' }
  const rates = recentRates(situation, workload)
  const flat = rates.length >= 3 && Math.max(...rates) - Math.min(...rates) <= FLAT * Math.max(...rates)
  const grown = now >= GROWN * usual && now >= 1
  const stuck = flat ? `rps stuck at ${perSecond(workload.now.requestsPerSecond ?? 0)}` : 'rps still moves'
  const text = `in-flight ${inFlightText(situation, workload)}, ${stuck}`
  return { name: 'queueing', answer: grown && flat, text }
}

function oneAtATimeEvidence(situation: Situation, workload: Assessed): Evidence {
  const { podsNow, usual, now } = workload
  const own = situation.graph.nodes.get(workload.id)?.usual?.meanSeconds ?? usual.meanSeconds
  if (podsNow === null || podsNow === 0 || own === null || now.requestsPerSecond === null) {
    return { name: 'oneAtATime', answer: null, text: 'pods are not known' }
  }
  const perPod = (now.requestsPerSecond * own) / podsNow
  const text = `${perSecond(now.requestsPerSecond)} x ${seconds(own)} usual over ${pods(podsNow)} = ${perPod.toFixed(2)} requests at a time per pod`
  return { name: 'oneAtATime', answer: perPod >= 0.6 && perPod <= 1.5, text }
}

function scalingEvidence({ podsNow, podsUsual }: Assessed): Evidence {
  if (podsNow === null || podsUsual === null) return { name: 'scaling', answer: null, text: 'pods are not known' }
  const before = Math.round(podsUsual)
  const scaled = podsNow !== before
  const text = scaled ? `${pods(podsNow)} (was ${before})` : `${pods(podsNow)}, as usual`
  return { name: 'scaling', answer: scaled, text }
}

function trafficEvidence(situation: Situation, entry: Assessed): Evidence {
  const now = entry.now.requestsPerSecond
  const usual = entry.usual.requestsPerSecond
  if (now === null || !usual) return { name: 'traffic', answer: null, text: 'the usual traffic is not known' }
  const stepped = now >= 1.5 * usual
  const words = `traffic at ${spoken(entry.id)} ${times(now / usual)} (${perSecond(usual)} to ${perSecond(now)})`
  if (!stepped) return { name: 'traffic', answer: false, text: words }
  const since = grownSince(situation, entry, (usual + now) / 2)
  const text = `possible trigger: ${words}${since === null ? '' : `, since ${clock(since)} UTC`}`
  return { name: 'traffic', answer: true, text }
}

/**
 * Since when a workload has had more requests than `halfway` between usual and now (unix seconds), without a pause; null
 * where it had so all along. A rate window shows half of a step when half of it has passed.
 */
function grownSince(situation: Situation, { ref, id }: Assessed, halfway: number): number | null {
  const { axis, windowSeconds, clusters } = situation
  const traffic = clusters.get(ref.cluster)?.history?.inbound.get(id)?.total
  if (traffic === undefined) return null
  let step = axis.steps
  while (step > 0 && (requestsAt(traffic, step - 1) ?? Number.POSITIVE_INFINITY) > halfway) step -= 1
  return step === 0 || step === axis.steps ? null : instantOf(axis, step) - windowSeconds / 2
}

function pathEvidence(situation: Situation, { path }: Charge): Evidence {
  const dashed = seamsAlong(situation, path)
  const text =
    dashed.length === 0
      ? 'every call on the way is named by the proxies themselves'
      : `across the seam ${dashed.map(({ edge }) => `${spoken(edge.from)} to ${spoken(edge.to)} (${edge.confidence}, by ${edge.rule})`).join(', ')}`
  return { name: 'path', answer: true, text }
}

/** Chips for a table row: the few facts that make the case. */
export function hintsFor(situation: Situation, workload: Assessed): string[] {
  const hints: string[] = []
  const queueing = queueingEvidence(situation, workload)
  const now = inFlightOf(workload.now)
  const usual = inFlightOf(workload.usual)
  if (now !== null && usual !== null && now >= GROWN * usual)
    hints.push(`in-flight ${inFlightText(situation, workload)}`)
  if (queueing.answer === true) hints.push(`rps stuck at ${perSecond(workload.now.requestsPerSecond ?? 0)}`)
  if (oneAtATimeEvidence(situation, workload).answer === true) hints.push('about one request at a time per pod')
  const scaling = scalingEvidence(workload)
  if (scaling.answer === true) hints.push(scaling.text)
  return hints
}

function recentRates(situation: Situation, workload: Assessed): number[] {
  const cluster = situation.clusters.get(workload.ref.cluster)
  const traffic = cluster?.history?.inbound.get(workload.id)?.total
  if (traffic === undefined) return []
  const since = situation.atSeconds - situation.windowSeconds
  const rates: number[] = []
  for (let step = 0; step < situation.axis.steps; step += 1) {
    const rate = instantOf(situation.axis, step) < since ? null : requestsAt(traffic, step)
    if (rate !== null) rates.push(rate)
  }
  return rates
}

function pods(number: number): string {
  return `${number} pod${number === 1 ? '' : 's'}`
}

function names(ids: readonly string[]): string {
  const shown = ids.slice(0, 3).map(spoken).join(', ')
  return ids.length > 3 ? `${shown} and ${ids.length - 3} more` : shown
}
