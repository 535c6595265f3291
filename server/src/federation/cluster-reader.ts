import { setMaxListeners } from 'node:events'
import type { Dialect } from '../dialects/dialect.ts'
import type { Matcher } from '../dialects/promql.ts'
import type { ClusterView } from '../domain/assess.ts'
import type { BucketHistory } from '../domain/bucket-history.ts'
import type { Goal } from '../domain/goals.ts'
import type { Observation } from '../domain/observation.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import type { UpstreamError } from '../prometheus/upstream-error.ts'
import { clockTrouble } from './clock-trouble.ts'
import { type Asked, ClusterLanes, nowOf } from './cluster-lanes.ts'
import { ClusterPast } from './cluster-past.ts'
import { aged, type ClusterReading } from './cluster-reading.ts'
import { ClusterSide } from './cluster-side.ts'
import { DETECT_SPAN_SECONDS, Detection } from './detection.ts'
import type { LoadCapOptions } from './load-cap.ts'
import { brokenDown, emptied } from './lost-answers.ts'
import { PastKeeper } from './past-keeper.ts'
import type { Reading } from './reading.ts'
import { type LastGood, lastGoodView } from './reading-view.ts'
import type { Gap } from './snapshot.ts'
import { SoftDeadline } from './soft-deadline.ts'
import { troubleOf } from './store-trouble.ts'
import { summaryOf } from './summary-of.ts'

export interface ClusterReaderOptions extends LoadCapOptions {
  readonly name: string
  readonly api: PrometheusApi
  readonly dialects: readonly Dialect[]
  /** What mirrored services carry in their names: the other clusters. */
  readonly peers: () => readonly string[]
  /** True when the configuration names the dialects: they are not detected. */
  readonly fixed: boolean
  readonly lastGoodForSeconds: number
  /** Past this a live snapshot goes out without what has not come in. */
  readonly softDeadlineSeconds: number
  readonly goals: readonly Goal[]
  /** What tells the cluster from others behind the same endpoint; null: it has one of its own. */
  readonly matcher: Matcher | null
  /** Unix seconds. */
  readonly clock: () => number
}

/** Instants are whole multiples of 5 s: half of that decides whether it is time again. */
const ALIGN_SLACK_SECONDS = 2.5

const UNKNOWN_SERIES = 2_000
const NOTHING: ReadonlyMap<string, Observation> = new Map()

/** One cluster: which dialects it speaks, its last good answer, its two lanes, and its past. */
export class ClusterReader {
  readonly name: string
  readonly #api: PrometheusApi
  readonly detection: Detection
  readonly #lastGoodForSeconds: number
  readonly lanes: ClusterLanes
  readonly past: ClusterPast
  readonly side: ClusterSide
  readonly keeper: PastKeeper
  #lastGood: LastGood | null = null
  #failingSinceSeconds: number | null = null
  /** How the last live reading failed, until one succeeds. */
  #lastFailure: { readonly why: string; readonly detail: string } | null = null
  #fastSeries: number | null = null
  readonly #deadline: SoftDeadline<ClusterReading>

  constructor(options: ClusterReaderOptions) {
    this.name = options.name
    this.#api = options.api
    this.detection = new Detection(options.api, options.dialects, options.fixed, options.name, options.peers)
    this.#lastGoodForSeconds = options.lastGoodForSeconds
    this.#deadline = new SoftDeadline(options.softDeadlineSeconds)
    const dialects = () => this.detection.dialects
    this.past = new ClusterPast(options.name, options.api, dialects)
    this.lanes = new ClusterLanes({ ...options, dialects, past: this.past })
    this.side = new ClusterSide({ ...options, cluster: options.name, dialects, past: this.past })
    this.keeper = new PastKeeper(this.past, this.lanes)
  }

  get scrapeIntervalSeconds(): number | null {
    return this.detection.scrapeIntervalSeconds
  }

  /** Series that the fast lane read last; many where that is not known yet. */
  get fastSeries(): number {
    return this.#fastSeries ?? UNKNOWN_SERIES
  }

  get seriesRead(): number | null {
    return this.#fastSeries === null ? null : this.#fastSeries + this.lanes.slowSeries
  }

  /** How far the clock of the endpoint that answers is ahead of ours. */
  get clockSkewSeconds(): number | null {
    return this.endpoints().find((one) => one.state === 'ok' && one.clockSkewSeconds !== null)?.clockSkewSeconds ?? null
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
   * takes longer than the soft deadline is answered with what is there by then (at worst the last good values, or
   * none yet) and goes on in the background, so that one slow cluster does not hold the others; while even its rates
   * are missing, it is not asked again. `tell` takes what is known while percentiles are still on their way.
   */
  async read(
    reading: Reading,
    nowSeconds: number,
    signal: AbortSignal,
    tell: (early: ClusterReading) => void = () => {},
  ): Promise<ClusterReading> {
    if (!reading.live) return this.#readNow(reading, nowSeconds, signal, () => {})
    const resting = this.#resting(reading, nowSeconds)
    if (resting !== null) return resting
    const { atSeconds, windowSeconds } = reading
    // A late one was waited for once already: every further snapshot would wait as long again.
    const late = this.#deadline.late()
    if (late !== null) {
      const later = late.whole.then((whole) => aged(whole, atSeconds - late.atSeconds))
      later.catch(() => undefined)
      return { ...this.#standIn(reading, nowSeconds), later }
    }
    const work = await this.#deadline.wait(`${windowSeconds}/${atSeconds}`, atSeconds, signal, (keep, all) =>
      this.#readNow(reading, nowSeconds, all, (early) => {
        keep(early)
        tell(early)
      }),
    )
    return work.inTime ?? { ...(work.early ?? this.#standIn(reading, nowSeconds)), later: work.whole }
  }

  /** When the slow lane was last asked (unix seconds); null: it comes with the fast one. */
  slowAskedAt(windowSeconds: number): number | null {
    return this.#failingSinceSeconds === null ? this.lanes.slowAskedAt(windowSeconds) : null
  }

  async #readNow(
    reading: Reading,
    nowSeconds: number,
    signal: AbortSignal,
    tell: (early: ClusterReading) => void,
  ): Promise<ClusterReading> {
    await this.prepare(nowSeconds, signal)
    const { live, windowSeconds } = reading
    const before = this.lanes.querySeconds()
    // A cluster that does not answer the one will not answer the other: do not wait for it twice.
    const giveUp = new AbortController()
    const patience = AbortSignal.any([signal, giveUp.signal])
    setMaxListeners(0, patience)
    const both = !live || this.slowAskedAt(windowSeconds) === null
    const asking = this.lanes.askFast(reading, !both, patience).then((given) => {
      const answer = this.#believed(given, reading)
      if ('error' in answer) giveUp.abort(answer.error)
      return answer
    })
    // Behind the fast lane in line.
    const recorded = this.lanes.askRecorded(reading, patience)
    const slowly = both ? this.lanes.askSlowBeside(reading, patience) : null
    const past = live ? null : this.keeper.beside(reading, slowly, this.fastSeries, patience)
    const fast = await asking
    if (past !== null) {
      const [cheap, slow, { history, usual }] = await Promise.all([recorded, slowly, past])
      return this.#assemble(reading, nowSeconds, nowOf(nowOf(fast, cheap), slow), history, usual)
    }
    // What was given up says nothing about the cluster.
    signal.throwIfAborted()
    this.#noteOutcome(fast, reading)
    const show = (now: Asked) =>
      this.#assemble(reading, nowSeconds, now, this.keeper.known(reading), this.lanes.usual(windowSeconds))
    if ('error' in fast) return show(fast)
    if (fast.failures.length === 0) this.past.met(reading, fast.byDialect ?? NOTHING)
    tell(show(fast))
    const [cheap, slow] = await Promise.all([recorded, slowly])
    const now = nowOf(nowOf(fast, cheap), slow)
    if (!both || this.lanes.fewBuckets)
      this.lanes.fastCost(this.lanes.querySeconds() - before + this.keeper.costSeconds)
    const lack = this.keeper.lack(reading, slow, fast.seriesRead, signal)
    if (lack === null) return show(now)
    return { ...show(now), past: { much: lack.much, ask: () => lack.ask().then(() => show(now)) } }
  }

  /** Half an answer and an answer with nothing in it are no answer where there was a whole one a while ago. */
  #believed(fast: Asked, { live, atSeconds, windowSeconds }: Reading): Asked {
    if (!live || 'error' in fast) return fast
    const good = this.#lastGood
    const lost =
      brokenDown(fast.failures, good, { atSeconds, windowSeconds }, this.#lastGoodForSeconds) ??
      (fast.seriesRead === 0 ? emptied(good, atSeconds, this.#lastGoodForSeconds) : null)
    return lost === null ? fast : { error: lost }
  }

  #noteOutcome(fast: Asked, { atSeconds }: Reading): void {
    if ('error' in fast) {
      this.keeper.down()
      this.#failingSinceSeconds ??= atSeconds
      this.#lastFailure = { why: fast.error.kind, detail: fast.error.message }
      return
    }
    this.#failingSinceSeconds = null
    this.#lastFailure = null
    this.#fastSeries = fast.seriesRead
  }

  /** The last good values, while the cluster takes its time. */
  #standIn(reading: Reading, nowSeconds: number): ClusterReading {
    this.#failingSinceSeconds ??= reading.atSeconds
    const sinceSeconds = this.#failingSinceSeconds
    const { why, detail } = this.#lastFailure ?? this.#deadline.slow
    const gaps: Gap[] = [{ cluster: this.name, what: 'everything', why, detail, sinceSeconds }]
    const view = this.#viewWithout(reading, nowSeconds, this.past.ratesKnown(reading))
    return { view, summary: this.#summary(view, reading, false, gaps), gaps }
  }

  /** What was read as a snapshot shows it. */
  #assemble(
    reading: Reading,
    nowSeconds: number,
    now: Asked,
    history: { observation: Observation | null } | { error: UpstreamError },
    usualBuckets: BucketHistory | null,
  ): ClusterReading {
    const { atSeconds, live, windowSeconds } = reading
    const gaps: Gap[] = []
    const gap = (what: string, why: string, detail: string) =>
      gaps.push({ cluster: this.name, what, why, detail, sinceSeconds: this.#failingSinceSeconds ?? atSeconds })
    const past = ('error' in history ? null : history.observation) ?? this.past.ratesKnown(reading)
    if ('error' in now) {
      gap('everything', now.error.kind, now.error.message)
      const view = { ...this.#viewWithout(reading, nowSeconds, past), usualBuckets }
      return { view, summary: this.#summary(view, reading, false, gaps), gaps }
    }
    for (const warning of now.warnings) gap('completeness', ...troubleOf(warning))
    const failures = live ? [...now.failures, ...this.lanes.slowFailures] : now.failures
    const told = new Map(failures.map(({ question, error }) => [question, error]))
    for (const [question, error] of told) gap(question, error.kind, error.message)
    const skew = clockTrouble(this.clockSkewSeconds)
    if (skew !== null) gap('freshness', 'clock', skew)
    const partial = gaps.length > 0
    if ('error' in history) gap('history', history.error.kind, history.error.message)
    if (this.detection.dialects.length === 0) {
      const names = this.detection.lookedFor.join(', ')
      const span = `the last ${DETECT_SPAN_SECONDS / 60} minutes`
      gap('mesh metrics', 'no such metric', `none of ${names} was found in ${span}`)
    }
    const observation = live ? this.lanes.complete(now, reading) : now.observation
    if (live && now.failures.length === 0)
      this.#lastGood = { atSeconds, windowSeconds, observation, seriesRead: now.seriesRead }
    const view: ClusterView = {
      name: this.name,
      state: 'current',
      ageSeconds: 0,
      now: observation,
      history: past,
      compare: null,
      usualBuckets,
      ...(live ? { trail: this.lanes.trail(windowSeconds) } : {}),
    }
    return { view, summary: this.#summary(view, reading, partial, gaps), gaps }
  }

  /** Between two refreshes that the load cap drew apart: what was read last, with its age. Null: it is time again. */
  #resting(reading: Reading, nowSeconds: number): ClusterReading | null {
    const { why, refreshSeconds } = this.lanes.pace
    const good = this.#lastGood
    if (why === null || good === null || this.#failingSinceSeconds !== null) return null
    const ageSeconds = reading.atSeconds - good.atSeconds
    if (good.windowSeconds !== reading.windowSeconds || ageSeconds >= refreshSeconds - ALIGN_SLACK_SECONDS) return null
    const fast = { observation: good.observation, failures: [], warnings: [], seriesRead: good.seriesRead }
    const at = { ...reading, atSeconds: good.atSeconds }
    const known = { observation: this.past.ratesKnown(reading) }
    const { view, gaps, summary } = this.#assemble(at, nowSeconds, fast, known, this.lanes.usual(reading.windowSeconds))
    return aged({ view, gaps, summary }, ageSeconds)
  }

  #viewWithout(reading: Reading, nowSeconds: number, history: Observation | null): ClusterView {
    const good = reading.live && this.#lastGood?.windowSeconds === reading.windowSeconds ? this.#lastGood : null
    const since = this.#failingSinceSeconds
    return lastGoodView({ name: this.name, good, since, goodForSeconds: this.#lastGoodForSeconds, nowSeconds, history })
  }

  #summary(view: ClusterView, { live, windowSeconds, atSeconds }: Reading, partial: boolean, gaps: readonly Gap[]) {
    return summaryOf(view, {
      partial,
      gaps,
      speaks: this.detection.dialects,
      workloadsLastSeen: this.#lastGood?.observation.inbound.size ?? null,
      waiting: this.#deadline.waiting,
      percentilesAgeSeconds: live ? this.lanes.slowAgeSeconds(windowSeconds, atSeconds) : 0,
    })
  }
}
