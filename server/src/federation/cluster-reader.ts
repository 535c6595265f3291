import { setMaxListeners } from 'node:events'
import type { PrometheusApi } from '../prometheus/api.ts'
import type { ClockSkew } from '../prometheus/clock-bounds.ts'
import { follow } from '../prometheus/follow.ts'
import { metered } from '../prometheus/metered.ts'
import { UpstreamError } from '../prometheus/upstream-error.ts'
import type { Asked } from './ask-now.ts'
import { nowOf } from './both-lanes.ts'
import { skewOf } from './clock-trouble.ts'
import { ClusterLanes } from './cluster-lanes.ts'
import { ClusterPast } from './cluster-past.ts'
import type { ClusterReaderOptions } from './cluster-reader-options.ts'
import { aged, type ClusterReading } from './cluster-reading.ts'
import { ClusterShown } from './cluster-shown.ts'
import { ClusterSide } from './cluster-side.ts'
import { Detection } from './detection.ts'
import { inTurns } from './in-turns.ts'
import { LastTold } from './last-told.ts'
import { LostAnswers } from './lost-answers.ts'
import { PastKeeper } from './past-keeper.ts'
import { PastToKeep } from './past-to-keep.ts'
import type { Reading } from './reading.ts'
import { SoftDeadline } from './soft-deadline.ts'
import { isStillThere } from './still-there.ts'
import { within } from './within.ts'

const UNKNOWN_SERIES = 2_000
/** A page waits for twenty seconds: before that a view of the past is to go out without a cluster that hangs. */
const PAST_PATIENCE_SECONDS = 12

/** One cluster: which dialects it speaks, its last good answer, its two lanes, and its past. */
export class ClusterReader {
  readonly name: string
  readonly #api: PrometheusApi
  readonly detection: Detection
  readonly lanes: ClusterLanes
  readonly past: ClusterPast
  readonly side: ClusterSide
  readonly keeper: PastKeeper
  readonly last: LastTold
  #recalled: Promise<unknown> | null = null
  #fastSeries: number | null = null
  readonly #deadline: SoftDeadline<ClusterReading>
  readonly #pastPatienceSeconds: number
  readonly #lost = new LostAnswers()
  readonly #shown: ClusterShown

  constructor(options: ClusterReaderOptions) {
    this.name = options.name
    this.#api = options.api
    this.detection = new Detection(options.api, options.dialects, options.fixed, options.name, options.peers)
    this.#deadline = new SoftDeadline(options.softDeadlineSeconds)
    this.#pastPatienceSeconds = Math.max(options.softDeadlineSeconds, PAST_PATIENCE_SECONDS)
    const dialects = () => this.detection.dialects
    this.past = new ClusterPast(options.name, options.api, dialects)
    this.lanes = new ClusterLanes({ ...options, dialects, past: this.past })
    this.side = new ClusterSide({ ...options, cluster: options.name, dialects })
    this.keeper = new PastKeeper(this.past, this.lanes)
    const past = new PastToKeep(options.keptPast, this.past, this.lanes)
    this.last = new LastTold(options.name, options.kept, past, options.lastGoodForSeconds)
    this.#shown = new ClusterShown(this, this.#deadline, options.refreshSeconds)
  }

  get scrapeIntervalSeconds(): number | null {
    return this.detection.scrapeIntervalSeconds
  }

  /** Series that the fast lane read last; many where that is not known yet. */
  get fastSeries(): number {
    return this.#fastSeries ?? UNKNOWN_SERIES
  }

  get seriesRead(): number | null {
    return this.#fastSeries && this.#fastSeries + this.lanes.slowSeries
  }

  /** How far the clock of the endpoint that answers is ahead of ours. */
  get clockSkew(): ClockSkew | null {
    return skewOf(this.endpoints())
  }

  get clockSkewSeconds(): number | null {
    return this.clockSkew?.seconds ?? null
  }

  endpoints(): ReturnType<PrometheusApi['status']> {
    return this.#api.status()
  }

  /** Learns scrape interval and dialects, at most every five minutes. Failures are left to the reading itself. */
  async prepare(nowSeconds: number, signal: AbortSignal): Promise<void> {
    await this.#recall(nowSeconds)
    await this.detection.prepare(nowSeconds, signal)
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
    await this.#recall(nowSeconds)
    const { atSeconds, windowSeconds } = reading
    this.lanes.cap.watched(windowSeconds, atSeconds)
    const resting = this.#shown.resting(reading, nowSeconds)
    if (resting !== null && (await isStillThere(this.#api, atSeconds, signal))) {
      reading.calm?.stays()
      this.last.rests(reading)
      return resting
    }
    // A late one was waited for once already: every further snapshot would wait as long again.
    const late = this.#deadline.late(windowSeconds)
    if (late !== null) {
      reading.calm?.moves()
      const later = late.whole.then((whole) => aged(whole, atSeconds - late.atSeconds))
      later.catch(() => undefined)
      return { ...(await this.#standIn(reading, nowSeconds)), later }
    }
    const work = await this.#deadline.wait(windowSeconds, atSeconds, signal, (keep, all) =>
      this.#readNow(reading, nowSeconds, all, (early) => {
        keep(early)
        tell(early)
      }),
    )
    return work.inTime ?? { ...(work.early ?? (await this.#standIn(reading, nowSeconds))), later: work.whole }
  }

  /** When the slow lane was last asked (unix seconds); null: it comes with the fast one. */
  slowAskedAt(windowSeconds: number): number | null {
    return this.last.silenceOf(windowSeconds) === null ? this.lanes.slowAskedAt(windowSeconds) : null
  }

  get #tooLate(): UpstreamError {
    return new UpstreamError('timeout', `no answer about that instant within ${this.#pastPatienceSeconds} s`)
  }

  /** Before anything of the cluster is shown: what a process before this one knew of it. */
  #recall(nowSeconds: number): Promise<unknown> {
    this.#recalled ??= this.last.recall(nowSeconds).then((good) => good !== null && this.detection.recall(good))
    return this.#recalled
  }

  async #readNow(
    reading: Reading,
    nowSeconds: number,
    signal: AbortSignal,
    tell: (early: ClusterReading) => void,
  ): Promise<ClusterReading> {
    const { live, windowSeconds } = reading
    const patienceEndsAtMs = performance.now() + this.#pastPatienceSeconds * 1_000
    const prepared = this.prepare(nowSeconds, signal)
    await (live ? prepared : within(this.#pastPatienceSeconds, prepared))
    const begunAtMs = performance.now()
    // A cluster that does not answer the one will not answer the other: do not wait for it twice.
    const giveUp = new AbortController()
    const leave = follow(signal, giveUp)
    const patience = giveUp.signal
    setMaxListeners(0, patience)
    const both = !live || this.slowAskedAt(windowSeconds) === null
    // Several things are asked of the cluster at once, and each reading is to cost what it asks.
    const { api, querySeconds } = metered(this.#api)
    const impatient = live ? undefined : setTimeout(() => giveUp.abort(this.#tooLate), patienceEndsAtMs - begunAtMs)
    const asking = this.lanes.askFast(reading, !both, patience, api).then((given) => {
      clearTimeout(impatient)
      const answer = this.#believed(given, reading)
      if ('error' in answer) giveUp.abort(answer.error)
      return answer
    })
    // Behind the fast lane in line.
    const recorded = this.lanes.askRecorded(reading, patience, api)
    const slowly = both ? this.lanes.askSlowBeside(reading, patience, api) : null
    const past = live ? null : this.keeper.beside(reading, slowly, this.fastSeries, patience)
    void Promise.allSettled([asking, recorded, slowly, past]).finally(leave)
    const fast = await asking
    const tookSeconds = (performance.now() - begunAtMs) / 1_000
    if (past !== null) {
      const [cheap, slow, { history, usual }] = await Promise.all([recorded, slowly, past])
      return this.#shown.of(reading, nowSeconds, nowOf(nowOf(fast, cheap), slow), { past: { history, usual } })
    }
    signal.throwIfAborted()
    this.#noteOutcome(fast, reading)
    const show = (now: Asked, isWhole = true) => this.#shown.of(reading, nowSeconds, now, { isWhole })
    if ('error' in fast) {
      // What is shown of a silent cluster outlives this process.
      await this.last.written
      return show(fast)
    }
    this.past.met(reading, fast)
    await inTurns(this.past.lookingAtRates(reading), signal)
    tell(show(fast, false))
    const [cheap, slow] = await Promise.all([recorded, slowly])
    const now = nowOf(nowOf(fast, cheap), slow)
    const costSeconds = querySeconds() + this.keeper.costSeconds(windowSeconds)
    this.lanes.cost(reading, costSeconds, { slow, isWhole: fast.callsAgeSeconds === undefined })
    const lack = this.keeper.lack(reading, slow, { seriesCount: fast.seriesRead, tookSeconds }, signal)
    return lack === null ? show(now) : { ...show(now), past: { ...lack, ask: () => lack.ask().then(() => show(now)) } }
  }

  /** Half an answer and an answer with nothing in it are no answer where there was a whole one a while ago. */
  #believed(fast: Asked, reading: Reading): Asked {
    if (!reading.live || 'error' in fast) return fast
    const lost = this.#lost.reasonOf(fast, this.last, reading)
    return lost === null ? fast : { error: lost }
  }

  #noteOutcome(fast: Asked, reading: Reading): void {
    if ('error' in fast) {
      this.keeper.down(reading.windowSeconds)
      this.last.fails(reading, { why: fast.error.kind, detail: fast.error.message })
      return
    }
    this.last.answers(reading)
    this.#fastSeries = fast.seriesRead
  }

  /** The last good values, while the cluster takes its time. */
  async #standIn(reading: Reading, nowSeconds: number): Promise<ClusterReading> {
    const { sinceSeconds, failure } = this.last.fails(reading, null)
    await this.last.written
    return this.#shown.silent(reading, nowSeconds, { ...(failure ?? this.#deadline.slow), sinceSeconds })
  }
}
