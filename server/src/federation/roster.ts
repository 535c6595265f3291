import type { ClusterReader } from './cluster-reader.ts'
import type { Discovery, Found } from './discovery.ts'
import { type Collision, collisionsOf, type Place, readOf } from './roster-names.ts'
import { Since } from './since.ts'
import type { Gap, Snapshot } from './snapshot.ts'
import { within } from './within.ts'

/** Through what a cluster was found, and which other endpoints hold one of the same name. */
export interface Origin {
  readonly discoveredAt: string | null
  readonly alsoAt: readonly string[]
}

/** One place where clusters are found, and how one of them becomes a reader. */
export interface Source {
  readonly discovery: Discovery
  readonly readerOf: (found: Found) => ClusterReader
}

interface FoundThere extends Place {
  readonly found: Found
  readonly readerOf: Source['readerOf']
}

/** A first snapshot waits this long for the names of its clusters, and so does who asks after a while. */
const WAITED_SECONDS = 3

/** So long a process that is to end may write down what clusters were. */
const KEEPING_SECONDS = 4

/**
 * All clusters: those listed in the config, and those found. Of two with one name the listed one is read, else the one
 * found at the endpoint named first, while it is there; the other is a gap that says so, never added and never lost without
 * a word.
 */
export class Roster {
  readonly #listed: readonly ClusterReader[]
  readonly #sources: readonly Source[]
  readonly #clock: () => number
  /** So long a cluster that is gone keeps its name from another. */
  readonly #holdsSeconds: number
  readonly #made = new Map<Found, ClusterReader>()
  readonly #since = new Since()
  readonly #closed = new AbortController()
  #askedOnce = false

  constructor(
    listed: readonly ClusterReader[],
    sources: readonly Source[],
    clock: () => number,
    lastGoodForSeconds: number,
  ) {
    this.#listed = listed
    this.#sources = sources
    this.#clock = clock
    this.#holdsSeconds = lastGoodForSeconds
  }

  /** Who is there as far as known. */
  readers(): readonly ClusterReader[] {
    return this.#read().readers
  }

  /**
   * Looks for clusters that came or went. It does not wait: what is found shows with the next snapshot. Only the first
   * time it does, because there would be nothing to show.
   */
  async look(): Promise<void> {
    const looking = this.#refreshed()
    if (this.#askedOnce || this.#sources.length === 0) return
    await within(WAITED_SECONDS, looking)
    this.#askedOnce = true
  }

  /**
   * The same for who asks now and then and sees no next snapshot: where nobody has looked for a while it waits for it, but
   * not for long.
   */
  async lookAgain(): Promise<void> {
    const isOutOfDate = this.#sources.some(({ discovery }) => discovery.isOutOfDate)
    const looking = this.#refreshed()
    if (isOutOfDate) await within(WAITED_SECONDS, looking)
  }

  #refreshed(): Promise<unknown> {
    return Promise.all(this.#sources.map(({ discovery }) => discovery.refresh(this.#closed.signal)))
  }

  /** What could not be learnt about which clusters there are. */
  gaps(): readonly Gap[] {
    const { collisions } = this.#read()
    const now = this.#clock()
    const since = this.#since.note(
      collisions.map(({ gap }) => gap.detail),
      now,
    )
    const collided = collisions.map(({ gap }, index): Gap => ({ ...gap, sinceSeconds: since[index] ?? now }))
    return [...this.#sources.flatMap(({ discovery }) => discovery.gaps()), ...collided]
  }

  /** Whose data are left out where all are asked for, in words: of a cluster, or of an endpoint as its host. */
  leftOut(): readonly { readonly cluster: string; readonly text: string }[] {
    const found = this.#sources.flatMap(({ discovery }) => {
      const cluster = new URL(discovery.url).host
      return discovery.leftOut().map((text) => ({ cluster, text }))
    })
    const unread = this.#read().collisions.filter(({ isThere }) => isThere)
    return [...found, ...unread.map(({ name, gap }) => ({ cluster: name, text: gap.detail }))]
  }

  /** True while an endpoint never told which clusters it holds: how much is missing is not known. */
  get blind(): boolean {
    return this.#blindAt().length > 0
  }

  /**
   * While an endpoint never told which clusters it holds, nobody knows how much is missing: then nothing is quiet, and
   * whatever is said says that too.
   */
  tempered(verdict: Snapshot['verdict']): Snapshot['verdict'] {
    const blind = this.#blindAt()
    if (blind.length === 0) return verdict
    const missing = `hich clusters are behind ${blind.join(' and ')} is not known.`
    if (verdict.form !== 'quiet') return { ...verdict, text: `${verdict.text} W${missing}` }
    return { ...verdict, form: 'unknown', text: `Nothing unusual in what is seen, but w${missing}` }
  }

  #blindAt(): readonly string[] {
    return this.#sources.flatMap(({ discovery }) => (discovery.blind === null ? [] : [discovery.url]))
  }

  originOf(name: string): Origin {
    const { origins, collisions } = this.#read()
    return {
      discoveredAt: origins.get(name) ?? null,
      alsoAt: collisions.filter((one) => one.name === name && one.isThere).map(({ url }) => url),
    }
  }

  close(): void {
    this.#closed.abort()
  }

  /** The process ends: what is known is written down for the next one. Never rejects. */
  async keep(): Promise<void> {
    const readers = this.readers()
    const begunSeconds = this.#clock()
    const names = this.#sources.map(({ discovery }) => discovery.keep())
    await Promise.all([...names, ...readers.map(({ last }) => last.keep(begunSeconds))])
    // The past is large: one after the other, and no longer than somebody waits who wants the process to end.
    for (const { last } of readers) if (this.#clock() - begunSeconds < KEEPING_SECONDS) await last.keepPast()
  }

  #read() {
    const readers = [...this.#listed]
    const origins = new Map<string, string | null>(this.#listed.map(({ name }) => [name, null]))
    const collisions: Collision[] = []
    const present = new Set<Found>()
    for (const [name, places] of this.#byName()) {
      const read = origins.has(name) ? null : (readOf(places, this.#clock(), this.#holdsSeconds) ?? null)
      collisions.push(...collisionsOf(places, read))
      if (read === null) continue
      const { found, url, readerOf } = read
      origins.set(name, url)
      present.add(found)
      const reader = this.#made.get(found) ?? readerOf(found)
      this.#made.set(found, reader)
      readers.push(reader)
    }
    for (const found of this.#made.keys()) if (!present.has(found)) this.#made.delete(found)
    return { readers, origins, collisions }
  }

  /** Those that were found, in order. */
  #byName(): ReadonlyMap<string, readonly FoundThere[]> {
    const places = new Map<string, FoundThere[]>()
    for (const { discovery, readerOf } of this.#sources) {
      for (const found of discovery.found()) {
        const same = places.get(found.name) ?? []
        same.push({ found, url: discovery.url, readerOf })
        places.set(found.name, same)
      }
    }
    return places
  }
}
