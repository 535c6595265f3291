import type { Dialect, SeriesColumn } from '../dialects/dialect.ts'
import { type Axis, instantOf } from '../domain/baseline.ts'
import type { BucketHistory } from '../domain/bucket-history.ts'
import type { WorkloadRef } from '../domain/identity.ts'
import { emptyObservation, type Observation } from '../domain/observation.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import type { UpstreamError } from '../prometheus/upstream-error.ts'
import { bucketAxis, bucketQuestions } from './bucket-steps.ts'
import { collectInstant, collectRange } from './collect.ts'
import { type HistoryStore, HistoryStores } from './history-store.ts'
import { mergeObservations } from './merge-observations.ts'

/** Which stretch, in steps of which length; `live`: what was read is kept and only what is new is asked for. */
export interface PastReading {
  readonly windowSeconds: number
  readonly axis: Axis
  readonly live: boolean
}

/** What was read from a store last. */
interface Read {
  readonly store: HistoryStore
  readonly version: number
  readonly axis: Axis
  readonly dialect: Dialect
  readonly observation: Observation
}

/** A question with its answer's size; `seconds` is how long it took. */
export interface AskedQuestion {
  readonly dialect: string
  readonly name: string
  readonly promql: string
  readonly series: number
  readonly seconds: number
  readonly failure: string | null
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
  readonly #stores = new HistoryStores()
  /** A snapshot reads the same history several times, and the next one often the same again: thousands of columns. */
  readonly #reads = new Map<string, Read>()

  constructor(cluster: string, api: PrometheusApi, dialects: () => readonly Dialect[]) {
    this.#cluster = cluster
    this.#api = api
    this.#dialects = dialects
  }

  /** Rates and times; null where no dialect is spoken. */
  async rates(reading: PastReading, signal: AbortSignal): Promise<{ observation: Observation | null } | Failed> {
    const { windowSeconds, axis, live } = reading
    const read = await this.#read(
      (dialect) => dialect.questions(windowSeconds).filter(({ lane }) => lane === 'fast'),
      axis,
      live ? ratesKey(reading) : null,
      signal,
    )
    return 'error' in read ? read : { observation: this.#dialects().length === 0 ? null : read }
  }

  /** The rates as far as they were read before, without asking; null when there are none. */
  ratesKnown(reading: PastReading): Observation | null {
    if (!reading.live) return null
    const observations = this.#dialects().flatMap((dialect) => {
      const key = `${dialect.name} ${ratesKey(reading)}`
      return this.#observed(key, this.#stores.get(key), dialect, reading.axis) ?? []
    })
    return observations.length === 0 ? null : mergeObservations(this.#cluster, reading.axis.steps, observations)
  }

  /** Whether the rates are known but for the last rate window of the axis. */
  ratesReach(reading: PastReading): boolean {
    const { axis, windowSeconds } = reading
    const stores = this.#dialects().map((dialect) => this.#stores.get(`${dialect.name} ${ratesKey(reading)}`))
    const least = instantOf(axis, axis.steps - 1) - windowSeconds
    return stores.length > 0 && stores.every(({ knownTo }) => knownTo !== null && knownTo >= least)
  }

  /** The buckets over the same stretch, in steps as fine as `seriesCount` bucket series allow. */
  async buckets(reading: PastReading, seriesCount: number, signal: AbortSignal): Promise<BucketHistory | Failed> {
    const { fromSeconds, stepSeconds, steps } = reading.axis
    const toSeconds = fromSeconds + (steps - 1) * stepSeconds
    return this.bucketsOn(reading, bucketAxis({ fromSeconds, toSeconds }, reading.windowSeconds, seriesCount), signal)
  }

  /** The buckets on an axis of `bucketAxis`. */
  async bucketsOn(
    { windowSeconds, live }: Omit<PastReading, 'axis'>,
    axis: Axis,
    signal: AbortSignal,
  ): Promise<BucketHistory | Failed> {
    const observation = await this.#read(
      (dialect) => bucketQuestions(dialect, windowSeconds, axis.stepSeconds),
      axis,
      live ? `buckets ${windowSeconds} ${axis.stepSeconds}` : null,
      signal,
    )
    return 'error' in observation ? observation : { axis, observation }
  }

  /** Another stretch, to compare with; without percentiles where their buckets are not to be had. */
  async compare(
    reading: PastReading,
    seriesCount: number,
    signal: AbortSignal,
  ): Promise<{ observation: Observation; buckets: BucketHistory | null } | Failed> {
    const [rates, buckets] = await Promise.all([
      this.rates(reading, signal),
      this.buckets(reading, seriesCount, signal),
    ])
    if ('error' in rates) return rates
    const observation = rates.observation ?? emptyObservation(this.#cluster, reading.axis.steps)
    return { observation, buckets: 'error' in buckets ? null : buckets }
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
    return this.#read(
      (dialect) => dialect.workloadQuestions?.(windowSeconds, [workload]) ?? dialect.questions(windowSeconds),
      axis,
      `${namespace}/${kind}:${name} ${windowSeconds} ${axis.stepSeconds}`,
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
    return this.#read(
      (dialect) => dialect.podQuestions?.(windowSeconds, workload) ?? [],
      axis,
      `pods of ${namespace}/${kind}:${name} ${windowSeconds} ${axis.stepSeconds}`,
      signal,
    )
  }

  /** The questions behind a workload's present numbers, each asked once more at an instant (unix seconds) and timed. */
  async asked(
    workload: WorkloadRef,
    windowSeconds: number,
    atSeconds: number,
    signal: AbortSignal,
  ): Promise<readonly AskedQuestion[]> {
    const questions = this.#dialects().flatMap((dialect) =>
      (dialect.workloadQuestions?.(windowSeconds, [workload]) ?? dialect.questions(windowSeconds)).map((question) => ({
        dialect: dialect.name,
        question,
      })),
    )
    return Promise.all(
      questions.map(async ({ dialect, question }) => {
        const started = performance.now()
        // Raw: it has to give the same wherever it is pasted.
        const { name, promql, lane } = question
        const { failures, seriesRead } = await collectInstant(this.#api, [{ name, promql, lane }], atSeconds, signal)
        const seconds = (performance.now() - started) / 1_000
        return { dialect, name, promql, seconds, series: seriesRead, failure: failures[0]?.error.message ?? null }
      }),
    )
  }

  /** One series a label set, over a stretch; for what is no mesh's. Null where it was not answered. */
  async series(promql: string, axis: Axis, signal: AbortSignal): Promise<readonly SeriesColumn[] | null> {
    const { answers } = await collectRange(this.#api, [{ name: 'asked', promql, lane: 'fast' }], axis, signal)
    return answers.get('asked') ?? null
  }

  /** `kept`: where what was read is kept; null: nowhere. */
  async #read(
    questionsOf: (dialect: Dialect) => ReturnType<Dialect['questions']>,
    axis: Axis,
    kept: string | null,
    signal: AbortSignal,
  ): Promise<Observation | Failed> {
    if (axis.steps === 0) return emptyObservation(this.#cluster, 0)
    const observations: Observation[] = []
    for (const dialect of this.#dialects()) {
      const questions = questionsOf(dialect)
      if (kept === null) {
        const { answers, failures } = await collectRange(this.#api, questions, axis, signal)
        if (failures[0] !== undefined) return { error: failures[0].error }
        observations.push(dialect.read(this.#cluster, axis.steps, answers))
      } else {
        const key = `${dialect.name} ${kept}`
        const store = this.#stores.get(key)
        const [failure] = await store.fill(this.#api, questions, axis, signal)
        if (failure !== undefined) return { error: failure.error }
        observations.push(this.#observed(key, store, dialect, axis) ?? emptyObservation(this.#cluster, axis.steps))
      }
    }
    return mergeObservations(this.#cluster, axis.steps, observations)
  }

  /** What a store holds on the axis, as the dialect reads it; null when it holds nothing. Not to be changed. */
  #observed(key: string, store: HistoryStore, dialect: Dialect, axis: Axis): Observation | null {
    const { version } = store
    const known = this.#reads.get(key)
    const same = known?.store === store && known.version === version && known.dialect === dialect
    if (same && known.axis.fromSeconds === axis.fromSeconds && known.axis.steps === axis.steps) return known.observation
    const answers = store.read(axis)
    if (answers === null) return null
    const observation = dialect.read(this.#cluster, axis.steps, answers)
    this.#reads.delete(key)
    this.#reads.set(key, { store, version, axis, dialect, observation })
    for (const oldest of this.#reads.keys()) {
      if (this.#reads.size <= READS_KEPT) break
      this.#reads.delete(oldest)
    }
    return observation
  }
}

/** They are as large as the stores: of the rate window that is looked at, rates and buckets. */
const READS_KEPT = 2

function ratesKey({ windowSeconds, axis }: PastReading): string {
  return `rates ${windowSeconds} ${axis.stepSeconds}`
}
