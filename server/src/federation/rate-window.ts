import type { Reading } from './reading.ts'
import { Since } from './since.ts'
import type { Gap } from './snapshot.ts'

/** What a cluster's scrapes ask of the window. */
export interface Paced {
  readonly name: string
  readonly scrapeIntervalSeconds: number | null
}

const LEAST_SECONDS = 60
/** A longer window hides a short trouble: whoever forces it on the others is named. */
const LONG_SECONDS = 120
/** Fewer samples make rate() blind or jumpy. */
const SCRAPES = 4

/** One window for all clusters of a snapshot, or their rates could not be added up. */
export class RateWindow {
  readonly #chosenSeconds: number | null
  readonly #leastOf: (cluster: string) => number | null
  readonly #since = new Since()

  /** `chosenSeconds` is for all; `leastOf` tells what the config says of one cluster. */
  constructor(chosenSeconds: number | null, leastOf: (cluster: string) => number | null) {
    this.#chosenSeconds = chosenSeconds
    this.#leastOf = leastOf
  }

  /** max(1 min, 4 x the largest scrape interval, what the config says of a cluster), in seconds. */
  seconds(clusters: readonly Paced[]): number {
    if (this.#chosenSeconds !== null) return this.#chosenSeconds
    return Math.max(LEAST_SECONDS, ...clusters.map((cluster) => this.#neededBy(cluster)))
  }

  /** Names the clusters that force a long window on all. `wantedSeconds`: what whoever looks chose; null: nothing. */
  gaps(
    clusters: readonly Paced[],
    { windowSeconds, atSeconds, live }: Pick<Reading, 'windowSeconds' | 'atSeconds' | 'live'>,
    wantedSeconds: number | null,
  ): readonly Gap[] {
    if (this.#chosenSeconds !== null || wantedSeconds !== null) return []
    const forcing =
      windowSeconds > LONG_SECONDS ? clusters.filter((cluster) => this.#neededBy(cluster) === windowSeconds) : []
    const names = forcing.map(({ name }) => name)
    // A look at the past learns nothing of since when it is so.
    const since = live
      ? this.#since.note(names, atSeconds)
      : names.map((name) => Math.min(this.#since.of(name) ?? atSeconds, atSeconds))
    return forcing.map(({ name, scrapeIntervalSeconds }, index) => ({
      cluster: name,
      what: 'short rate window',
      why: 'slow scrape',
      detail: `${
        this.#leastOf(name) === null ? `it is scraped every ${scrapeIntervalSeconds} s` : 'its rateWindow is that long'
      }, so the rates of all clusters are taken over ${windowSeconds} s; scrape it more often, or set rateWindow`,
      sinceSeconds: since[index] ?? atSeconds,
    }))
  }

  #neededBy({ name, scrapeIntervalSeconds }: Paced): number {
    return this.#leastOf(name) ?? SCRAPES * (scrapeIntervalSeconds ?? 0)
  }
}
