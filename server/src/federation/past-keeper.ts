import type { Axis } from '../domain/baseline.ts'
import type { Observation } from '../domain/observation.ts'
import type { UpstreamError } from '../prometheus/upstream-error.ts'
import { type Asked, failed } from './ask-now.ts'
import type { ClusterLanes } from './cluster-lanes.ts'
import type { ClusterPast } from './cluster-past.ts'
import type { Reading } from './reading.ts'

/**
 * Steps that snapshots passed over are asked for when there are so many of them: what is dear is to find the series, and
 * eight steps cost a quarter more than one (large world, all questions of the fast lane).
 */
const PASSED_OVER_AT_ONCE = 8

/** What a reading lacks of the past. */
export interface Lack {
  /** More than the newest steps: with it the snapshot would look different. */
  readonly much: boolean
  /** So long it will take at least, by how long the present and the past before took. */
  readonly atLeastSeconds: number
  /** Asks for it; resolves when it is there, or has failed. */
  ask(): Promise<void>
}

/** What is asked for, and of how many series it is expected to be. */
interface Due {
  readonly seriesCount: number
  readonly much: boolean
  readonly ratesDue: boolean
}

/**
 * Keeps the past of one cluster up to date, behind its snapshots: what is asked for instants comes first, and nobody
 * waits for hours of history to see the present.
 */
export class PastKeeper {
  readonly #past: ClusterPast
  readonly #lanes: ClusterLanes
  /** By rate window: what is under way, and how the last one failed. */
  readonly #under = new Map<number, Promise<void>>()
  readonly #failures = new Map<number, { readonly error: UpstreamError; readonly begunAtMs: number }>()
  /** By rate window: over another one it may answer all along. */
  readonly #downAtMs = new Map<number, number>()
  readonly #costSeconds = new Map<number, number>()
  /** By rate window: snapshots since the past was asked for. */
  readonly #snapshots = new Map<number, number>()
  /** How long the last asking took that was answered, and for how much of the past. */
  #took: { readonly seconds: number; readonly lackedSeconds: number } | null = null

  constructor(past: ClusterPast, lanes: ClusterLanes) {
    this.#past = past
    this.#lanes = lanes
  }

  /**
   * Query seconds a snapshot that the newest steps cost when they were last asked for; 0 after more than these was: that
   * comes once.
   */
  costSeconds(windowSeconds: number): number {
    return this.#costSeconds.get(windowSeconds) ?? 0
  }

  /** What is known so far, or why it is not. */
  known(reading: Reading): { observation: Observation | null } | { error: UpstreamError } {
    const failure = this.#failures.get(reading.windowSeconds)
    // What failed as the cluster went down says nothing about the past.
    const downAtMs = this.#downAtMs.get(reading.windowSeconds) ?? Number.NEGATIVE_INFINITY
    if (failure !== undefined && failure.begunAtMs > downAtMs) return { error: failure.error }
    return { observation: this.#past.ratesKnown(reading) }
  }

  /** Not even the present is answered. */
  down(windowSeconds: number): void {
    this.#downAtMs.set(windowSeconds, performance.now())
  }

  /**
   * What is missing up to the reading's instant. `slow`: what the slow lane answered for it; null: it was not asked.
   * `fast`: how many series its instants were of, and how long these took: steps take no less than one of them.
   */
  lack(
    reading: Reading,
    slow: Asked | null,
    fast: { readonly seriesCount: number; readonly tookSeconds: number },
    signal: AbortSignal,
  ): Lack | null {
    const { windowSeconds, axis } = reading
    const { seconds, passedOverSeconds } = this.#past.ratesLack(reading)
    const buckets = slow !== null && !('error' in slow) ? slow : null
    const fewBuckets = buckets !== null && this.#lanes.usual(windowSeconds) === null
    const lackedSeconds = seconds === null ? lengthOf(axis) : Math.max(seconds, passedOverSeconds)
    const much = seconds === null || seconds > windowSeconds || fewBuckets
    const manyPassedOver = passedOverSeconds >= PASSED_OVER_AT_ONCE * axis.stepSeconds
    // Where there is little to find it costs nothing, and what is usual is known to the last step.
    const isCheap = passedOverSeconds > 0 && this.#lanes.fewBuckets
    const ratesDue = seconds !== 0 || manyPassedOver || isCheap || this.#failures.has(windowSeconds)
    this.#snapshots.set(windowSeconds, (this.#snapshots.get(windowSeconds) ?? 0) + 1)
    if (!ratesDue && passedOverSeconds === 0) this.#costSeconds.delete(windowSeconds)
    if (!ratesDue && buckets === null) return null
    const ask = () => {
      const under =
        this.#under.get(windowSeconds) ??
        this.#timed(ratesDue ? lackedSeconds : 0, () =>
          this.#ask(reading, buckets, { ...fast, much, ratesDue }, signal),
        ).finally(() => {
          this.#under.delete(windowSeconds)
        })
      this.#under.set(windowSeconds, under)
      return under
    }
    return { much, atLeastSeconds: Math.max(fast.tookSeconds, this.#atLeastSeconds(lackedSeconds)), ask }
  }

  /** A view of the past has nothing to fall back on: it waits for what went before. */
  async beside(reading: Reading, slowly: Promise<Asked> | null, seriesCount: number, signal: AbortSignal) {
    const rates = this.#past.rates(reading, seriesCount, signal).catch(failed)
    const slow = await slowly
    const failing = slow === null || 'error' in slow
    const buckets = failing ? null : await this.#lanes.readUsual(reading, signal, slow).catch(failed)
    const usual = buckets === null || 'error' in buckets ? this.#lanes.usual(reading.windowSeconds) : buckets
    return { history: await rates, usual }
  }

  /** Less takes less; that more takes more is not reckoned with. */
  #atLeastSeconds(lackedSeconds: number): number {
    if (this.#took === null) return 0
    return this.#took.seconds * Math.min(1, lackedSeconds / this.#took.lackedSeconds)
  }

  async #timed(lackedSeconds: number, ask: () => Promise<boolean>): Promise<void> {
    const begunAtMs = performance.now()
    const answered = await ask()
    if (answered && lackedSeconds > 0) this.#took = { seconds: (performance.now() - begunAtMs) / 1_000, lackedSeconds }
  }

  /** False where what was asked for did not come. */
  async #ask(
    reading: Reading,
    slow: Asked | null,
    { seriesCount, much, ratesDue }: Due,
    signal: AbortSignal,
  ): Promise<boolean> {
    const failure = ratesDue ? await this.#askRates(reading, seriesCount, much, signal) : null
    if (signal.aborted) return false
    // Without percentiles of the past it goes on: they are asked for again with the slow lane.
    if (slow !== null) {
      await this.#lanes.readUsual(reading, signal, slow).catch(failed)
      if (!signal.aborted) await this.#lanes.refreshRare(reading, signal)
    }
    return failure === null
  }

  /** Why they did not come; null: they did. */
  async #askRates(
    reading: Reading,
    seriesCount: number,
    much: boolean,
    signal: AbortSignal,
  ): Promise<UpstreamError | null> {
    const { windowSeconds } = reading
    const begunAtMs = performance.now()
    const { api, querySeconds } = this.#past.metered()
    const rates = await this.#past.rates(reading, seriesCount, signal, api).catch(failed)
    const snapshots = this.#snapshots.get(windowSeconds) ?? 1
    this.#snapshots.delete(windowSeconds)
    this.#costSeconds.set(windowSeconds, much ? 0 : querySeconds() / snapshots)
    const failure = 'error' in rates ? rates.error : null
    if (signal.aborted) return failure
    if (failure === null) this.#failures.delete(windowSeconds)
    else this.#failures.set(windowSeconds, { error: failure, begunAtMs })
    return failure
  }
}

function lengthOf({ stepSeconds, steps }: Axis): number {
  return stepSeconds * steps
}
