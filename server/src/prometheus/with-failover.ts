import type { ForwardedAnswer, PrometheusApi, Told } from './api.ts'
import { tellsOfMissingPart } from './missing-part.ts'
import { UpstreamError } from './upstream-error.ts'

const RANK = { ok: 0, untried: 1, failing: 2 } as const
const BREAKER_RANK = { closed: 0, halfOpen: 3, open: 6 } as const

/**
 * How long a failing replica whose breaker is closed is left alone before it is asked whether it is back; and how long
 * what one replica lacks is not looked for at the others, where none had it.
 */
const PROBE_AFTER_SECONDS = 30

type Outcome<T> = { readonly answer: T } | { readonly error: UpstreamError }

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
 */
export function withFailover(replicas: readonly PrometheusApi[], nowSeconds: () => number): PrometheusApi {
  const lastTriedSeconds = new Map<PrometheusApi, number>()
  let inUse = replicas[0]
  let lookAroundAtSeconds = 0

  async function first<T>(
    call: (api: PrometheusApi) => Promise<T>,
    signal: AbortSignal,
    remarks: Remarks<T> = () => [],
  ): Promise<T> {
    const before = inUse
    const failures: UpstreamError[] = []
    let secondBest: { readonly api: PrometheusApi; readonly outcome: Outcome<T> } | null = null
    let lookedAround = false
    const order = replicas.toSorted((a, b) => rank(a) - rank(b) || Number(b === inUse) - Number(a === inUse))
    const goOnWith = (api: PrometheusApi) => {
      // Else who was asked before another one had more to tell would be asked first again.
      if (inUse === before) inUse = api
      probeOthers(order)
    }
    for (const api of order) {
      if (secondBest !== null) {
        if (!isToBeLookedAround() || signal.aborted) break
        if (rank(api) >= RANK.failing) continue
        lookedAround = true
      }
      lastTriedSeconds.set(api, nowSeconds())
      const outcome: Outcome<T> = await outcomeOf(() => call(api))
      if (lacks(outcome, remarks)) {
        // Some of it is more than none.
        if (secondBest === null || ('error' in secondBest.outcome && 'answer' in outcome)) secondBest = { api, outcome }
      } else if ('answer' in outcome) {
        goOnWith(api)
        return outcome.answer
      } else {
        if (secondBest === null && !worthAnotherTry(outcome.error, signal)) throw outcome.error
        failures.push(outcome.error)
      }
    }
    if (secondBest === null) throw together(failures)
    if (lookedAround && !signal.aborted) lookAroundAtSeconds = nowSeconds() + PROBE_AFTER_SECONDS
    const { api, outcome } = secondBest
    if ('error' in outcome) throw outcome.error
    goOnWith(api)
    return outcome.answer
  }

  function isToBeLookedAround(): boolean {
    const inSeconds = lookAroundAtSeconds - nowSeconds()
    // Longer than it ever is: the clock was set back since.
    return inSeconds <= 0 || inSeconds > PROBE_AFTER_SECONDS
  }

  /** Without this a replica that came back would be shown as failing until the one in use fails. */
  function probeOthers(order: readonly PrometheusApi[]): void {
    for (const api of order) {
      if (rank(api) < RANK.failing || !isToBeProbed(api)) continue
      lastTriedSeconds.set(api, nowSeconds())
      // Its outcome is noted by the replica's own telemetry; nobody waits for it.
      api.query('vector(1)', nowSeconds(), new AbortController().signal, 'is it back').catch(() => undefined)
    }
  }

  function isToBeProbed(api: PrometheusApi): boolean {
    const now = nowSeconds()
    const triedAtSeconds = lastTriedSeconds.get(api) ?? Number.NEGATIVE_INFINITY
    // In a time to come: the clock was set back since, and what was due then says nothing.
    if (triedAtSeconds > now) return true
    const [status] = api.status()
    return now >= (status?.breaker.nextTryAtSeconds ?? triedAtSeconds + PROBE_AFTER_SECONDS)
  }

  return {
    query: (promql, atSeconds, signal, question) =>
      first((api) => api.query(promql, atSeconds, signal, question), signal, warningsOf),
    queryRange: (promql, range, signal, question) =>
      first((api) => api.queryRange(promql, range, signal, question), signal, warningsOf),
    labelValues: (label, match, range, signal) =>
      first((api) => api.labelValues(label, match, range, signal), signal, warningsOf),
    forward: (question, signal) => first((api) => api.forward(question, signal), signal, saidAlong),
    scrapeIntervalSeconds: (signal) => first((api) => api.scrapeIntervalSeconds(signal), signal),
    status: () => replicas.flatMap((api) => api.status()),
  }
}

function warningsOf({ warnings }: Told<unknown>): readonly string[] {
  return warnings
}

function saidAlong(answer: ForwardedAnswer): readonly string[] {
  if (answer.state === 'answered') return answer.warnings
  return answer.errorType === 'execution' ? [answer.error] : []
}

/** An upstream's failure as a value; anything else is ours and is thrown on. */
async function outcomeOf<T>(ask: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { answer: await ask() }
  } catch (error) {
    if (error instanceof UpstreamError) return { error }
    throw error
  }
}

/** Whether it is of a part of the data only, or there is none because of a part. */
function lacks<T>(outcome: Outcome<T>, remarks: Remarks<T>): boolean {
  if ('answer' in outcome) return remarks(outcome.answer).some(tellsOfMissingPart)
  return outcome.error.kind === 'rejected' && tellsOfMissingPart(outcome.error.message)
}

function rank(api: PrometheusApi): number {
  return Math.min(...api.status().map(({ state, breaker }) => RANK[state] + BREAKER_RANK[breaker.state]))
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
