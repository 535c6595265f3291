import { whyNotSplit } from './accounts.ts'
import { failuresNow, failuresOf } from './entry.ts'
import type { FailureGraph } from './failures.ts'
import { highest, type OwnTime, ownDelta } from './own-time.ts'
import { delta, perSecond, seconds } from './phrase.ts'
import type { Situation } from './situation.ts'

/** The least and the most that may be a workload's own; signed: what does not add up is not hidden. */
export interface OwnRange {
  readonly low: number
  readonly high: number
}

/** A workload's own part of its mean, in seconds per request, and of its failures, per second. */
export interface OwnPart {
  /** Low: its calls go one after the other; high: all at once. Null: it cannot be told, `reason` says why. */
  readonly latency: { readonly now: OwnRange | null; readonly change: OwnRange | null; readonly reason: string | null }
  /**
   * Now, and more than usual. Low: each failed call failed one of its requests; high: none did. Null: not measured.
   */
  readonly failures: { readonly now: OwnRange | null; readonly more: OwnRange | null }
}

/** Own time and own failures, as they are and as changes since usual. Formulas: architecture, "Own time". */
export function ownPartOf(situation: Situation, id: string): OwnPart {
  const { lowSeconds, highSeconds, reason } = ownDelta(situation.graph, id)
  const now = ownNow(situation, id)
  return {
    latency: {
      now: now.range,
      change: lowSeconds === null || highSeconds === null ? null : { low: lowSeconds, high: highSeconds },
      reason: now.reason ?? reason,
    },
    failures: {
      now: ownFailures(failuresNow(situation), id),
      more: ownFailures(failuresOf(situation).graph, id),
    },
  }
}

function ownNow({ graph }: Situation, id: string): { range: OwnRange | null; reason: string | null } {
  const flow = graph.nodes.get(id)?.now ?? null
  if (flow === null) return { range: null, reason: 'no traffic' }
  const calls = graph.outgoing.get(id) ?? []
  const reason = whyNotSplit(flow, calls)
  if (reason !== null) return { range: null, reason }
  let spent = 0
  for (const { now } of calls) if (now !== null) spent += now.requestsPerSecond * now.callerMeanSeconds
  return { range: ordered(flow.meanSeconds - spent / flow.requestsPerSecond, highest(flow, calls, 'now')), reason }
}

/** Own failures lie in [max(0, F - sum E), F]: F inbound failures, E those of its calls. Null: F is not measured. */
export function ownFailures(graph: FailureGraph, id: string): OwnRange | null {
  const inbound = graph.inbound(id)
  if (inbound === null) return null
  const outbound = graph.calls(id).reduce((sum, { to, callerFailures }) => (to === id ? sum : sum + callerFailures), 0)
  return { low: Math.max(0, inbound - outbound), high: inbound }
}

function ordered(a: number, b: number): OwnRange {
  return { low: Math.min(a, b), high: Math.max(a, b) }
}

/** Sentences for a reader, negative parts shown as none; empty where there is nothing to split up. */
export function ownPartText({ latency, failures }: OwnPart, meanSeconds: number | null): string[] {
  const said: string[] = []
  if (latency.now !== null && meanSeconds !== null) {
    said.push(`Of its mean of ${seconds(meanSeconds)} its own time is ${spread(latency.now, seconds, IN_CALLS)}.`)
  } else if (latency.reason !== null && meanSeconds !== null) {
    said.push(`Its own time cannot be told: ${latency.reason}.`)
  }
  if (failures.now !== null && failures.now.high > 0) {
    const { high } = failures.now
    said.push(`Of its ${perSecond(high)} failures its own are ${spread(failures.now, perSecond, IN_FAILURES)}.`)
  }
  return said
}

/** Of a change since usual, for evidence; null where both ends are the same. */
export function ownChangeText({ seconds: inTurn, lowSeconds, highSeconds, reason }: OwnTime): string | null {
  if (inTurn === null || lowSeconds === null || highSeconds === null) {
    return reason === null ? null : `its own change cannot be told apart: ${reason}`
  }
  // A call that became faster leaves more to the rest when calls are summed up.
  const [one, other] = [delta(inTurn), delta(inTurn === lowSeconds ? highSeconds : lowSeconds)]
  return one === other ? null : `its own change: ${one} ${IN_CALLS[0]}, ${other} ${IN_CALLS[1]}`
}

export function ownFailuresText({ low, high }: OwnRange): string {
  return `of its ${perSecond(high)} more failures its own are ${spread({ low, high }, perSecond, IN_FAILURES)}`
}

const IN_CALLS = ['if its calls go one after the other', 'if all at once'] as const
const IN_FAILURES = ['if each failed call failed one of its requests', 'if none did'] as const

function spread({ low, high }: OwnRange, say: (value: number) => string, when: readonly [string, string]): string {
  const [least, most] = [say(Math.max(0, low)), say(Math.max(0, high))]
  return least === most ? most : `${least} ${when[0]}, ${most} ${when[1]}`
}
