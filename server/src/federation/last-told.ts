import type { ClusterView } from '../domain/assess.ts'
import { type PackedObservation, packing, unpackObservation } from '../domain/packed-observation.ts'
import { inBetween, inTurns } from './in-turns.ts'
import { isYounger } from './is-younger.ts'
import type { Kept } from './kept.ts'
import type { PastToKeep } from './past-to-keep.ts'
import { PerWindow } from './per-window.ts'
import type { Reading } from './reading.ts'
import { type LastGood, lastGoodView } from './reading-view.ts'
import { type Failure, type Silence, Silences } from './silences.ts'

/** What the next process is to know of a cluster. */
export interface KeptGood {
  readonly good: Omit<LastGood, 'observation'> & { readonly observation: PackedObservation }
  /** Null: it did not fail. */
  readonly failing: Silence | null
}

/** Clocks are set right while a process is down. */
const AHEAD_SECONDS = 60

/** What was told last of one rate window. */
interface Told {
  readonly good: LastGood
  /** When everything was answered last, unix seconds; null: never. */
  readonly wholeAtSeconds: number | null
  /** Since when each answer lacks something, unix seconds; null: the last one was whole. */
  readonly lackingSinceSeconds: number | null
}

/** So much older than what was on screen is what is left where a process and a cluster die in the same moment. */
const KEPT_EVERY_SECONDS = 30

/**
 * What one cluster told last, and since when it tells nothing. It is kept where a next process finds it: whoever is
 * started anew while a cluster is silent could ask nobody for what was on everybody's screen. It is written down when a
 * cluster falls silent, when the process is asked to end, and now and then for when it is not asked.
 */
export class LastTold {
  readonly #cluster: string
  readonly #kept: Kept<KeptGood>
  readonly #past: Pick<PastToKeep, 'keep' | 'recall' | 'forget'>
  /** So long what was told last is worth showing. */
  readonly goodForSeconds: number
  readonly #told: PerWindow<Told>
  readonly #silences: Silences
  /** Whether anything is kept. */
  #isKept = false
  /** Whether it tells of a silence, or of a process before: it is to go when the cluster answers. */
  #isOfSilence = false
  /** Counts what was begun to be written down. */
  #writes = 0
  /** Of what was written down last while all was well, unix seconds. */
  #keptSeconds = Number.NEGATIVE_INFINITY
  /** Resolves when what is to be kept of the present is written down: the past is larger, and follows behind it. */
  written: Promise<void> = Promise.resolve()

  constructor(
    cluster: string,
    kept: Kept<KeptGood>,
    past: Pick<PastToKeep, 'keep' | 'recall' | 'forget'>,
    goodForSeconds: number,
  ) {
    this.#cluster = cluster
    this.#kept = kept
    this.#past = past
    this.goodForSeconds = goodForSeconds
    this.#told = new PerWindow(goodForSeconds)
    this.#silences = new Silences(goodForSeconds)
  }

  /** Of the rate window that is looked at longest, which is the one that is kept. */
  get good(): LastGood | null {
    return this.#told.first?.good ?? null
  }

  goodOf(windowSeconds: number): LastGood | null {
    return this.#told.get(windowSeconds)?.good ?? null
  }

  /** When everything was answered last, unix seconds; null: never. */
  wholeAt(windowSeconds: number): number | null {
    return this.#told.get(windowSeconds)?.wholeAtSeconds ?? null
  }

  /** Of the cluster as a whole; null: it answers somebody, as far as known. */
  get silence(): Silence | null {
    return this.#silences.whole
  }

  /** Of its live readings over this rate window, until one succeeds. */
  silenceOf(windowSeconds: number): Silence | null {
    return this.#silences.of(windowSeconds)
  }

  /** Takes over what a process before this one kept, if it is worth showing; before that nothing is to be told. */
  async recall(nowSeconds: number): Promise<LastGood | null> {
    const found = await this.#kept.load()
    if (found === null) return null
    this.#isKept = true
    this.#isOfSilence = true
    const { good, failing } = found
    const ageSeconds = nowSeconds - good.atSeconds
    if (ageSeconds < -AHEAD_SECONDS) return null
    if (ageSeconds > this.goodForSeconds) {
      // What it told is too old to be shown; since when it tells nothing is not.
      this.#silences.recall(good, failing)
      return null
    }
    let recalled: LastGood
    try {
      recalled = { ...good, observation: unpackObservation(good.observation) }
    } catch {
      // Another build's, which did not count its shape up: as good as nothing, and no reason not to show the cluster.
      return null
    }
    const { atSeconds, windowSeconds } = recalled
    this.#told.set(windowSeconds, atSeconds, { good: recalled, wholeAtSeconds: atSeconds, lackingSinceSeconds: null })
    this.#silences.recall(recalled, failing)
    await this.#past.recall()
    return recalled
  }

  /**
   * It answered. What lacks something (`isWhole` false) does not take the place of a whole answer at once: a question that
   * fails now and then must not cost what it brought before. Where it fails each time, the rest is what there is.
   */
  told(good: LastGood, isWhole: boolean): void {
    const { atSeconds, windowSeconds } = good
    const before = this.#told.get(windowSeconds)
    // Since a time to come: the clock was set back.
    const lackingSinceSeconds = isWhole ? null : Math.min(before?.lackingSinceSeconds ?? atSeconds, atSeconds)
    const stands = before !== null && lackingSinceSeconds !== null && atSeconds <= lackingSinceSeconds
    this.#told.set(windowSeconds, atSeconds, {
      good: stands ? before.good : good,
      wholeAtSeconds: isWhole ? atSeconds : (before?.wholeAtSeconds ?? null),
      lackingSinceSeconds,
    })
  }

  /** To be called when nobody waits for anything: what was told last is written down every half a minute. */
  keepNowAndThen(): void {
    const { good } = this
    if (good === null || this.silence !== null) return
    if (isYounger(this.#keptSeconds, good.atSeconds, KEPT_EVERY_SECONDS)) return
    this.#keptSeconds = good.atSeconds
    this.written = this.#keep(good, true)
  }

  /** It answers, be it not everything. */
  answers(of: Pick<Reading, 'atSeconds' | 'windowSeconds'>): void {
    this.#silences.answers(of)
    if (!this.#isOfSilence) return
    this.#isOfSilence = false
    this.#isKept = false
    this.#writes += 1
    this.#keptSeconds = Number.NEGATIVE_INFINITY
    void this.#kept.forget()
    void this.#past.forget()
  }

  /** It is left alone for its load, and answers as far as known. */
  rests(of: Pick<Reading, 'atSeconds' | 'windowSeconds'>): void {
    this.#silences.rests(of)
  }

  /** Nothing is answered at this instant; `failure` null: it takes its time. */
  fails(of: Pick<Reading, 'atSeconds' | 'windowSeconds'>, failure: Failure | null): Silence {
    const wasSilent = this.silence !== null
    const silence = this.#silences.fails(of, failure)
    if (!wasSilent && this.silence !== null) {
      this.written = this.keep(of.atSeconds)
      void this.written.then(() => this.keepPast())
    }
    return silence
  }

  /** The cluster while it tells nothing: by what it told last, as old as that is now, or was at an instant of the past. */
  view(
    { live, windowSeconds, atSeconds }: Reading,
    nowSeconds: number,
    known: Pick<ClusterView, 'history' | 'usualBuckets' | 'trail'>,
  ): ClusterView {
    const good = live ? this.#shownFor(windowSeconds, nowSeconds) : this.#shownThen(windowSeconds, atSeconds)
    const { goodForSeconds } = this
    const since = this.silenceOf(windowSeconds)?.sinceSeconds ?? null
    const seenAtSeconds = live || good === null ? nowSeconds : atSeconds
    const of = { name: this.#cluster, good, since, goodForSeconds, nowSeconds: seenAtSeconds }
    return { ...lastGoodView(of), ...known }
  }

  /** What was on screen at an instant a little ago, where it was silent by then: who keeps that view has it as well. */
  #shownThen(windowSeconds: number, atSeconds: number): LastGood | null {
    const good = this.goodOf(windowSeconds)
    if (good === null || good.atSeconds > atSeconds) return null
    return atSeconds - good.atSeconds <= this.goodForSeconds ? good : null
  }

  /**
   * The rate window of all changes as another cluster comes or goes, and a silent one cannot tell anything over the new
   * one: what it told last over any other says more of it than nothing.
   */
  #shownFor(windowSeconds: number, nowSeconds: number): LastGood | null {
    const own = this.goodOf(windowSeconds)
    if (own !== null && nowSeconds - own.atSeconds <= this.goodForSeconds) return own
    // Where it answers somebody, what fails is the question.
    if (this.silence === null) return own
    const goods = Array.from(this.#told.values(), ({ good }) => good)
    return goods.sort((a, b) => b.atSeconds - a.atSeconds)[0] ?? null
  }

  /** Writes what was told last down for the next process, unless it is of no use to anybody any more. */
  async keep(nowSeconds: number): Promise<void> {
    const { good } = this
    if (good !== null && nowSeconds - good.atSeconds <= this.goodForSeconds) await this.#keep(good, false)
  }

  /** Writes down what it was, where what it is was written down. */
  async keepPast(): Promise<void> {
    const { good } = this
    if (this.#isKept && good !== null) await this.#past.keep(good)
  }

  async #keep(good: LastGood, patiently: boolean): Promise<void> {
    const failing = this.silence
    this.#isKept = true
    if (failing !== null) this.#isOfSilence = true
    this.#writes += 1
    const write = this.#writes
    const observation = await (patiently
      ? inBetween(() => packing(good.observation))
      : inTurns(packing(good.observation)))
    // What there was to be said since is written down instead, or nothing is to be kept any more.
    if (write === this.#writes) await this.#kept.save(() => ({ good: { ...good, observation }, failing }), patiently)
  }
}
