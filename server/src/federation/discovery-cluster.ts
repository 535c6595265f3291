import { UpstreamError } from '../prometheus/upstream-error.ts'
import type { ScrapedTargets } from './discovery-targets.ts'
import type { EmptyAnswer } from './one-of-many.ts'
import { innermost } from './store-trouble.ts'
import type { Announced, Stores } from './thanos-stores.ts'

/** One cluster that was found: kept when it is gone, so that it does not vanish from the screen. */
export interface Found {
  readonly name: string
  readonly value: string
  /** Since when it is not there, unix seconds; null: it is, as far as known without asking it. */
  readonly goneSinceSeconds: number | null
  /** Why it cannot be asked about an instant, unix seconds (null: the present): where it was there then, it can. */
  absence(atSeconds?: number | null): UpstreamError | null
  /** The same looked up anew, by whoever was answered with nothing. */
  confirmedAbsence(empty?: EmptyAnswer | null): Promise<UpstreamError | null>
}

/** The endpoint behind which it was found. */
export interface FoundAt {
  /** Its first URL, for people. */
  readonly url: string
  readonly clusterLabel: string
  /** Unix seconds. */
  readonly clock: () => number
  readonly targets: Pick<ScrapedTargets, 'areGone'>
  /** What the stores of a Thanos announce, looked up anew; null where it does not tell. */
  readonly storesNow: () => Promise<Stores | null>
}

/** What an endpoint told of which clusters it holds. */
export interface Listing {
  /** Of the label. */
  readonly values: ReadonlySet<string>
  /** Whether those are all; else at least what stores announce. */
  readonly isWhole: boolean
  /** Null where it does not tell. */
  readonly stores: Stores | null
}

/** A cluster is there while its label was seen this long ago at most. */
export const LOOK_BACK_SECONDS = 300

/** Whether a cluster that was found is there: by its label, by the stores that announce it, and by its targets. */
export class FoundCluster implements Found {
  readonly name: string
  /** Of the endpoint's label. */
  readonly value: string
  readonly #at: FoundAt
  /** By its label, or by the store that announces it. */
  #absent: UpstreamError | null = null
  /** Of the first look that missed it, unix seconds; null: it was there at the last one. */
  #missedSinceSeconds: number | null = null
  /** Whether a look of this process found it, which a process before this one may have known. */
  #wasFound = false
  /** By its targets: the label stays for hours where all clusters write into one store. */
  #unscraped: UpstreamError | null = null
  /** Unix seconds; null: it has targets, as far as known. */
  #unscrapedSinceSeconds: number | null = null
  /** Whether Thanos stores announce it, and nobody else holds it: then they tell whether it is there. */
  #isAnnounced = false
  /** Whether at the last look its label was there though its stores did not answer. */
  #isHeldButFailing = false
  /** When its label was there last, unix seconds. */
  seenAtSeconds: number

  constructor(at: FoundAt, name: string, value: string, seenAtSeconds: number) {
    this.#at = at
    this.name = name
    this.value = value
    this.seenAtSeconds = seenAtSeconds
  }

  note({ values, isWhole, stores }: Listing, nowSeconds: number): void {
    const announced = stores?.get(this.value)
    const isHeld = values.has(this.value)
    if (stores !== null) this.#isAnnounced = this.#toldByStores(announced, isHeld)
    // Nobody said anything about it: as before.
    const unsure = !isWhole && !this.#isAnnounced && this.#absent === null
    const there = announced?.lastError === null || isHeld || unsure
    if (there) {
      this.seenAtSeconds = nowSeconds
      this.#wasFound = true
    }
    this.#missedSinceSeconds = there ? null : (this.#missedSinceSeconds ?? this.#lastFoundSeconds(nowSeconds))
    this.#absent = there ? null : this.#gone(announced)
    // To be found out anew: a cluster that is not asked cannot tell that it is back.
    this.#unscraped = null
    if (this.#unscrapedSinceSeconds !== null) void this.#lookForItsReturn()
  }

  /** One that a process before this one saw last is gone for as long. */
  #lastFoundSeconds(nowSeconds: number): number {
    return this.#wasFound ? nowSeconds : this.seenAtSeconds
  }

  /** Where another has its name by now, nobody asks it. */
  async #lookForItsReturn(): Promise<void> {
    if (!(await this.#at.targets.areGone(this.value))) this.#unscrapedSinceSeconds = null
  }

  get goneSinceSeconds(): number | null {
    return this.#absent === null ? this.#unscrapedSinceSeconds : this.#missedSinceSeconds
  }

  /**
   * What was behind a sidecar may be written into a receiver by now, which announces none of the clusters it holds. Where
   * the sidecar still stands in the list, it may as well have died between two questions: not at once.
   */
  #toldByStores(announced: Announced | undefined, isHeld: boolean): boolean {
    if (announced === undefined) return this.#isAnnounced && !isHeld
    const wasHeldButFailing = this.#isHeldButFailing
    this.#isHeldButFailing = isHeld && announced.lastError !== null
    return !(this.#isHeldButFailing && wasHeldButFailing)
  }

  absence = (atSeconds: number | null = null): UpstreamError | null =>
    this.#wasThere(atSeconds) ? null : (this.#absent ?? this.#unscraped)

  /**
   * An empty answer may be the first sign of a store that Thanos has dropped a moment ago, without a word, or the only one
   * of a cluster that no longer writes into a store of many.
   */
  confirmedAbsence = async (empty: EmptyAnswer | null = null): Promise<UpstreamError | null> => {
    const wasThere = this.#wasThere(empty?.atSeconds ?? null)
    if (wasThere && this.#absent !== null) return null
    const stores = this.#isAnnounced ? await this.#at.storesNow() : null
    const announced = stores?.get(this.value)
    if (stores !== null) this.#absent = announced?.lastError === null ? null : this.#gone(announced)
    if (this.#absent !== null) return this.#absent
    // There is a Prometheus beside a sidecar, and it has nothing to say to this.
    if (wasThere || announced?.bySidecar === true) return null
    if (empty !== null) await this.#lookForTargets(empty)
    return this.#unscraped
  }

  async #lookForTargets({ isThere }: EmptyAnswer): Promise<void> {
    const { targets, clock } = this.#at
    const areGone = !isThere && (await targets.areGone(this.value))
    this.#unscraped = areGone ? this.#withoutTargets() : null
    this.#unscrapedSinceSeconds = areGone ? (this.#unscrapedSinceSeconds ?? clock()) : null
  }

  /** Whether it was there at an instant (unix seconds) for sure: what it counted then may well be asked for. */
  #wasThere(atSeconds: number | null): boolean {
    const untilSeconds = Math.min(this.seenAtSeconds, this.#unscrapedSinceSeconds ?? this.seenAtSeconds)
    return atSeconds !== null && atSeconds <= untilSeconds - LOOK_BACK_SECONDS
  }

  #gone({ lastError = null }: Partial<Announced> = {}): UpstreamError {
    const cause = lastError ? `its store does not answer: ${innermost(lastError)}` : 'its sidecar or store is gone'
    return this.#noLongerHeld(cause)
  }

  #withoutTargets(): UpstreamError {
    const advice = 'look at what scrapes it, and at what sends that here'
    return this.#noLongerHeld(`no target of it is scraped any more; ${advice}`)
  }

  #noLongerHeld(cause: string): UpstreamError {
    const { url, clusterLabel } = this.#at
    return new UpstreamError('unreachable', `${url} no longer holds ${clusterLabel}="${this.value}": ${cause}`)
  }
}
