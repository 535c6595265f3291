import type { ForwardedAnswer, PrometheusApi, Told } from './api.ts'
import { tellsOfMissingPart } from './missing-part.ts'
import type { Outcome } from './outcome.ts'
import { Race, type Replica } from './race.ts'
import { type CanBeAsked, type Clocks, SignsOfLife } from './signs-of-life.ts'
import { UpstreamError } from './upstream-error.ts'

const RANK = { ok: 0, untried: 1, failing: 2 } as const
const BREAKER_RANK = { closed: 0, halfOpen: 3, open: 6 } as const

/**
 * How long a failing replica whose breaker is closed is left alone before it is asked whether it is back; and how long
 * what one replica lacks is not looked for at the others, where none had it.
 */
const PROBE_AFTER_SECONDS = 30

/**
 * A replica that gave no sign of life for half of the time there is, and no longer than this, is not waited for alone.
 * Within less than the least a healthy one far away may not have answered either.
 */
const LONGEST_QUIET_SECONDS = 3
const LEAST_QUIET_SECONDS = 0.25

export interface FailoverEndpoint {
  /** As it is asked usually. */
  readonly api: PrometheusApi
  /** Without line and breaker. */
  readonly measured: CanBeAsked
}

export interface FailoverOptions extends Clocks {
  /** How long a call to one of them may take. */
  readonly timeoutSeconds: number
}

/** What comes along with an answer that may say that some of it is missing. */
type Remarks<T> = (answer: T) => readonly string[]

/**
 * Replicas that hold the same data: asked in order of health until one answers, those whose breaker is open last (they
 * refuse at once); never added up. Among equals the one that answered last goes on: whoever is back has shown no more than
 * that it answers something trivial, and a Prometheus that was just restarted has no rates yet. A query that one of
 * them rejects is not tried elsewhere, since the others would reject it too.
 *
 * What one of them does not reach (a store that is down for it) another one may: an answer without it is second best, to
 * be given where none of those in good health has a whole one.
 *
 * One that hangs would take all the time its callers have, so that nobody got to ask another one: who gives no sign of
 * life is not waited for alone. Of two that are merely slow neither is silent, so that no query is asked twice for it.
 */
export function withFailover(endpoints: readonly FailoverEndpoint[], options: FailoverOptions): PrometheusApi {
  const { nowSeconds, monotonicSeconds, timeoutSeconds } = options
  const replicas = endpoints.map(({ api, measured }): Replica => ({ api, life: new SignsOfLife(measured, options) }))
  const lastTriedSeconds = new Map<Replica, number>()
  let inUse = replicas[0]
  let lookAroundAtSeconds = 0

  async function first<T>(
    call: (api: PrometheusApi, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
    remarks: Remarks<T> = () => [],
    limitSeconds: number | null = null,
  ): Promise<T> {
    const before = inUse
    const failures: UpstreamError[] = []
    let secondBest: { readonly replica: Replica; readonly outcome: Outcome<T> } | null = null
    let lookedAround = false
    const order = replicas.toSorted((a, b) => rank(a) - rank(b) || Number(b === inUse) - Number(a === inUse))
    const left = [...order]
    const race = new Race(call, { signal, sinceSeconds: monotonicSeconds() }, quietSeconds(limitSeconds))
    const goOnWith = (replica: Replica) => {
      race.won()
      // Else who was asked before another one had more to tell would be asked first again.
      if (inUse === before) inUse = replica
      probeOthers(order)
    }
    const nextOf = (few: readonly Replica[]): Replica | undefined => {
      const next = few.find((replica) => secondBest === null || rank(replica) < RANK.failing)
      if (next === undefined || (secondBest !== null && (!isToBeLookedAround() || signal.aborted))) return undefined
      lookedAround = secondBest !== null
      left.splice(left.indexOf(next), 1)
      return next
    }
    try {
      for (;;) {
        if (race.isSilent) {
          const next = nextOf(race.isEmpty ? left : left.filter(isToBeAskedBeside))
          if (next !== undefined) {
            lastTriedSeconds.set(next, nowSeconds())
            race.start(next)
          } else if (race.isEmpty || secondBest !== null) break
        }
        const { replica, outcome } = await race.next()
        if (outcome === null) continue
        if (lacks(outcome, remarks)) {
          // Some of it is more than none.
          if (secondBest === null || ('error' in secondBest.outcome && 'answer' in outcome))
            secondBest = { replica, outcome }
        } else if ('answer' in outcome) {
          goOnWith(replica)
          return outcome.answer
        } else {
          if (secondBest === null && !worthAnotherTry(outcome.error, signal)) throw outcome.error
          failures.push(outcome.error)
        }
      }
      if (secondBest === null) throw together(failures)
      if (lookedAround && !signal.aborted) lookAroundAtSeconds = nowSeconds() + PROBE_AFTER_SECONDS
      const { replica, outcome } = secondBest
      if ('error' in outcome) throw outcome.error
      goOnWith(replica)
      return outcome.answer
    } finally {
      race.end()
    }
  }

  function quietSeconds(limitSeconds: number | null): number {
    const half = Math.min(timeoutSeconds, limitSeconds ?? timeoutSeconds) / 2
    return Math.max(LEAST_QUIET_SECONDS, Math.min(half, LONGEST_QUIET_SECONDS))
  }

  function isToBeLookedAround(): boolean {
    const inSeconds = lookAroundAtSeconds - nowSeconds()
    // Longer than it ever is: the clock was set back since.
    return inSeconds <= 0 || inSeconds > PROBE_AFTER_SECONDS
  }

  /** Without this a replica that came back would be shown as failing until the one in use fails. */
  function probeOthers(order: readonly Replica[]): void {
    for (const replica of order) {
      if (rank(replica) < RANK.failing || !isToBeProbed(replica)) continue
      if (replica.life.ping(replica.api, 'is it back')) lastTriedSeconds.set(replica, nowSeconds())
    }
  }

  function isToBeProbed(replica: Replica): boolean {
    const now = nowSeconds()
    const triedAtSeconds = lastTriedSeconds.get(replica) ?? Number.NEGATIVE_INFINITY
    // In a time to come: the clock was set back since, and what was due then says nothing.
    if (triedAtSeconds > now) return true
    const [status] = replica.api.status()
    return now >= (status?.breaker.nextTryAtSeconds ?? triedAtSeconds + PROBE_AFTER_SECONDS)
  }

  return {
    query: (promql, atSeconds, signal, question) =>
      first((api, own) => api.query(promql, atSeconds, own, question), signal, warningsOf),
    queryRange: (promql, range, signal, question) =>
      first((api, own) => api.queryRange(promql, range, own, question), signal, warningsOf),
    labelValues: (label, match, range, signal) =>
      first((api, own) => api.labelValues(label, match, range, own), signal, warningsOf),
    forward: (question, signal) =>
      first((api, own) => api.forward(question, own), signal, saidAlong, question.timeoutSeconds),
    scrapeIntervalSeconds: (signal) => first((api, own) => api.scrapeIntervalSeconds(own), signal),
    status: () => replicas.flatMap(({ api }) => api.status()),
  }
}

function warningsOf({ warnings }: Told<unknown>): readonly string[] {
  return warnings
}

function saidAlong(answer: ForwardedAnswer): readonly string[] {
  if (answer.state === 'answered') return answer.warnings
  return answer.errorType === 'execution' ? [answer.error] : []
}

/** Whether it is of a part of the data only, or there is none because of a part. */
function lacks<T>(outcome: Outcome<T>, remarks: Remarks<T>): boolean {
  if ('answer' in outcome) return remarks(outcome.answer).some(tellsOfMissingPart)
  return outcome.error.kind === 'rejected' && tellsOfMissingPart(outcome.error.message)
}

function rank({ api, life }: Replica): number {
  const best = Math.min(...api.status().map(({ state, breaker }) => RANK[state] + BREAKER_RANK[breaker.state]))
  return life.isLost ? Math.max(best, RANK.failing) : best
}

/** Who is lost is tried with one call at a time, so that where all are slow not every question is asked of each. */
function isToBeAskedBeside({ api, life }: Replica): boolean {
  return api.status().every(({ breaker }) => breaker.state === 'closed') && (!life.isLost || life.isIdle)
}

function worthAnotherTry(error: UpstreamError, signal: AbortSignal): boolean {
  return !signal.aborted && error.kind !== 'rejected' && error.kind !== 'tooLarge' && error.kind !== 'aborted'
}

/** The most telling failure stands for all; what the others said is added. */
function together(failures: readonly UpstreamError[]): UpstreamError {
  const [first, ...others] = failures
  if (first === undefined) return new UpstreamError('unreachable', 'no endpoint is configured')
  if (others.length === 0) return first
  const words = [first, ...others].map(({ message }) => message)
  return new UpstreamError(
    first.kind,
    `all ${failures.length} endpoints failed: ${[...new Set(words)].join(' | ')}`,
    first,
  )
}
