import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dialect } from '../dialects/dialect.ts'
import type { ClusterView } from '../domain/assess.ts'
import type { Axis } from '../domain/baseline.ts'
import type { WorkloadRef } from '../domain/identity.ts'
import { emptyObservation, type Observation } from '../domain/observation.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { UpstreamError } from '../prometheus/upstream-error.ts'
import { clockTrouble } from './clock-trouble.ts'
import { collectInstant, collectRange } from './collect.ts'
import { DETECT_SPAN_SECONDS, Detection } from './detection.ts'
import { type HistoryStore, HistoryStores } from './history-store.ts'
import { brokenDown, emptied } from './lost-answers.ts'
import { mergeObservations } from './merge-observations.ts'
import type { ClusterSummary, Gap } from './snapshot.ts'
import { troubleOf } from './store-trouble.ts'
import { summaryOf } from './summary-of.ts'

/** What to ask a cluster for. `live` reads keep what they learn; a view of the past is asked for anew. */
export interface Reading {
  readonly atSeconds: number
  readonly windowSeconds: number
  readonly axis: Axis
  readonly live: boolean
}

export interface ClusterReading {
  readonly view: ClusterView
  readonly summary: ClusterSummary
  readonly gaps: readonly Gap[]
}

/** Past this a live snapshot goes out without the cluster's new values. */
const SOFT_DEADLINE_SECONDS = 3
const SLOW = { why: 'slow', detail: `no answer within ${SOFT_DEADLINE_SECONDS} s; still waiting for it` }

/** One cluster: which dialects it speaks, its last good answer, and its history. */
export class ClusterReader {
  readonly name: string
  readonly #api: PrometheusApi
  readonly detection: Detection
  readonly #lastGoodForSeconds: number
  #lastGood: { atSeconds: number; windowSeconds: number; observation: Observation; seriesRead: number } | null = null
  #failingSinceSeconds: number | null = null
  /** How the last live reading failed, until one succeeds. */
  #lastFailure: { readonly why: string; readonly detail: string } | null = null
  readonly #history = new HistoryStores()
  #seriesRead: number | null = null
  /** Live readings under way, by what they read; those past the soft deadline are late. */
  readonly #under = new Map<string, { reading: Promise<ClusterReading>; sinceMs: number }>()

  constructor(options: {
    name: string
    api: PrometheusApi
    dialects: readonly Dialect[]
    /** True when the configuration names the dialects: they are not detected. */
    fixed: boolean
    lastGoodForSeconds: number
  }) {
    this.name = options.name
    this.#api = options.api
    this.detection = new Detection(options.api, options.dialects, options.fixed, options.name)
    this.#lastGoodForSeconds = options.lastGoodForSeconds
  }

  get scrapeIntervalSeconds(): number | null {
    return this.detection.scrapeIntervalSeconds
  }

  get seriesRead(): number | null {
    return this.#seriesRead
  }

  /** How far the clock of the endpoint that answers is ahead of ours. */
  get clockSkewSeconds(): number | null {
    const answering = this.endpoints().filter(({ state }) => state === 'ok')
    return answering.find(({ clockSkewSeconds }) => clockSkewSeconds !== null)?.clockSkewSeconds ?? null
  }

  endpoints(): ReturnType<PrometheusApi['status']> {
    return this.#api.status()
  }

  /** Learns scrape interval and dialects, at most every five minutes. Failures are left to the reading itself. */
  prepare(nowSeconds: number, signal: AbortSignal): Promise<void> {
    return this.detection.prepare(nowSeconds, signal)
  }

  /**
   * Reads the instant and the history. Never rejects for what a cluster does: it becomes a gap. A live reading that
   * takes longer than the soft deadline is answered with the last good values (or none yet) and goes on in the
   * background, so that one slow cluster does not hold the others; while it does, it is not asked again.
   */
  async read(reading: Reading, nowSeconds: number, signal: AbortSignal): Promise<ClusterReading> {
    if (!reading.live) return this.#readNow(reading, nowSeconds, signal)
    const softMs = SOFT_DEADLINE_SECONDS * 1000
    // A late one was waited for once already: every further snapshot would wait as long again.
    if ([...this.#under.values()].some(({ sinceMs }) => performance.now() - sinceMs >= softMs)) {
      return this.#standIn(reading, nowSeconds)
    }
    const key = `${reading.windowSeconds}/${reading.atSeconds}`
    let under = this.#under.get(key)
    if (under === undefined) {
      const started = this.#readNow(reading, nowSeconds, signal).finally(() => this.#under.delete(key))
      under = { reading: started, sinceMs: performance.now() }
      this.#under.set(key, under)
    }
    const inTime = await Promise.race([under.reading, sleep(softMs, null, { ref: false })])
    return inTime ?? this.#standIn(reading, nowSeconds)
  }

  /** The last good values, while the cluster takes its time. */
  #standIn(reading: Reading, nowSeconds: number): ClusterReading {
    this.#failingSinceSeconds ??= reading.atSeconds
    const { why, detail } = this.#lastFailure ?? SLOW
    const gaps: Gap[] = [
      { cluster: this.name, what: 'everything', why, detail, sinceSeconds: this.#failingSinceSeconds },
    ]
    const view = this.#fallback(reading, nowSeconds, this.#pastKnown(reading))
    return { view, summary: this.#summary(view, false, gaps), gaps }
  }

  async #readNow(reading: Reading, nowSeconds: number, signal: AbortSignal): Promise<ClusterReading> {
    await this.prepare(nowSeconds, signal)
    const gaps: Gap[] = []
    const gap = (what: string, why: string, detail: string) =>
      gaps.push({ cluster: this.name, what, why, detail, sinceSeconds: this.#failingSinceSeconds ?? reading.atSeconds })
    // A cluster that does not answer the one will not answer the other: do not wait for it twice.
    const giveUp = new AbortController()
    const patience = AbortSignal.any([signal, giveUp.signal])
    setMaxListeners(0, patience)
    const [now, history] = await Promise.all([
      this.#instant(reading, patience).then((instant) => {
        if ('error' in instant) giveUp.abort(instant.error)
        return instant
      }),
      this.#past(reading, patience).catch((error: unknown) => failed(error)),
    ])
    const answered = 'observation' in now
    if (!answered && reading.live) this.#failingSinceSeconds ??= reading.atSeconds
    if (answered && reading.live) this.#failingSinceSeconds = null
    if (!answered) gap('everything', now.error.kind, now.error.message)
    if (reading.live) this.#lastFailure = answered ? null : { why: now.error.kind, detail: now.error.message }
    if (answered) for (const warning of now.warnings) gap('completeness', ...troubleOf(warning))
    if (answered) for (const { question, error } of now.failures) gap(question, error.kind, error.message)
    const skew = answered ? clockTrouble(this.clockSkewSeconds) : null
    if (skew !== null) gap('freshness', 'clock', skew)
    if ('error' in history && answered) gap('history', history.error.kind, history.error.message)
    if (answered && this.detection.dialects.length === 0) {
      const names = this.detection.lookedFor.join(', ')
      gap(
        'mesh metrics',
        'no such metric',
        `none of ${names} was found in the last ${DETECT_SPAN_SECONDS / 60} minutes`,
      )
    }
    const past = 'error' in history ? null : history.observation
    const view: ClusterView = answered
      ? { name: this.name, state: 'current', ageSeconds: 0, now: now.observation, history: past, compare: null }
      : this.#fallback(reading, nowSeconds, past ?? this.#pastKnown(reading))
    const partial = answered && (now.failures.length > 0 || now.warnings.length > 0 || skew !== null)
    return { view, summary: this.#summary(view, partial, gaps), gaps }
  }

  /** The inbound flows over a range of their own, for a chart that reaches further back than the history. */
  async range(axis: Axis, windowSeconds: number, signal: AbortSignal): Promise<Observation | { error: UpstreamError }> {
    const read = await this.#past({ atSeconds: 0, windowSeconds, axis, live: false }, signal)
    return 'error' in read ? read : (read.observation ?? emptyObservation(this.name, axis.steps))
  }

  /** The calls of these workloads with their latency buckets, at one instant. */
  async edgeBuckets(
    callers: readonly WorkloadRef[],
    { atSeconds, windowSeconds }: { atSeconds: number; windowSeconds: number },
    signal: AbortSignal,
  ): Promise<Observation | { error: UpstreamError }> {
    const read: Observation[] = []
    for (const dialect of this.detection.dialects) {
      const question = dialect.edgeQuestion(windowSeconds, callers)
      if (question === null) continue
      const { answers, failures } = await collectInstant(this.#api, [question], atSeconds, signal)
      if (failures[0] !== undefined) return { error: failures[0].error }
      read.push(dialect.read(this.name, 1, answers))
    }
    return mergeObservations(this.name, 1, read)
  }

  async #instant(
    { atSeconds, windowSeconds, live }: Reading,
    signal: AbortSignal,
  ): Promise<
    | {
        observation: Observation
        failures: readonly { question: string; error: UpstreamError }[]
        warnings: readonly string[]
      }
    | { error: UpstreamError }
  > {
    const dialects = this.detection.dialects
    if (dialects.length === 0) {
      // Whether the cluster answers at all is worth knowing even where there is nothing to read.
      const alive = await this.#api.query('vector(1)', atSeconds, signal).catch((error: unknown) => failed(error))
      if ('error' in alive) return alive
      return { observation: emptyObservation(this.name, 1), failures: [], warnings: alive.warnings }
    }
    const read = await Promise.all(
      dialects.map(async (dialect) => {
        const collected = await collectInstant(this.#api, dialect.questions(windowSeconds), atSeconds, signal)
        return { collected, observation: dialect.read(this.name, 1, collected.answers) }
      }),
    )
    const failures = read.flatMap(({ collected }) => collected.failures)
    const nothing = read.every(({ collected }) => collected.answers.size === 0)
    if (nothing && failures[0] !== undefined) return { error: failures[0].error }
    const lost = live
      ? brokenDown(failures, this.#lastGood, { atSeconds, windowSeconds }, this.#lastGoodForSeconds)
      : null
    if (lost !== null) return { error: lost }
    const observation = mergeObservations(
      this.name,
      1,
      read.map((one) => one.observation),
    )
    const seriesRead = read.reduce((sum, { collected }) => sum + collected.seriesRead, 0)
    const trouble = live && seriesRead === 0 ? emptied(this.#lastGood, atSeconds, this.#lastGoodForSeconds) : null
    if (trouble !== null) return { error: trouble }
    if (live && failures.length === 0) this.#lastGood = { atSeconds, windowSeconds, observation, seriesRead }
    this.#seriesRead = seriesRead
    return { observation, failures, warnings: [...new Set(read.flatMap(({ collected }) => collected.warnings))] }
  }

  async #past(
    { windowSeconds, axis, live }: Reading,
    signal: AbortSignal,
  ): Promise<{ observation: Observation | null } | { error: UpstreamError }> {
    const observations: Observation[] = []
    for (const dialect of this.detection.dialects) {
      const questions = dialect.questions(windowSeconds)
      if (live) {
        const store = this.#store(dialect, windowSeconds, axis)
        const [failure] = await store.fill(this.#api, questions, axis, signal)
        if (failure !== undefined) return { error: failure.error }
        observations.push(dialect.read(this.name, axis.steps, store.read(axis) ?? new Map()))
      } else {
        const { answers, failures } = await collectRange(this.#api, questions, axis, signal)
        if (failures[0] !== undefined) return { error: failures[0].error }
        observations.push(dialect.read(this.name, axis.steps, answers))
      }
    }
    if (observations.length === 0) return { observation: null }
    return { observation: mergeObservations(this.name, axis.steps, observations) }
  }

  #store(dialect: Dialect, windowSeconds: number, axis: Axis): HistoryStore {
    return this.#history.get(`${dialect.name}/${windowSeconds}/${axis.stepSeconds}`)
  }

  /** The history as far as it was read before the cluster fell silent. */
  #pastKnown({ windowSeconds, axis, live }: Reading): Observation | null {
    if (!live) return null
    const observations = this.detection.dialects.flatMap((dialect) => {
      const answers = this.#store(dialect, windowSeconds, axis).read(axis)
      return answers === null ? [] : [dialect.read(this.name, axis.steps, answers)]
    })
    return observations.length === 0 ? null : mergeObservations(this.name, axis.steps, observations)
  }

  #fallback(reading: Reading, nowSeconds: number, history: Observation | null): ClusterView {
    const good = reading.live && this.#lastGood?.windowSeconds === reading.windowSeconds ? this.#lastGood : null
    const ageSeconds = good === null ? 0 : Math.max(0, nowSeconds - good.atSeconds)
    if (good !== null && ageSeconds <= this.#lastGoodForSeconds) {
      return { name: this.name, state: 'stale', ageSeconds, now: good.observation, history, compare: null }
    }
    const silentFor = Math.max(0, nowSeconds - (good?.atSeconds ?? this.#failingSinceSeconds ?? nowSeconds))
    return { name: this.name, state: 'missing', ageSeconds: silentFor, now: null, history, compare: null }
  }

  #summary(view: ClusterView, partial: boolean, gaps: readonly Gap[]): ClusterSummary {
    return summaryOf(view, {
      partial,
      gaps,
      speaks: this.detection.dialects,
      everGood: this.#lastGood !== null,
      waiting: this.#under.size > 0,
    })
  }
}

function failed(error: unknown): { error: UpstreamError } {
  if (error instanceof UpstreamError) return { error }
  throw error
}
