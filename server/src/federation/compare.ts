import type { CompareWindow } from '../domain/assess.ts'
import type { Axis } from '../domain/baseline.ts'
import type { BucketHistory } from '../domain/bucket-history.ts'
import type { Observation } from '../domain/observation.ts'
import type { UpstreamError } from '../prometheus/upstream-error.ts'
import type { PastReading } from './cluster-past.ts'
import type { ClusterReader } from './cluster-reader.ts'
import type { Gap } from './snapshot.ts'

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

/** Reads the stretch to compare with from every cluster; what was read is kept while it is looked at. */
export class CompareReader {
  readonly #kept = new Map<string, Compare>()

  async read(
    readers: readonly ClusterReader[],
    compare: CompareWith,
    at: { atSeconds: number; windowSeconds: number },
    signal: AbortSignal,
  ): Promise<Compared> {
    const window = windowOf(compare, at.atSeconds)
    const stepSeconds = at.windowSeconds / 4
    const steps = Math.max(1, Math.floor((window.toSeconds - window.fromSeconds) / stepSeconds))
    // On multiples of the step, as whoever stands before a Prometheus may move them there.
    const fromSeconds = Math.floor(window.fromSeconds / stepSeconds) * stepSeconds
    const axis: Axis = { fromSeconds, stepSeconds, steps }
    const observations = new Map<string, Compare>()
    const gaps: Gap[] = []
    await Promise.all(
      readers.map(async (reader) => {
        const key = `${reader.name}/${axis.fromSeconds}/${axis.steps}/${at.windowSeconds}`
        const told = (whole: Compare) => {
          observations.set(reader.name, whole)
          // Whoever left in between has half of it.
          if (!signal.aborted) this.#keep(key, whole, Math.max(LEAST_KEPT, STRETCHES_KEPT * readers.length))
        }
        const lacks = (what: string, { kind, message }: UpstreamError) =>
          gaps.push({ cluster: reader.name, what, why: kind, detail: message, sinceSeconds: at.atSeconds })
        const kept = this.#kept.get(key)
        if (kept !== undefined) return told(kept)
        const read = await this.#ask(reader, { axis, windowSeconds: at.windowSeconds }, signal)
        if ('error' in read) return void lacks('usual values', read.error)
        const { observation, buckets } = read
        if (!('error' in buckets)) return told({ observation, buckets })
        // Not kept: the next snapshot asks again.
        lacks('usual percentiles', buckets.error)
        observations.set(reader.name, { observation, buckets: null })
      }),
    )
    return { window, observations, gaps }
  }

  #ask(reader: ClusterReader, stretch: Omit<PastReading, 'live'>, signal: AbortSignal) {
    const seriesCount = { rates: reader.fastSeries, buckets: reader.lanes.bucketSeries(stretch.windowSeconds) }
    return reader.past.compare({ ...stretch, live: false }, seriesCount, signal)
  }

  #keep(key: string, observation: Compare, most: number): void {
    this.#kept.delete(key)
    this.#kept.set(key, observation)
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= most) break
      this.#kept.delete(oldest)
    }
  }
}

function windowOf(compare: CompareWith, atSeconds: number): CompareWindow {
  if (compare.kind === 'window') {
    return { fromSeconds: compare.fromSeconds, toSeconds: compare.toSeconds, note: null }
  }
  const toSeconds = Math.floor((atSeconds - compare.seconds) / ALIGN_SECONDS) * ALIGN_SECONDS
  return { fromSeconds: toSeconds - SPAN_SECONDS, toSeconds, note: null }
}
