import type { CompareWindow } from '../domain/assess.ts'
import type { Axis } from '../domain/baseline.ts'
import type { BucketHistory } from '../domain/bucket-history.ts'
import { emptyObservation, type Observation } from '../domain/observation.ts'
import type { UpstreamError } from '../prometheus/upstream-error.ts'
import type { ClusterReader } from './cluster-reader.ts'
import type { Reading } from './reading.ts'
import { SharedReads } from './shared-reads.ts'
import type { Gap } from './snapshot.ts'
import { troubleOf } from './store-trouble.ts'
import { within } from './within.ts'

/** Another stretch to compare with than the calm before the present deviation: so long ago, or fixed. Seconds, unix. */
export type CompareWith =
  | { readonly kind: 'ago'; readonly seconds: number }
  | { readonly kind: 'window'; readonly fromSeconds: number; readonly toSeconds: number }

const SPAN_SECONDS = 1_800
/** Moved on once a minute: a stretch of half an hour does not change between two refreshes. */
const ALIGN_SECONDS = 60
/** Of each stretch there is one a cluster. */
const LEAST_KEPT = 16
const STRETCHES_KEPT = 2

/** One cluster over the stretch to compare with. */
export interface Compare {
  readonly observation: Observation
  readonly buckets: BucketHistory | null
}

export interface Compared {
  readonly window: CompareWindow
  readonly observations: ReadonlyMap<string, Compare>
  readonly gaps: readonly Gap[]
}

/** What one cluster told of a stretch, and what it did not. */
interface Told {
  /** Null: nothing. */
  readonly compare: Compare | null
  readonly gaps: readonly Pick<Gap, 'what' | 'why' | 'detail'>[]
}

/** A stretch that was told in part is asked for again after a while: of one that lies long ago that is dear. */
const PART_STANDS_SECONDS = 60

/** Usual values over half an hour are the same some minutes before. */
const STANDS_IN_SECONDS = 300

interface Kept extends Told {
  readonly untilSeconds: number
  /** Of which cluster and rate window, how many steps from when (unix seconds). */
  readonly of: string
  readonly fromSeconds: number
}

/** What is asked of every cluster. */
interface Stretch {
  readonly axis: Axis
  readonly atSeconds: number
  readonly windowSeconds: number
  readonly clusters: number
}

type At = Pick<Reading, 'atSeconds' | 'windowSeconds' | 'live'>

/** Reads the stretch to compare with from every cluster; what was read is kept while it is looked at. */
export class CompareReader {
  readonly #softDeadlineSeconds: number
  readonly #kept = new Map<string, Kept>()
  readonly #under = new SharedReads<Told>(0)

  constructor(softDeadlineSeconds: number) {
    this.#softDeadlineSeconds = softDeadlineSeconds
  }

  /**
   * Live, a cluster that takes longer than the soft deadline holds nobody up: what it tells goes to the snapshots to
   * come, and until then it has the usual values of a stretch a little before, or none.
   */
  async read(
    readers: readonly ClusterReader[],
    compare: CompareWith,
    { atSeconds, windowSeconds, live }: At,
    signal: AbortSignal,
  ): Promise<Compared> {
    const window = windowOf(compare, atSeconds)
    const stepSeconds = windowSeconds / 4
    const steps = Math.max(1, Math.floor((window.toSeconds - window.fromSeconds) / stepSeconds))
    // On multiples of the step, as whoever stands before a Prometheus may move them there.
    const fromSeconds = Math.floor(window.fromSeconds / stepSeconds) * stepSeconds
    const axis: Axis = { fromSeconds, stepSeconds, steps }
    const observations = new Map<string, Compare>()
    const gaps: Gap[] = []
    await Promise.all(
      readers.map(async (reader) => {
        const stretch = { axis, atSeconds, windowSeconds, clusters: readers.length }
        const reading = this.#read(reader, stretch, signal)
        const inTime = live ? await within(this.#softDeadlineSeconds, reading) : await reading
        const told = inTime ?? this.#standIn(reader, stretch)
        if (told.compare !== null) observations.set(reader.name, told.compare)
        for (const gap of told.gaps) gaps.push({ cluster: reader.name, ...gap, sinceSeconds: atSeconds })
      }),
    )
    return { window, observations, gaps }
  }

  #standIn({ name }: ClusterReader, { axis, windowSeconds }: Stretch): Told {
    const of = ofWhom(name, axis, windowSeconds)
    const isNear = (kept: Kept) => Math.abs(kept.fromSeconds - axis.fromSeconds) <= STANDS_IN_SECONDS
    const before = [...this.#kept.values()].findLast((kept) => kept.of === of && isNear(kept))
    if (before !== undefined) return before
    const detail = `no answer within ${this.#softDeadlineSeconds} s; still waiting for it`
    return { compare: null, gaps: [{ what: 'usual values', why: 'slow', detail }] }
  }

  async #read(reader: ClusterReader, stretch: Stretch, signal: AbortSignal): Promise<Told> {
    const { axis, windowSeconds, atSeconds, clusters } = stretch
    const of = ofWhom(reader.name, axis, windowSeconds)
    const { fromSeconds } = axis
    const key = `${of}/${fromSeconds}`
    const kept = this.#kept.get(key)
    if (kept !== undefined && atSeconds < kept.untilSeconds) {
      this.#keep(key, kept, clusters)
      return kept
    }
    return this.#under.read(key, signal, async (all) => {
      const { name, past, lanes, fastSeries } = reader
      const reading = { axis, windowSeconds, live: false }
      const [rates, buckets] = await Promise.all([
        past.rates(reading, fastSeries, all),
        past.buckets(reading, lanes.bucketSeries(windowSeconds), all),
      ])
      if ('error' in rates) return { compare: null, gaps: [lacking('usual values', rates.error)] }
      const { partWarning } = rates
      const observation = rates.observation ?? emptyObservation(name, axis.steps)
      // Not kept: the next snapshot asks again.
      if ('error' in buckets)
        return { compare: { observation, buckets: null }, gaps: [lacking('usual percentiles', buckets.error)] }
      const told = { compare: { observation, buckets }, gaps: partWarning === null ? [] : [partly(partWarning)] }
      const standsForSeconds = partWarning === null ? Number.POSITIVE_INFINITY : PART_STANDS_SECONDS
      // Whoever left in between has half of it.
      if (!all.aborted)
        this.#keep(key, { ...told, of, fromSeconds, untilSeconds: atSeconds + standsForSeconds }, clusters)
      return told
    })
  }

  #keep(key: string, told: Kept, clusters: number): void {
    this.#kept.delete(key)
    this.#kept.set(key, told)
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= Math.max(LEAST_KEPT, STRETCHES_KEPT * clusters)) break
      this.#kept.delete(oldest)
    }
  }
}

function ofWhom(cluster: string, { steps }: Axis, windowSeconds: number): string {
  return `${cluster}/${steps}/${windowSeconds}`
}

function partly(warning: string): Told['gaps'][number] {
  const [why, detail] = troubleOf(warning)
  return { what: 'usual values', why, detail }
}

function lacking(what: string, { kind, message }: UpstreamError): Told['gaps'][number] {
  return { what, why: kind, detail: message }
}

function windowOf(compare: CompareWith, atSeconds: number): CompareWindow {
  if (compare.kind === 'window') {
    return { fromSeconds: compare.fromSeconds, toSeconds: compare.toSeconds, note: null }
  }
  const toSeconds = Math.floor((atSeconds - compare.seconds) / ALIGN_SECONDS) * ALIGN_SECONDS
  return { fromSeconds: toSeconds - SPAN_SECONDS, toSeconds, note: null }
}
