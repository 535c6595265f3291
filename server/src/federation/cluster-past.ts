import type { Dialect, Question, SeriesColumn } from '../dialects/dialect.ts'
import { type Axis, instantOf } from '../domain/baseline.ts'
import type { BucketHistory } from '../domain/bucket-history.ts'
import type { Precision } from '../domain/column-stock.ts'
import type { WorkloadRef } from '../domain/identity.ts'
import { emptyObservation, type Observation } from '../domain/observation.ts'
import type { Turns } from '../domain/turns.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { type Metered, metered } from '../prometheus/metered.ts'
import type { UpstreamError } from '../prometheus/upstream-error.ts'
import { type AskedQuestion, askEach } from './ask-each.ts'
import type { Answered } from './ask-now.ts'
import { bucketAxis, bucketQuestions } from './bucket-steps.ts'
import { collectRange } from './collect.ts'
import { type Asking, HistoryStore, HistoryStores } from './history-store.ts'
import { mergeObservations } from './merge-observations.ts'
import { missingPart } from './store-trouble.ts'

/** Which stretch, in steps of which length; `live`: what was read is kept and only what is new is asked for. */
export interface PastReading {
  readonly windowSeconds: number
  readonly axis: Axis
  readonly live: boolean
}

/** Where what was read is kept, and how it is asked for. */
interface Kept {
  /** Null: nowhere. */
  readonly key: string | null
  /** Whether it is of everybody. */
  readonly isWhole: boolean
  readonly precision: Precision
  readonly seriesCount: number
  /** One question after the other, so that whoever waits for a snapshot does not wait for its past as well. */
  readonly patiently: boolean
  /** Takes the warning that says that a part could not be reached. */
  readonly tellPart?: (warning: string) => void
}

type Failed = { readonly error: UpstreamError }

/**
 * What one cluster was before now. Rates and times in fine steps; buckets, which are many, in coarse ones; and of
 * single workloads everything in fine steps.
 */
export class ClusterPast {
  readonly #cluster: string
  readonly #api: PrometheusApi
  readonly #dialects: () => readonly Dialect[]
  /** What snapshots are made of; apart, so that it stays however many pages of workloads are looked at. */
  readonly #everybodys = new HistoryStores()
  readonly #single = new HistoryStores()
  /** What several dialects know together, by the first one's. */
  readonly #merged = new WeakMap<Observation, { readonly of: readonly Observation[]; readonly merged: Observation }>()

  constructor(cluster: string, api: PrometheusApi, dialects: () => readonly Dialect[]) {
    this.#cluster = cluster
    this.#api = api
    this.#dialects = dialects
  }

  /** A way to the cluster for who wants to know what he asks over it costs. */
  metered(): Metered {
    return metered(this.#api)
  }

  /**
   * Rates and times; null where no dialect is spoken. An answer is expected to have `seriesCount` series. `partWarning`:
   * what was said of it if a part could not be reached.
   */
  async rates(
    reading: PastReading,
    seriesCount: number,
    signal: AbortSignal,
    api = this.#api,
  ): Promise<{ observation: Observation | null; partWarning: string | null } | Failed> {
    const { windowSeconds, axis, live } = reading
    let partWarning: string | null = null
    const tellPart = (warning: string) => {
      partWarning = warning
    }
    const read = await this.#read(
      (dialect) => dialect.questions(windowSeconds).filter(({ lane }) => lane === 'fast'),
      axis,
      { ...kept(live ? ratesKey(reading) : null, seriesCount), tellPart },
      signal,
      api,
    )
    return 'error' in read ? read : { observation: this.#dialects().length === 0 ? null : read, partWarning }
  }

  /** The rates as far as they were read before, without asking; null when there are none. */
  ratesKnown(reading: PastReading): Observation | null {
    if (!reading.live) return null
    const observations = this.#dialects().flatMap((dialect) => {
      return this.ratesOf(dialect.name, reading).read(reading.axis) ?? []
    })
    const [first] = observations
    if (first === undefined) return null
    // One and the same object until more is known: what is computed of it is kept with it.
    const known = this.#merged.get(first)
    if (known?.of.length === observations.length && known.of.every((one, index) => one === observations[index]))
      return known.merged
    const merged = mergeObservations(this.#cluster, reading.axis.steps, observations)
    this.#merged.set(first, { of: observations, merged })
    return merged
  }

  /** Makes `ratesKnown` ready, in turns: of a large cluster that is much work. */
  *lookingAtRates(reading: PastReading): Turns<void> {
    for (const { name } of reading.live ? this.#dialects() : [])
      yield* this.ratesOf(name, reading).looking(reading.axis)
  }

  /** A snapshot of the reading's instant, by dialect: where it is the step after what is known, it is known too. */
  met(reading: PastReading, { byDialect, failures, warnings }: Answered): void {
    if (failures.length > 0) return
    const isPart = warnings.some((warning) => missingPart(warning) !== null)
    for (const { name } of this.#dialects()) {
      const observation = byDialect?.get(name)
      if (observation !== undefined) this.ratesOf(name, reading).met(observation, reading.axis, isPart)
    }
  }

  /** Seconds at the newer end that are not known (null: nothing is), and since snapshots first passed over a step. */
  ratesLack(reading: PastReading): { readonly seconds: number | null; readonly passedOverSeconds: number } {
    const stores = this.#dialects().map(({ name }) => this.ratesOf(name, reading))
    const known = stores.flatMap(({ knownTo }) => knownTo ?? [])
    const whole = stores.flatMap(({ knownTo, wholeTo }) => (wholeTo === knownTo ? [] : (wholeTo ?? [])))
    const end = instantOf(reading.axis, reading.axis.steps - 1)
    const since = (to: readonly number[]) => Math.max(0, end - Math.min(...to))
    return { seconds: known.length < stores.length ? null : since(known), passedOverSeconds: since(whole) }
  }

  /** Where a dialect's rates are kept. */
  ratesOf(dialect: string, reading: Pick<PastReading, 'windowSeconds' | 'axis'>): HistoryStore {
    return this.#everybodys.get(`${dialect} ${ratesKey(reading)}`, 'single')
  }

  /** The buckets over the same stretch, in steps as fine as `seriesCount` bucket series allow. */
  async buckets(
    reading: PastReading,
    seriesCount: number,
    signal: AbortSignal,
    api = this.#api,
  ): Promise<BucketHistory | Failed> {
    const { fromSeconds, stepSeconds, steps } = reading.axis
    const toSeconds = fromSeconds + (steps - 1) * stepSeconds
    const axis = bucketAxis({ fromSeconds, toSeconds }, reading.windowSeconds, seriesCount)
    return this.bucketsOn(reading, axis, seriesCount, signal, api)
  }

  /** The buckets on an axis of `bucketAxis`. */
  async bucketsOn(
    { windowSeconds, live }: Omit<PastReading, 'axis'>,
    axis: Axis,
    seriesCount: number,
    signal: AbortSignal,
    api = this.#api,
  ): Promise<BucketHistory | Failed> {
    const observation = await this.#read(
      (dialect) => bucketQuestions(dialect, windowSeconds, axis.stepSeconds),
      axis,
      kept(live ? `buckets ${windowSeconds} ${axis.stepSeconds}` : null, seriesCount),
      signal,
      api,
    )
    return 'error' in observation ? observation : { axis, observation }
  }

  /**
   * One workload's own traffic with its buckets. Where the dialect cannot be asked for single workloads, everybody's
   * is read.
   */
  async workload(
    workload: WorkloadRef,
    { windowSeconds, axis }: Omit<PastReading, 'live'>,
    signal: AbortSignal,
  ): Promise<Observation | Failed> {
    const { namespace, kind, name } = workload
    const key = `${namespace}/${kind}:${name} ${windowSeconds} ${axis.stepSeconds}`
    return this.#read(
      (dialect) => dialect.workloadQuestions?.(windowSeconds, [workload]) ?? dialect.questions(windowSeconds),
      axis,
      ofOne(key),
      signal,
    )
  }

  /**
   * What some workloads received over a long stretch, in steps as long as its window; with their buckets where these are
   * wanted. Nothing of it is kept.
   */
  async workloads(
    workloads: readonly WorkloadRef[],
    axis: Axis,
    withBuckets: boolean,
    signal: AbortSignal,
  ): Promise<Observation | Failed> {
    return this.#read(
      (dialect) => {
        const asked = dialect.workloadQuestions?.(axis.stepSeconds, workloads) ?? dialect.questions(axis.stepSeconds)
        return asked.filter(({ lane }) => lane === 'fast' || withBuckets)
      },
      axis,
      { ...ofOne(null), seriesCount: ONE_WORKLOAD * workloads.length, patiently: true },
      signal,
    )
  }

  /** Each pod of a workload, as if it were a workload of that name; null where no dialect tells pods apart. */
  async pods(
    workload: WorkloadRef,
    { windowSeconds, axis }: Omit<PastReading, 'live'>,
    signal: AbortSignal,
  ): Promise<Observation | Failed | null> {
    if (!this.#dialects().some(({ podQuestions }) => podQuestions !== undefined)) return null
    const { namespace, kind, name } = workload
    const key = `pods of ${namespace}/${kind}:${name} ${windowSeconds} ${axis.stepSeconds}`
    return this.#read((dialect) => dialect.podQuestions?.(windowSeconds, workload) ?? [], axis, ofOne(key), signal)
  }

  /** Whether each dialect can be asked for one workload alone. */
  get tellsApart(): boolean {
    return this.#dialects().every(({ workloadQuestions }) => workloadQuestions !== undefined)
  }

  /** The questions behind a workload's present numbers, of each dialect. */
  questions(workload: WorkloadRef, windowSeconds: number): { dialect: string; question: Question }[] {
    return this.#dialects().flatMap((dialect) =>
      (dialect.workloadQuestions?.(windowSeconds, [workload]) ?? dialect.questions(windowSeconds)).map((question) => ({
        dialect: dialect.name,
        question,
      })),
    )
  }

  /** The questions behind a workload's present numbers, each asked once more at an instant (unix seconds) and timed. */
  asked(
    workload: WorkloadRef,
    windowSeconds: number,
    atSeconds: number,
    signal: AbortSignal,
  ): Promise<readonly AskedQuestion[]> {
    return askEach(this.#api, this.questions(workload, windowSeconds), atSeconds, signal)
  }

  /** One series a label set, over a stretch; for what is no mesh's. Null where it was not answered. */
  async series(promql: string, axis: Axis, signal: AbortSignal): Promise<readonly SeriesColumn[] | null> {
    const { answers } = await collectRange(this.#api, [{ name: 'asked', promql, lane: 'fast' }], axis, signal)
    const asked = answers.get('asked')
    return asked === undefined ? null : [...asked]
  }

  async #read(
    questionsOf: (dialect: Dialect) => readonly Question[],
    axis: Axis,
    { key, isWhole, precision, seriesCount, patiently, tellPart }: Kept,
    signal: AbortSignal,
    api = this.#api,
  ): Promise<Observation | Failed> {
    if (axis.steps === 0) return emptyObservation(this.#cluster, 0)
    const observations: Observation[] = []
    let error: UpstreamError | null = null
    for (const dialect of this.#dialects()) {
      const questions = questionsOf(dialect)
      const reading: Asking['reading'] = (steps, answers) => dialect.reading(this.#cluster, steps, answers)
      const stores = isWhole ? this.#everybodys : this.#single
      const store = key === null ? new HistoryStore(precision) : stores.get(`${dialect.name} ${key}`, precision)
      const [failure] = await store.fill(api, { questions, reading, seriesCount, patiently }, axis, signal)
      error ??= failure?.error ?? null
      // What the others know of the past is shown all the same, where it is kept.
      if (failure !== undefined) continue
      if (store.partWarning !== null) tellPart?.(store.partWarning)
      observations.push(store.read(axis) ?? emptyObservation(this.#cluster, axis.steps))
    }
    if (error !== null) return { error }
    return mergeObservations(this.#cluster, axis.steps, observations)
  }
}

/** Everybody's past: what is looked at live is asked for behind the snapshots and held for long. */
function kept(key: string | null, seriesCount: number): Kept {
  const live = key !== null
  return { key, isWhole: true, precision: live ? 'single' : 'double', seriesCount, patiently: live }
}

/** With its callers, and some thirty buckets. */
const ONE_WORKLOAD = 300

/** A workload's past: somebody waits for it. */
function ofOne(key: string | null): Kept {
  return { key, isWhole: false, precision: 'double', seriesCount: ONE_WORKLOAD, patiently: false }
}

function ratesKey({ windowSeconds, axis }: Pick<PastReading, 'windowSeconds' | 'axis'>): string {
  return `rates ${windowSeconds} ${axis.stepSeconds}`
}
