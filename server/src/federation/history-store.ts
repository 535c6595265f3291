import type { Answers, Question } from '../dialects/dialect.ts'
import { type Axis, instantOf, LONGEST_PAUSE } from '../domain/baseline.ts'
import type { Precision } from '../domain/column-stock.ts'
import type { Observation } from '../domain/observation.ts'
import { PastTrack } from '../domain/past-track.ts'
import type { Turns } from '../domain/turns.ts'
import { tcpIfAlone } from '../domain/write-columns.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import type { UpstreamError } from '../prometheus/upstream-error.ts'
import type { Failures } from './ask-now.ts'
import { collectRange } from './collect.ts'
import { inBetween } from './in-turns.ts'
import { missingPart } from './store-trouble.ts'

/** How the past is asked for. */
export interface Asking {
  readonly questions: readonly Question[]
  /** Reads the answers to the questions over so many steps. */
  readonly reading: (steps: number, answers: Answers) => Turns<Observation>
  /** Series that the first answer is expected to have; the further ones are expected to be like those before. */
  readonly seriesCount: number
  /** One question after the other, unless all their answers are small. */
  readonly patiently: boolean
}

/** What a snapshot saw, and on which axis it is the last step. */
interface Met {
  readonly observation: Observation
  readonly axis: Axis
  readonly isPart: boolean
}

/** Values of one answer that are read at once: some three megabytes of text. */
const VALUES_AT_ONCE = 100_000
/** With so few it makes no difference who is asked when. */
const SMALL_VALUES = 30_000
/**
 * So many steps between two snapshots can wait: their rate windows, of which a step is a quarter, leave no moment out, and
 * what lasts from the one to the other is not taken for two.
 */
const MOST_PASSED_OVER = LONGEST_PAUSE
/** Each holds all that a cluster told; where more are taken in between, the rest is asked for. */
const MOST_MET = 2
/** What is refused over so many steps may be answered over so many times fewer. */
const SHORTER = 4
/** Labels come with every slice: ever shorter ones would be mostly labels. */
const LEAST_STEPS = 10

/**
 * One cluster's past: filled by range queries over short slices, oldest first, so that neither the cluster nor memory
 * has to hold much at a time; then only the missing steps are asked for. Calls of `fill` that come while another runs
 * wait for it.
 */
export class HistoryStore {
  readonly #track: PastTrack
  /** Where snapshots passed over steps: the last one (unix seconds) before these. */
  #wholeTo: number | null = null
  /** The first step (unix seconds) that was told while a part of the data could not be reached. */
  #partFrom: number | null = null
  /** The warning that told so last. */
  #partWarning: string | null = null
  /** The step (unix seconds) with which what was told in part is asked for again at the earliest. */
  #againFrom = Number.NEGATIVE_INFINITY
  #under: Promise<Failures> | null = null
  #fillsNewest = false
  /** Steps that are asked for at once at most, as far as that is known from what was refused. */
  #mostSteps = Number.POSITIVE_INFINITY
  /** What snapshots saw while the newest steps are asked for, the oldest first. */
  #metMeanwhile: Met[] = []

  constructor(precision: Precision) {
    this.#track = new PastTrack(precision)
  }

  /** The last instant that was asked for, unix seconds. */
  get knownTo(): number | null {
    return this.#track.knownTo
  }

  /** The last instant up to which no step was passed over, unix seconds. */
  get wholeTo(): number | null {
    return this.#wholeTo ?? this.knownTo
  }

  /** What was said of steps that were told in part; null: all were told in full. */
  get partWarning(): string | null {
    return this.#partFrom === null ? null : this.#partWarning
  }

  /** Asks for what is missing of the axis; returns the failures, after which the steps stay missing. */
  async fill(api: PrometheusApi, asking: Asking, axis: Axis, signal: AbortSignal): Promise<Failures> {
    while (this.#under !== null) {
      const failures = await this.#under
      // Its viewers left; ours have not.
      const left = failures.some(({ error }) => error.kind === 'aborted') && !signal.aborted
      if (failures.length > 0 && !left) return failures
    }
    this.#under = this.#fill(api, asking, axis, signal).finally(() => {
      this.#under = null
      this.#fillsNewest = false
      for (const { observation, axis: seen, isPart } of this.#metMeanwhile.splice(0))
        this.met(observation, seen, isPart)
    })
    return this.#under
  }

  /**
   * What a snapshot saw during a step soon after the last known one stands for that step: while somebody watches nothing
   * has to be asked for twice. Steps that were passed over come with what is asked for next. `isPart`: some of the data
   * could not be reached.
   */
  met(observation: Observation, axis: Axis, isPart = false): void {
    const last = instantOf(axis, axis.steps - 1)
    const { knownTo } = this
    if (this.#under !== null) {
      if (this.#fillsNewest && this.#metMeanwhile.length < MOST_MET)
        this.#metMeanwhile.push({ observation, axis, isPart })
      return
    }
    if (knownTo === null) return
    const passedOver = Math.round((last - knownTo) / axis.stepSeconds) - 1
    if (passedOver < 0 || passedOver > MOST_PASSED_OVER) return
    // All can be reached again: what was told in part is asked for once more with this step.
    if (this.#partFrom !== null && !isPart && last >= this.#againFrom) return
    if (passedOver > 0) this.#wholeTo ??= knownTo
    if (isPart) this.#partFrom ??= last
    this.#track.add({ fromSeconds: last, stepSeconds: axis.stepSeconds, steps: 1 }, observation, axis, true)
  }

  /** What a process before this one knew of these steps, unless this one knows anything. */
  recall(axis: Axis, observation: Observation): void {
    if (this.#under === null && this.knownTo === null) this.#track.add(axis, observation, axis)
  }

  /** What is known on the axis, NaN elsewhere; null when nothing was ever filled. Not to be changed. */
  read(axis: Axis): Observation | null {
    return this.#track.on(axis)
  }

  /** The same in turns. */
  looking(axis: Axis): Turns<Observation | null> {
    return this.#track.looking(axis)
  }

  async #fill(api: PrometheusApi, asking: Asking, axis: Axis, signal: AbortSignal): Promise<Failures> {
    const { knownFrom, knownTo } = this.#track
    const reusable =
      knownFrom !== null && knownTo !== null && knownFrom <= axis.fromSeconds && knownTo >= axis.fromSeconds
    if (!reusable) this.#forget()
    // All of it may take minutes.
    this.#fillsNewest = reusable
    const first = reusable ? Math.max(0, stepAt(axis, this.#wholeTo ?? knownTo) + 1) : 0
    const before = this.#partFrom
    const newest = await this.#fillSteps(api, asking, axis, { first, end: axis.steps, anew: !reusable }, signal)
    this.#partFrom = before ?? newest.partFrom
    const { failures } = newest
    if (failures.length === 0) this.#filledTo(instantOf(axis, axis.steps - 1))
    if (failures.length > 0 || before === null || newest.partFrom !== null || first >= axis.steps) return failures
    const last = instantOf(axis, axis.steps - 1)
    if (last < this.#againFrom) return failures
    // The newest steps were told in full: what was told in part may be had in full as well.
    const again = { first: Math.max(0, stepAt(axis, before)), end: first, anew: false }
    const left = await this.#fillSteps(api, asking, axis, again, signal)
    if (left.failures.length > 0) return left.failures
    this.#partFrom = left.partFrom
    // A store of what is old alone may be out of reach: as many steps pass as were asked for in vain, so that it never
    // costs more than the new steps do.
    const asked = left.partFrom === null ? Number.NEGATIVE_INFINITY : again.end - again.first
    this.#againFrom = last + asked * axis.stepSeconds
    return []
  }

  /** No step before it is missing any more. */
  #filledTo(toSeconds: number): void {
    if (this.#wholeTo === null) return
    this.#wholeTo = toSeconds >= (this.knownTo ?? toSeconds) ? null : Math.max(this.#wholeTo, toSeconds)
  }

  #forget(): void {
    this.#wholeTo = null
    this.#partFrom = null
    this.#againFrom = Number.NEGATIVE_INFINITY
  }

  /** Asks for the steps from one to before another. `partFrom`: the first of them (unix seconds) that was told in part. */
  async #fillSteps(
    api: PrometheusApi,
    { questions, reading, seriesCount, patiently }: Asking,
    axis: Axis,
    { first, end, anew }: { readonly first: number; readonly end: number; readonly anew: boolean },
    signal: AbortSignal,
  ): Promise<{ readonly failures: Failures; readonly partFrom: number | null }> {
    const { stepSeconds } = axis
    let expected = seriesCount
    let partFrom: number | null = null
    /** So many steps are a quarter of what was refused this time. */
    let most = Number.POSITIVE_INFINITY
    for (let step = first; step < end; ) {
      const handy = Math.max(LEAST_STEPS, Math.floor(VALUES_AT_ONCE / Math.max(1, expected)))
      const steps = Math.min(handy, this.#mostSteps, end - step)
      const slice = { fromSeconds: instantOf(axis, step), stepSeconds, steps }
      const small = slice.steps * expected < SMALL_VALUES
      const atOnce = patiently && !small ? 1 : undefined
      const { answers, failures, warnings } = await collectRange(api, questions, slice, signal, atOnce)
      if (failures.length > 0) {
        // A half-filled step would show as a dip in whatever was not answered: ask again next time instead.
        if (!failures.every(({ error }) => mayBeTooMuch(error))) return { failures, partFrom }
        most = Math.max(1, Math.floor(steps / SHORTER))
        this.#mostSteps = most
        if (steps === 1) return { failures, partFrom }
        continue
      }
      // What was refused for another reason is over: with a step each time hours would be as many questions.
      this.#mostSteps = Math.min(most, SHORTER * this.#mostSteps)
      const isFirst = anew && step === first
      await inBetween(() => this.#adding(reading(slice.steps, answers), slice, axis, isFirst))
      // So would one of which a store behind the endpoint told nothing. It may be gone for long: shown, and asked again
      // once it is back.
      const part = warnings.find((warning) => missingPart(warning) !== null)
      if (part !== undefined) {
        partFrom ??= slice.fromSeconds
        this.#partWarning = part
      }
      expected = Math.max(...[...answers.values()].map((series) => series.length))
      // The track copies what it is given.
      for (const series of answers.values()) series.free?.()
      step += slice.steps
    }
    return { failures: [], partFrom }
  }

  *#adding(reading: Turns<Observation>, slice: Axis, whole: Axis, anew: boolean): Turns<void> {
    const observation = yield* reading
    if (anew) this.#track.clear()
    yield* this.#track.adding(slice, withoutKnownTcp(observation), whole)
  }
}

/** Over fewer steps it may well be answered: servers bound the samples that a query may load, as we do what we read. */
function mayBeTooMuch({ kind }: UpstreamError): boolean {
  return kind === 'rejected' || kind === 'tooLarge'
}

function stepAt({ fromSeconds, stepSeconds }: Axis, atSeconds: number): number {
  return Math.round((atSeconds - fromSeconds) / stepSeconds)
}

function withoutKnownTcp(observation: Observation): Observation {
  const inbound = new Map([...observation.inbound].map(([id, flow]) => [id, { ...flow, tcp: tcpIfAlone(flow) }]))
  return { ...observation, inbound }
}

const STORES_KEPT = 16

/** The stores of one cluster, one a dialect and rate window; those longest not looked at go first. */
export class HistoryStores {
  readonly #stores = new Map<string, HistoryStore>()

  get(key: string, precision: Precision): HistoryStore {
    const store = this.#stores.get(key) ?? new HistoryStore(precision)
    this.#stores.delete(key)
    this.#stores.set(key, store)
    for (const oldest of this.#stores.keys()) {
      if (this.#stores.size <= STORES_KEPT) break
      this.#stores.delete(oldest)
    }
    return store
  }
}
