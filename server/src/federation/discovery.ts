import { setTimeout as sleep } from 'node:timers/promises'
import { matchesGlob } from '../domain/stitch/glob.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { follow } from '../prometheus/follow.ts'
import { UpstreamError } from '../prometheus/upstream-error.ts'
import { countedTwice, type Oddity, replicasUnnamed } from './counted-twice.ts'
import { type Found, type FoundAt, FoundCluster, type Listing, LOOK_BACK_SECONDS } from './discovery-cluster.ts'
import { ListTold, lackIn } from './discovery-list.ts'
import { gaveWay, makeRoom, noneFound, tooMany, unnamed } from './discovery-room.ts'
import { ScrapedTargets } from './discovery-targets.ts'
import { isYounger } from './is-younger.ts'
import type { Kept } from './kept.ts'
import { KnownNames, type Names } from './known-names.ts'
import { Since } from './since.ts'
import type { Gap } from './snapshot.ts'
import { readLabelsApart, readStores, type Stores } from './thanos-stores.ts'

export interface DiscoveryOptions {
  /** Its first URL, for people. */
  readonly url: string
  readonly api: PrometheusApi
  readonly clusterLabel: string
  /** What it is to count once; empty: nothing. */
  readonly replicaLabels: readonly string[]
  /** Whether it is to count anything once. */
  readonly dedup: boolean
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** The label's value -> the cluster's name. */
  readonly rename: Readonly<Record<string, string>>
  readonly refreshSeconds: number
  readonly forgetAfterSeconds: number
  readonly maxClusters: number
  /** Where the names of the clusters outlive the process. */
  readonly kept: Kept<Names>
  /** Unix seconds. */
  readonly clock: () => number
}

export type { Found } from './discovery-cluster.ts'

/** Refreshes that nobody asked for: until then who watches has it looked up between two snapshots. */
const OUT_OF_DATE = 2
/** While one is gone: it is not asked, so that only a look tells that it is back. */
const GONE_AGAIN_SECONDS = 30
/** Label values come from every store, and one that hangs holds them: not waited for where the stores are known anyway. */
const VALUES_WITHIN_MS = 2_000
const SLOW_STORES = 'its stores take too long to list label values; see on its page of stores which of them hangs'
const TOO_LATE = new UpstreamError('timeout', SLOW_STORES)
/** Counting the targets of all clusters asks every store as well, and is worth less than the names. */
const TWICE_WITHIN_MS = 2_000
/** The questions of a snapshot that come out empty at about the same time are checked together. */
const GATHER_MS = 25
const NAME = /^[a-zA-Z0-9]([-\w.]*[a-zA-Z0-9])?$/

/** Which clusters an endpoint holds: the values of a label, and with Thanos what its stores announce. */
export class Discovery {
  readonly #options: DiscoveryOptions
  readonly #known = new Map<string, FoundCluster>()
  readonly #names: KnownNames
  #recalled: Promise<void> | null = null
  #oddities: readonly Oddity[] = []
  /** Values of clusters that were gone when others needed their room. */
  #gaveWay: readonly string[] = []
  #twice: readonly Oddity[] = []
  readonly #list: ListTold
  #askedAtSeconds = Number.NEGATIVE_INFINITY
  #under: Promise<void> | null = null
  #confirmation: Promise<Stores | null> | null = null
  readonly #since = new Since()
  readonly #at: FoundAt

  constructor(options: DiscoveryOptions) {
    this.#options = options
    this.#at = { ...options, targets: new ScrapedTargets(options), storesNow: () => this.#storesNow() }
    this.#names = new KnownNames(options.kept, options.forgetAfterSeconds)
    this.#list = new ListTold(options.url, options.clock())
  }

  get url(): string {
    return this.#options.url
  }

  found(): readonly Found[] {
    return [...this.#known.values()]
  }

  /** Why it never told which clusters there are: then nobody knows what is missing. Null where it did. */
  get blind(): UpstreamError | null {
    return this.#known.size > 0 ? null : this.#list.lack
  }

  gaps(): readonly Gap[] {
    const { url, clock } = this.#options
    const cluster = new URL(url).host
    const now = clock()
    const listed = this.#list.gap(now, this.#known.size > 0)
    const odd = [...this.#oddities, ...this.#twice]
    const since = this.#since.note(
      odd.map(({ detail }) => detail),
      now,
    )
    return [
      ...(listed === null ? [] : [{ cluster, ...listed }]),
      ...odd.map((one, index) => ({ cluster, ...one, sinceSeconds: since[index] ?? now })),
    ]
  }

  /** What is left out of an answer over all clusters, in words; what `blind` says is not told again. */
  leftOut(): readonly string[] {
    const listed = this.blind === null ? this.#list.gap(this.#options.clock(), true) : null
    return [...(listed === null ? [] : [listed]), ...this.#oddities].map(({ detail }) => detail)
  }

  /** Whether nobody has looked for so long that what is known may be of another time. */
  get isOutOfDate(): boolean {
    return this.#options.clock() - this.#askedAtSeconds > OUT_OF_DATE * this.#everySeconds
  }

  get #everySeconds(): number {
    const { refreshSeconds } = this.#options
    const isOneGone = [...this.#known.values()].some(({ absence }) => absence() !== null)
    return isOneGone ? Math.min(refreshSeconds, GONE_AGAIN_SECONDS) : refreshSeconds
  }

  /** Looks again when it is time, once at a time. Never rejects: what cannot be learnt is a gap. */
  refresh(signal: AbortSignal): Promise<void> {
    // A little earlier than the snapshots that ask for it, or every second one would find it fresh.
    const isFresh = isYounger(this.#askedAtSeconds, this.#options.clock(), this.#everySeconds * 0.9)
    if (this.#under === null && isFresh) return Promise.resolve()
    this.#under ??= this.#look(signal).finally(() => {
      this.#under = null
    })
    return this.#under
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { api, clock, clusterLabel } = this.#options
    const nowSeconds = clock()
    this.#askedAtSeconds = nowSeconds
    this.#recalled ??= this.#recall(nowSeconds)
    await this.#recalled
    const range = { fromSeconds: nowSeconds - LOOK_BACK_SECONDS, toSeconds: nowSeconds }
    const late = new AbortController()
    const leave = follow(signal, late)
    const asked = api
      .labelValues(clusterLabel, [], range, late.signal)
      .catch((error: unknown) => failureOf(error))
      .finally(leave)
    const stores = await readStores(api, clusterLabel, range.fromSeconds, signal).catch(() => null)
    const told = stores === null ? undefined : setTimeout(() => late.abort(TOO_LATE), VALUES_WITHIN_MS)
    const values = await asked
    clearTimeout(told)
    if (signal.aborted) return
    if (values instanceof UpstreamError && stores === null) return this.#list.failed(values, nowSeconds)
    const lack = lackIn(values)
    if (lack === null) this.#list.whole(nowSeconds)
    else this.#list.partly(lack, nowSeconds)
    const held = new Set(values instanceof UpstreamError ? [] : values.data)
    this.#take({ values: held, isWhole: lack === null, stores }, nowSeconds)
    await this.#names.note(this.#seen(), nowSeconds)
    // Who does not even tell a label's values is asked nothing more.
    if (!(values instanceof UpstreamError)) await this.#lookForTwice(stores, nowSeconds, signal)
  }

  /** What is known of it stands where it cannot be counted in time. */
  async #lookForTwice(stores: Stores | null, nowSeconds: number, signal: AbortSignal): Promise<void> {
    const late = new AbortController()
    const leave = follow(signal, late)
    const limit = setTimeout(() => late.abort(TOO_LATE), TWICE_WITHIN_MS)
    const twice = await this.#countedTwice(stores, nowSeconds, late.signal).catch(() => this.#twice)
    clearTimeout(limit)
    leave()
    if (!late.signal.aborted) this.#twice = twice
  }

  /** A Thanos counts once what it is told to; others may pass over that. */
  async #countedTwice(stores: Stores | null, nowSeconds: number, signal: AbortSignal): Promise<readonly Oddity[]> {
    const { api, clusterLabel, replicaLabels, dedup } = this.#options
    if (stores === null) return countedTwice(this.#options, nowSeconds, signal)
    if (!dedup) return []
    const known = [clusterLabel, ...replicaLabels]
    const apart = await readLabelsApart(api, clusterLabel, known, signal).catch(() => [])
    return replicasUnnamed(this.#options, apart, nowSeconds, signal)
  }

  /** What a process before this one knew: as if it had been seen by this one, at that time. */
  async #recall(nowSeconds: number): Promise<void> {
    for (const [value, seenAtSeconds] of await this.#names.recall(nowSeconds)) {
      if (this.#known.size < this.#options.maxClusters && this.#isWanted(value) && NAME.test(this.#nameOf(value)))
        this.#known.set(value, this.#newlyKnown(value, seenAtSeconds))
    }
  }

  /** The process ends: when each cluster was there last is written down for the next one. */
  keep(): Promise<void> {
    return this.#names.keep(this.#seen())
  }

  #seen(): Names {
    return new Map([...this.#known.values()].map(({ value, seenAtSeconds }) => [value, seenAtSeconds]))
  }

  #take(listing: Listing, nowSeconds: number): void {
    const { clusterLabel, maxClusters, forgetAfterSeconds, url } = this.#options
    const { values, isWhole, stores } = listing
    const wanted = [...new Set([...values, ...(stores?.keys() ?? [])])].filter((value) => this.#isWanted(value))
    const unknown = wanted.filter((value) => value !== '' && !this.#known.has(value)).sort()
    const fresh = unknown.filter((value) => NAME.test(this.#nameOf(value)))
    const nameless = unknown.filter((value) => !NAME.test(this.#nameOf(value)))
    // Where not all values could be had, nobody is known to be gone.
    const isThere = (value: string) => !isWhole || values.has(value) || stores?.has(value) === true
    const known = [...this.#known.values()].map(({ value, seenAtSeconds }) => ({
      value,
      seenAtSeconds,
      isThere: isThere(value),
    }))
    const { takenIn, giveWay } = makeRoom({ fresh, known, maxClusters })
    for (const value of giveWay) this.#known.delete(value)
    for (const value of takenIn) this.#known.set(value, this.#newlyKnown(value, nowSeconds))
    this.#gaveWay = [...this.#gaveWay, ...giveWay].filter((value) => !takenIn.includes(value)).slice(-maxClusters)
    if (this.#known.size < maxClusters) this.#gaveWay = []
    this.#oddities = [
      ...unnamed(url, clusterLabel, nameless),
      ...tooMany(url, maxClusters, fresh.slice(takenIn.length)),
      ...gaveWay(url, maxClusters, this.#gaveWay),
      ...(isWhole && this.#known.size === 0 ? [noneFound(url, clusterLabel, nameless.length > 0)] : []),
    ]
    for (const cluster of this.#known.values()) {
      cluster.note(listing, nowSeconds)
      if (nowSeconds - cluster.seenAtSeconds > forgetAfterSeconds) this.#known.delete(cluster.value)
    }
  }

  #newlyKnown(value: string, seenAtSeconds: number): FoundCluster {
    return new FoundCluster(this.#at, this.#nameOf(value), value, seenAtSeconds)
  }

  /** Asked after all who share it came: what was told before may be older than the answer that is in doubt. */
  #storesNow(): Promise<Stores | null> {
    const { api, clusterLabel, clock } = this.#options
    this.#confirmation ??= sleep(GATHER_MS)
      .then(() => {
        this.#confirmation = null
        const sinceSeconds = clock() - LOOK_BACK_SECONDS
        return readStores(api, clusterLabel, sinceSeconds, AbortSignal.timeout(VALUES_WITHIN_MS))
      })
      .catch(() => null)
    return this.#confirmation
  }

  #nameOf(value: string): string {
    return this.#options.rename[value] ?? value
  }

  #isWanted(value: string): boolean {
    const { include, exclude } = this.#options
    const among = (globs: readonly string[]) => globs.some((glob) => matchesGlob(glob, value))
    return (include.length === 0 || among(include)) && !among(exclude)
  }
}

function failureOf(error: unknown): UpstreamError {
  return error instanceof UpstreamError ? error : new UpstreamError('unreachable', String(error), error)
}
