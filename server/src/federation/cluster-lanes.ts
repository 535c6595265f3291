import type { Dialect } from '../dialects/dialect.ts'
import type { BucketHistory } from '../domain/bucket-history.ts'
import type { WorkloadRef } from '../domain/identity.ts'
import type { Observation } from '../domain/observation.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { metered } from '../prometheus/metered.ts'
import type { UpstreamError } from '../prometheus/upstream-error.ts'
import type { Answered, Asked, QuestionsOf } from './ask-now.ts'
import { askNow, asksNothing, failed, isNothing, unasked } from './ask-now.ts'
import { withRare } from './both-lanes.ts'
import { BucketLane, withSlow } from './bucket-lane.ts'
import type { ClusterPast } from './cluster-past.ts'
import { FastLane } from './fast-lane.ts'
import { outlivesRefresh } from './instants.ts'
import { isYounger } from './is-younger.ts'
import { LoadCap, type LoadCapOptions, type Pace } from './load-cap.ts'
import { cheapOnes, isRecorded, RARE_FRESH_SECONDS, RARE_STANDS_SECONDS, RareLane } from './rare-lane.ts'
import type { Reading } from './reading.ts'
import type { Trail } from './trail.ts'

export interface ClusterLanesOptions extends LoadCapOptions {
  readonly name: string
  readonly api: PrometheusApi
  readonly dialects: () => readonly Dialect[]
  readonly past: ClusterPast
  /** Unix seconds. */
  readonly clock: () => number
}

/** Beyond this a selector of names is no cheaper than asking for all. */
const MOST_HOT = 60
/** The slow lane's answer stands in for this many of its intervals. */
const INTERVALS_KEPT = 10
/** While somebody watches it is asked at least once in so many. */
const INTERVALS_WATCHED = 3
const UNKNOWN_SERIES = 10_000
/** Up to so many bucket series cost less than the trouble of telling their age. */
const FEW_SERIES = 2_000

/** The two lanes of one cluster: what is asked in which, how often, and what the slow one brought last. */
export class ClusterLanes {
  readonly #options: ClusterLanesOptions
  readonly cap: LoadCap
  readonly #fast: FastLane
  readonly #slow = new BucketLane()
  readonly #rare: RareLane
  #slowSeries = 0
  /** Rate windows of which the slow lane is being asked. */
  readonly #slowUnder = new Set<number>()

  constructor(options: ClusterLanesOptions) {
    this.#options = options
    this.cap = new LoadCap(options)
    // Who wants everything with each refresh gets calls with each, too.
    const mayStand = outlivesRefresh(options.bucketRefreshSeconds, options.refreshSeconds)
    this.#fast = new FastLane(options, mayStand)
    this.#rare = new RareLane(options)
  }

  get pace(): Pace & Pick<LoadCap, 'maxLoad' | 'apartSeconds'> {
    return { ...this.cap.pace(), maxLoad: this.cap.maxLoad, apartSeconds: this.cap.apartSeconds }
  }

  /** Whether percentiles come with each refresh: there are few of them, and the load cap does not hold anything back. */
  get fewBuckets(): boolean {
    const few = this.#slowSeries > 0 && this.#slowSeries <= FEW_SERIES
    return this.#options.bucketsWithRates === true && few && this.cap.pace().why === null
  }

  /** Series that the slow lane read last. */
  get slowSeries(): number {
    return this.#slowSeries
  }

  /** With what the slow lane could not tell when it was last asked, and what was said of its answer that stands. */
  withSlowTrouble(now: Answered, { windowSeconds }: Reading): Answered {
    const { failures, warnings } = this.#slow.trouble(windowSeconds)
    return { ...now, failures: [...now.failures, ...failures], warnings: [...new Set([...now.warnings, ...warnings])] }
  }

  /**
   * When the slow lane was last asked (unix seconds). Null = never, or not while nobody watched: then it comes with the
   * fast one, so that a first look has percentiles of now.
   */
  slowAskedAt(windowSeconds: number): number | null {
    if (this.fewBuckets) return null
    const now = this.#options.clock()
    if (this.#slowUnder.has(windowSeconds)) return now
    const triedAt = this.#slow.triedAt(windowSeconds)
    const longest = INTERVALS_WATCHED * this.cap.pace().bucketRefreshSeconds
    return triedAt !== null && isYounger(triedAt, now, longest) ? triedAt : null
  }

  /** When the calls were asked for that may stand at this instant (unix seconds); null: none may. */
  callsAt(reading: Pick<Reading, 'atSeconds' | 'windowSeconds'>): number | null {
    return this.#fast.callsAt(reading)
  }

  /** How many bucket series there are; many where it is not known yet. */
  bucketSeries(windowSeconds: number): number {
    return this.#slow.seriesCount(windowSeconds) ?? UNKNOWN_SERIES
  }

  slowAgeSeconds(windowSeconds: number, atSeconds: number): number | null {
    return this.#slow.ageSeconds(windowSeconds, atSeconds)
  }

  usual(windowSeconds: number): BucketHistory | null {
    return this.#slow.usual(windowSeconds)
  }

  /** What a process before this one read, unless this one has. */
  recallUsual(windowSeconds: number, usual: BucketHistory): void {
    if (this.usual(windowSeconds) === null) this.#slow.keepUsual(windowSeconds, usual)
  }

  trail(windowSeconds: number): Trail {
    return this.#slow.trail(windowSeconds)
  }

  /**
   * Rates and times of everybody, with what is known of what is asked rarely; percentiles of the workloads that are hot.
   * `alone`: the slow lane is not asked beside it. `api`, here as elsewhere: the way that it goes, to tell its cost.
   */
  async askFast(reading: Reading, alone: boolean, signal: AbortSignal, api = this.#options.api): Promise<Asked> {
    const { atSeconds, windowSeconds, hot = [] } = reading
    const mine = alone ? hot.filter(({ cluster }) => cluster === this.#options.name).slice(0, MOST_HOT) : []
    const ofHot = (dialect: Dialect) => {
      if (mine.length === 0) return []
      const asked = new Set(cheapOnes(dialect.questions(windowSeconds), atSeconds).map(({ name }) => name))
      const own = dialect.workloadQuestions?.(windowSeconds, mine) ?? []
      return own.filter(({ name, lane }) => lane === 'slow' && !asked.has(name))
    }
    const fast = await this.#fast.ask(reading, ofHot, signal, api)
    if ('error' in fast) return fast
    const rare = this.#rareKnown(reading, RARE_STANDS_SECONDS)
    const all = rare === null ? fast : { ...fast, observation: withSlow(fast.observation, rare, 0) }
    return alone ? this.#withNewcomers(all, reading, signal, api) : all
  }

  /**
   * What recording rules make as cheap as rates, with each of which it is asked: beside them, because buckets are the
   * larger part of what is read all the same. Null where there is nothing of the kind.
   */
  async askRecorded(
    { atSeconds, windowSeconds, live }: Reading,
    signal: AbortSignal,
    api = this.#options.api,
  ): Promise<Asked | null> {
    const questionsOf = (dialect: Dialect) => cheapOnes(dialect.questions(windowSeconds), atSeconds)
    const nothing = asksNothing(this.#options.dialects(), questionsOf)
    const told = nothing ? null : await this.#ask(api, questionsOf, atSeconds, signal).catch(failed)
    if (live && (told === null || 'observation' in told))
      this.#slow.recorded(windowSeconds, atSeconds, told?.observation ?? null)
    return told
  }

  /** Workloads that the slow lane has not met yet have no percentiles: they are asked for at once, by name. */
  async #withNewcomers(fast: Answered, reading: Reading, signal: AbortSignal, api: PrometheusApi): Promise<Answered> {
    const { atSeconds, windowSeconds } = reading
    const newcomers = this.#slow.unmet(fast.observation, windowSeconds).slice(0, MOST_HOT)
    if (newcomers.length === 0) return fast
    const questionsOf = (dialect: Dialect) =>
      (dialect.workloadQuestions?.(windowSeconds, newcomers) ?? []).filter(({ lane }) => lane === 'slow')
    if (asksNothing(this.#options.dialects(), questionsOf)) return fast
    const own = await this.#ask(api, questionsOf, atSeconds, signal)
    if ('error' in own) return fast
    this.#slow.named(newcomers, own.observation, windowSeconds)
    const warnings = [...new Set([...fast.warnings, ...own.warnings])]
    return { ...fast, warnings, observation: withSlow(fast.observation, own.observation, 0) }
  }

  /** The calls of these workloads with their latency buckets, at one instant. */
  async edgeBuckets(
    callers: readonly WorkloadRef[],
    { atSeconds, windowSeconds }: Pick<Reading, 'atSeconds' | 'windowSeconds'>,
    signal: AbortSignal,
  ): Promise<Observation | { error: UpstreamError }> {
    const questionsOf = (dialect: Dialect) => dialect.edgeQuestion(windowSeconds, callers) ?? []
    const read = await this.#ask(this.#options.api, (dialect) => [questionsOf(dialect)].flat(), atSeconds, signal)
    if ('error' in read) return read
    const [failure] = read.failures
    return failure === undefined ? read.observation : { error: failure.error }
  }

  /** Buckets of everybody, and what is asked rarely if no answer to it is known that may stand. */
  async #askSlow(reading: Reading, signal: AbortSignal, api: PrometheusApi): Promise<Asked> {
    const { atSeconds, windowSeconds } = reading
    const questionsOf = (dialect: Dialect) =>
      dialect
        .questions(windowSeconds)
        .filter(({ lane, rare, ...question }) => lane === 'slow' && rare !== true && !isRecorded(question, atSeconds))
    const rarely = this.#rareKnown(reading, RARE_STANDS_SECONDS) === null ? this.#rare.ask(reading, signal, api) : null
    if (asksNothing(this.#options.dialects(), questionsOf)) return withRare(unasked(this.#options.name), await rarely)
    this.#slowUnder.add(windowSeconds)
    const [slow, rare] = await Promise.all([
      this.#ask(api, questionsOf, atSeconds, signal).finally(() => this.#slowUnder.delete(windowSeconds)),
      rarely,
    ])
    return withRare(slow, rare)
  }

  /** Asks the slow lane for the instant of the fast one. A live reading's answer is kept. */
  async askSlowBeside(reading: Reading, signal: AbortSignal, api = this.#options.api): Promise<Asked> {
    const slow = await this.#askSlow(reading, signal, api).catch(failed)
    if (reading.live) this.keepSlow(slow, reading, signal)
    return slow
  }

  /** Where there are few buckets nothing is rare. */
  #rareKnown(reading: Reading, mostAgeSeconds: number): Observation | null {
    return this.fewBuckets ? null : this.#rare.known(reading, mostAgeSeconds)
  }

  /** Asks what is asked rarely and is due again, for the snapshots to come; a failure is told by the one that needs it. */
  async refreshRare(reading: Reading, signal: AbortSignal, api = this.#options.api): Promise<void> {
    if (!this.fewBuckets && this.#rareKnown(reading, this.#rareFreshSeconds) === null)
      await this.#rare.ask(reading, signal, api)
  }

  /** Who wants everything with each refresh means what is asked rarely too. */
  get #rareFreshSeconds(): number {
    const { refreshSeconds, bucketRefreshSeconds } = this.#options
    return bucketRefreshSeconds <= refreshSeconds ? Math.min(refreshSeconds, RARE_FRESH_SECONDS) : RARE_FRESH_SECONDS
  }

  /** Asks the slow lane on its own, between two snapshots, and what is usual in its terms. */
  async refreshSlow(reading: Reading, signal: AbortSignal): Promise<void> {
    const { api, querySeconds } = metered(this.#options.api)
    const slow = await this.#askSlow(reading, signal, api)
    this.keepSlow(slow, reading, signal)
    await this.refreshRare(reading, signal, api)
    const usual = await this.readUsual(reading, signal, null, api)
    if (signal.aborted) return
    const isWhole = !('error' in slow || 'error' in usual) && slow.failures.length === 0
    if (isWhole) this.cap.slowCost(reading.windowSeconds, querySeconds())
    else this.cap.slowCostAtLeast(reading.windowSeconds, querySeconds())
  }

  keepSlow(slow: Asked, { atSeconds, windowSeconds }: Reading, signal: AbortSignal): void {
    // Nobody waited for it: as if it had not been asked. Nor where nothing is there yet, which costs nothing to ask.
    if (signal.aborted || (isNothing(slow) && this.#mayComeYet(windowSeconds))) return
    const failures = 'error' in slow ? [{ question: 'percentiles', error: slow.error }] : slow.failures
    this.#slow.tried(windowSeconds, this.#options.clock(), failures)
    if ('error' in slow) return
    const isWhole = failures.length === 0
    if (isWhole) this.#slowSeries = slow.seriesRead
    if (slow.seriesRead > 0) this.#slow.answered(windowSeconds, atSeconds, slow, isWhole)
  }

  /** The fast lane's answer, completed by the slow lane's last one. */
  complete(fast: Answered, { atSeconds, windowSeconds }: Reading): Observation {
    this.#slow.met(windowSeconds, atSeconds, fast.observation)
    const mostAgeSeconds = INTERVALS_KEPT * this.cap.pace().bucketRefreshSeconds
    return this.#slow.complete(fast.observation, windowSeconds, atSeconds, mostAgeSeconds)
  }

  /** The buckets that usual values are made of. A live reading's are kept. */
  async readUsual(
    reading: Reading,
    signal: AbortSignal,
    slow: Asked | null = null,
    api = this.#options.api,
  ): Promise<BucketHistory | { error: UpstreamError }> {
    const { windowSeconds, live } = reading
    const read = slow === null || 'error' in slow || slow.failures.length > 0 ? 0 : slow.seriesRead
    const count = read > 0 ? read : this.bucketSeries(windowSeconds)
    const buckets = await this.#options.past.buckets(reading, count, signal, api)
    if (live && !('error' in buckets)) this.#slow.keepUsual(windowSeconds, buckets)
    return buckets
  }

  /**
   * What a reading cost. `slow`: what the slow lane told that was asked with it, null where it was not; one that has
   * nothing to tell is asked each time, and costs next to nothing. `isWhole`: calls were asked for.
   */
  cost(
    { windowSeconds }: Reading,
    querySeconds: number,
    { slow, isWhole }: { readonly slow: Asked | null; readonly isWhole: boolean },
  ): void {
    const both = slow !== null && !isNothing(slow)
    if (both && !this.fewBuckets) {
      if (isWhole) this.cap.fastCostAtMost(windowSeconds, querySeconds)
    } else if (isWhole) this.cap.fastCost(windowSeconds, querySeconds)
    else this.cap.fastCostAtLeast(windowSeconds, querySeconds)
  }

  /** Before a mesh is found nothing is asked at all: that must not pass for an answer. */
  #mayComeYet(windowSeconds: number): boolean {
    const asked = this.#options.dialects().flatMap((dialect) => dialect.questions(windowSeconds))
    return asked.length === 0 || asked.some(({ lane, recorded }) => lane === 'slow' && recorded === undefined)
  }

  #ask(api: PrometheusApi, questionsOf: QuestionsOf, atSeconds: number, signal: AbortSignal): Promise<Asked> {
    const { name, dialects } = this.#options
    return askNow(api, name, dialects(), questionsOf, atSeconds, signal)
  }
}
