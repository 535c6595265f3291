import { PerWindow } from './per-window.ts'
import { Tempo } from './tempo.ts'

/** How often a cluster may be asked, and why more seldom than configured. */
export interface Pace {
  readonly refreshSeconds: number
  readonly bucketRefreshSeconds: number
  /** In words; null: as configured. */
  readonly why: string | null
}

export interface LoadCapOptions {
  readonly refreshSeconds: number
  readonly bucketRefreshSeconds: number
  /** Ask for buckets with each refresh while there are few of them; else always in a lane of their own. */
  readonly bucketsWithRates?: boolean
  /** Query seconds per second. */
  readonly maxLoad: number
}

/**
 * What a lane is believed to cost at most doubles from one time to the next: a spell of slow answers is over long before
 * a cluster that was left alone for minutes would be asked again. What it costs less is believed at once.
 */
const GROWTH = 2
/** A rate window of which no snapshot was taken for so many refreshes is not watched any more. */
const REFRESHES_WATCHED = 3
/** Instants are aligned. */
const LEAST_WATCHED_SECONDS = 15
/** Who looks now and then is to find what a rate window costs as it was. */
const COSTS_KEPT = 16
/**
 * Percentiles are asked for with every third snapshot at most, unless more is configured: where snapshots take longer
 * than `refresh` they would come with each of them, and be what makes them take so long.
 */
const SNAPSHOTS_BETWEEN = 3

/** What the lanes are believed to cost over one rate window, in query seconds; null: not known. */
interface Costs {
  fast: number | null
  slow: number | null
}

/**
 * Bounds what Goldseam costs one cluster's Prometheus. From what the lanes cost it when they were asked (query
 * seconds), it follows how often they may be: the slow lane gives way first, until it has half of the load; then the
 * fast one.
 */
export class LoadCap {
  readonly #options: LoadCapOptions
  /** By rate window: an hour of samples costs more than a minute of them. */
  readonly #costs = new Map<number, Costs>()
  readonly #watched: PerWindow<number>
  readonly #tempo: Tempo

  constructor(options: LoadCapOptions) {
    this.#options = options
    this.#tempo = new Tempo(options.refreshSeconds)
    this.#watched = new PerWindow(Math.max(LEAST_WATCHED_SECONDS, REFRESHES_WATCHED * options.refreshSeconds))
  }

  get maxLoad(): number {
    return this.#options.maxLoad
  }

  /** A live snapshot is there, so long (seconds) after it was begun. */
  snapshotTook(seconds: number): void {
    this.#tempo.took(seconds)
  }

  /** How far apart live snapshots lie that follow one another, in seconds. */
  get apartSeconds(): number {
    return this.#options.refreshSeconds + this.#tempo.lateSeconds
  }

  /** A snapshot of this rate window is taken for an instant (unix seconds): what each that is watched costs adds up. */
  watched(windowSeconds: number, atSeconds: number): void {
    this.#watched.set(windowSeconds, atSeconds, windowSeconds)
    this.#tempo.begins(atSeconds)
  }

  fastCost(windowSeconds: number, querySeconds: number): void {
    const costs = this.#of(windowSeconds)
    costs.fast = believed(costs.fast, querySeconds, this.#options.refreshSeconds * this.maxLoad)
  }

  /** What it cost without all of its questions: that it costs less is not known by it. */
  fastCostAtLeast(windowSeconds: number, querySeconds: number): void {
    if (querySeconds > (this.#of(windowSeconds).fast ?? 0)) this.fastCost(windowSeconds, querySeconds)
  }

  /**
   * What both lanes cost together: the fast one costs no more. Where looks lie so far apart that both are asked with each
   * of them, nothing else would tell that a spell of slow answers is over.
   */
  fastCostAtMost(windowSeconds: number, querySeconds: number): void {
    const costs = this.#of(windowSeconds)
    if (costs.fast !== null) costs.fast = Math.min(costs.fast, querySeconds)
  }

  slowCost(windowSeconds: number, querySeconds: number): void {
    const costs = this.#of(windowSeconds)
    costs.slow = believed(costs.slow, querySeconds, this.#options.bucketRefreshSeconds * this.maxLoad)
  }

  /** What it cost where not all of it was answered: a refusal costs nothing, and tells nothing of what answers cost. */
  slowCostAtLeast(windowSeconds: number, querySeconds: number): void {
    if (querySeconds > (this.#of(windowSeconds).slow ?? 0)) this.slowCost(windowSeconds, querySeconds)
  }

  /** How long what is asked with each refresh is left alone; null: no longer than that, whatever percentiles cost. */
  get restsForSeconds(): number | null {
    const { refreshSeconds } = this.pace()
    return refreshSeconds > this.#options.refreshSeconds ? refreshSeconds : null
  }

  pace(): Pace {
    const { refreshSeconds, bucketRefreshSeconds, maxLoad } = this.#options
    // What each lane would cost as configured, in query seconds per second.
    const fastLoad = this.#together('fast') / refreshSeconds
    const slowLoad = this.#together('slow') / bucketRefreshSeconds
    const fastEvery = refreshSeconds * drawnOut(fastLoad, slowLoad, maxLoad)
    const slowEvery = bucketRefreshSeconds * drawnOut(slowLoad, fastLoad, maxLoad)
    const inTempo = this.#tempo.lateSeconds === 0 ? 0 : this.apartSeconds * snapshotsBetween(this.#options)
    const bucketsEvery = Math.max(slowEvery, inTempo)
    if (bucketsEvery <= bucketRefreshSeconds && fastEvery <= refreshSeconds) {
      return { refreshSeconds, bucketRefreshSeconds, why: null }
    }
    const percentiles = `percentiles every ${Math.ceil(bucketsEvery)} s (bucketRefresh: ${bucketRefreshSeconds} s)`
    const byTempo = inTempo > slowEvery
    const byLoad = [
      ...(fastEvery > refreshSeconds
        ? [`refreshed every ${Math.ceil(fastEvery)} s (refresh: ${refreshSeconds} s)`]
        : []),
      ...(slowEvery > bucketRefreshSeconds && !byTempo ? [percentiles] : []),
    ]
    const why = [
      ...(byLoad.length > 0
        ? [`${byLoad.join(', ')}, so that queries take at most ${maxLoad} s of each second (maxLoad)`]
        : []),
      ...(byTempo
        ? [`${percentiles}, because snapshots take ${Math.ceil(this.apartSeconds)} s (refresh: ${refreshSeconds} s)`]
        : []),
    ].join('; ')
    return { refreshSeconds: fastEvery, bucketRefreshSeconds: bucketsEvery, why }
  }

  /**
   * What the lane costs over all rate windows that are watched; one of which nothing is known costs what the dearest of
   * them does, or of all where nothing is known of any.
   */
  #together(lane: keyof Costs): number {
    const watched = Array.from(this.#watched.values(), (window) => this.#costs.get(window)?.[lane] ?? null)
    const known = watched.filter((cost) => cost !== null)
    const costs = known.length > 0 ? known : Array.from(this.#costs.values(), (one) => one[lane] ?? 0)
    const dearest = Math.max(0, ...costs)
    if (watched.length === 0) return dearest
    return watched.reduce<number>((sum, cost) => sum + (cost ?? dearest), 0)
  }

  #of(windowSeconds: number): Costs {
    const costs = this.#costs.get(windowSeconds) ?? { fast: null, slow: null }
    this.#costs.delete(windowSeconds)
    this.#costs.set(windowSeconds, costs)
    for (const oldest of this.#costs.keys()) {
      if (this.#costs.size <= COSTS_KEPT) break
      this.#costs.delete(oldest)
    }
    return costs
  }
}

function snapshotsBetween({ refreshSeconds, bucketRefreshSeconds }: LoadCapOptions): number {
  return Math.min(SNAPSHOTS_BETWEEN, bucketRefreshSeconds / refreshSeconds)
}

/**
 * How many times as seldom a lane is asked, 1 or more: it may have what the other one leaves, and half of the load in any
 * case. What costs nothing as far as is known fits wherever it is: nothing of nothing would be no number, and who waits
 * for that waits for ever.
 */
function drawnOut(load: number, otherLoad: number, maxLoad: number): number {
  const left = Math.max(maxLoad / 2, maxLoad - otherLoad)
  return load > left ? load / left : 1
}

/** `fitsSeconds`: what the lane may cost without being stretched, which is no growth. */
function believed(before: number | null, newest: number, fitsSeconds: number): number {
  return Math.min(newest, GROWTH * Math.max(before ?? 0, fitsSeconds))
}
