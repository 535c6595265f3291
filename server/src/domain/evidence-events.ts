import type { Evidence } from './evidence-item.ts'
import { limitLeft, signalsOn } from './in-flight.ts'
import { clock, percent, perSecond, seconds, times } from './phrase.ts'
import { lowerMedian } from './pod-balance.ts'
import { SIGNALS, type SignalName } from './signals.ts'
import type { Situation } from './situation.ts'
import type { SuspectFacts } from './surroundings.ts'

/** An event this long before an onset may have set it off; the trend's steps and the scrapes blur the other side. */
const BEFORE_SECONDS = 300
const AFTER_SECONDS = 60
const MOST_TOLD = 3

/** Restarts, rollouts and scaling near the onset: what may have set it off. */
export function eventsEvidence(facts: SuspectFacts | null, onsetSeconds: number | null): Evidence {
  const none = (answer: boolean | null, text: string): Evidence => ({ name: 'events', answer, text })
  if (facts === null) return none(null, 'restarts, rollouts and scaling are not known')
  if (onsetSeconds === null) return none(null, 'its onset is not known, so nothing can be near it')
  const near = facts.events
    .filter(({ atSeconds }) => atSeconds >= onsetSeconds - BEFORE_SECONDS && atSeconds <= onsetSeconds + AFTER_SECONDS)
    .sort((a, b) => a.atSeconds - b.atSeconds)
  const [first] = near
  if (first !== undefined) {
    const told = near.slice(0, MOST_TOLD).map(({ atSeconds, text }) => `${text} at ${clock(atSeconds)} UTC`)
    const more = near.length > MOST_TOLD ? ` and ${near.length - MOST_TOLD} more` : ''
    return none(true, `possible trigger: ${told.join(', ')}${more}`)
  }
  const at = `near ${clock(onsetSeconds)} UTC`
  if (facts.kubeTold) return none(false, `no restart, rollout or scaling seen ${at}`)
  if (facts.pods === null) return none(null, 'pods are not told apart, and kube-state-metrics tells nothing of it')
  return none(null, `no pod came or went ${at}; restarts inside a pod are not seen without kube-state-metrics`)
}

const UNEVEN = 2

/** Whether one pod has much more to do than the others, none at all, or is slower by itself. */
export function podsEvidence(facts: SuspectFacts | null): Evidence {
  const said = (answer: boolean | null, text: string): Evidence => ({ name: 'pods', answer, text })
  if (facts === null) return said(null, 'its pods are not known')
  const { pods } = facts
  if (pods === null) return said(null, "this mesh's metrics do not tell pods apart")
  if (pods.length < 2) return said(null, pods.length === 1 ? 'one pod only: nothing to compare' : 'no pod reports')
  const idle = pods.filter(({ requestsPerSecond }) => requestsPerSecond === 0)
  if (idle.length > 0)
    return said(true, `${idle.length} of ${pods.length} pods ${idle.length === 1 ? 'gets' : 'get'} no traffic`)
  const rates = pods.map(({ requestsPerSecond }) => requestsPerSecond)
  const [busiest, median] = [Math.max(...rates), lowerMedian(rates)]
  if (busiest >= UNEVEN * median) {
    const share = `${perSecond(busiest)} against ${perSecond(median)} ${pods.length === 2 ? 'of the other' : 'in the middle'}`
    return said(true, `its pods are loaded unevenly: ${share} (${times(busiest / median)})`)
  }
  const means = pods.flatMap(({ meanSeconds }) => meanSeconds ?? [])
  const [slowest, middle] = [Math.max(...means), lowerMedian(means)]
  if (means.length > 1 && slowest >= UNEVEN * middle) {
    const name = pods.find(({ meanSeconds }) => meanSeconds === slowest)?.name ?? 'one'
    const slow = means.filter((mean) => mean >= UNEVEN * middle).length
    const which = slow === 1 ? 'one' : `${slow}`
    const are = slow === 1 ? 'is slow:' : 'are slow, most of all'
    const against = `${seconds(slowest)} against ${seconds(middle)}`
    return said(true, `${which} of ${pods.length} pods ${are} ${name}, ${against}`)
  }
  return said(false, `its ${pods.length} pods share evenly (${times(busiest / median)} at most)`)
}

const TRIPPED: readonly SignalName[] = ['overflowsPerSecond', 'breakersOpen', 'hostsEjected']
/** Every failed call may end with it, as where Istio tries each twice: by itself it is no breaker that is open. */
const USED_UP: SignalName = 'retryOverflowsPerSecond'
/** 0 of it left is the news. */
const HEADROOM: SignalName = 'breakerHeadroom'

/** Whether a circuit breaker is open on the workload or on the calls to it, or turned requests away. */
export function breakerEvidence(situation: Situation, id: string): Evidence {
  const said = (answer: boolean | null, text: string): Evidence => ({ name: 'breaker', answer, text })
  const counted = signalsOn(situation, id)
  const tripped = counted.flatMap(([name, value]) => {
    if (name === HEADROOM) return value <= 0 ? ['nothing is left below its limit'] : []
    const open = TRIPPED.includes(name) && value > 0
    return open ? [`${Number(value.toPrecision(3))}${name.endsWith('PerSecond') ? '/s' : ''} ${SIGNALS[name]}`] : []
  })
  const most = Math.max(0, ...counted.flatMap(([name, value]) => (name === USED_UP ? [value] : [])))
  const usedUp = most > 0 ? `; ${perSecond(most)} ${SIGNALS[USED_UP]}` : ''
  if (tripped.length > 0) return said(true, `circuit breaking: ${[...new Set(tripped)].join(', ')}${usedUp}`)
  if (counted.some(([name]) => TRIPPED.includes(name) || name === HEADROOM)) {
    const left = limitLeft(situation, id)
    const limit = left === null ? '' : `, and ${percent(left)} of the nearest limit is left`
    return said(false, `no circuit breaker is open, and none turned a request away${limit}${usedUp}`)
  }
  return said(null, `no circuit breaker is counted on it or on the calls to it${usedUp}`)
}
