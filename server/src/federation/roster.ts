import type { ClusterReader } from './cluster-reader.ts'
import type { Discovery, Found } from './discovery.ts'
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

/** A first snapshot waits this long for the names of its clusters, and so does who asks after a while. */
const WAITED_SECONDS = 3

/** So long a process that is to end may write down what clusters were. */
const KEEPING_SECONDS = 4

/**
 * All clusters: those listed in the config, and those found. Of two with one name the listed one is read, else the one
 * found at the endpoint named first; the other is a gap that says so, never added and never lost without a word.
 */
export class Roster {
  readonly #listed: readonly ClusterReader[]
  readonly #sources: readonly Source[]
  readonly #clock: () => number
  readonly #made = new Map<Found, ClusterReader>()
  readonly #since = new Since()
  readonly #closed = new AbortController()
  #askedOnce = false

  constructor(listed: readonly ClusterReader[], sources: readonly Source[], clock: () => number) {
    this.#listed = listed
    this.#sources = sources
    this.#clock = clock
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
      collisions.map(({ name, url }) => `${name} ${url}`),
      now,
    )
    const collided = collisions.map(({ name, value, url, shown }, index): Gap => {
      const sinceSeconds = since[index] ?? now
      const advice = `exclude: ["${value}"] there if it is the same cluster, rename: { "${value}": another-name } if not`
      const detail = `${url} holds a cluster named ${name} too, which is not read; ${shown} is shown. Add ${advice}`
      return { cluster: name, what: 'second cluster of this name', why: 'name taken', detail, sinceSeconds }
    })
    return [...this.#sources.flatMap(({ discovery }) => discovery.gaps()), ...collided]
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
      alsoAt: collisions.filter((collision) => collision.name === name).map(({ url }) => url),
    }
  }

  close(): void {
    this.#closed.abort()
  }

  /** The process ends: what is known is written down for the next one. Never rejects. */
  async keep(): Promise<void> {
    const readers = this.readers()
    const begunSeconds = this.#clock()
    await Promise.all(readers.map(({ last }) => last.keep(begunSeconds)))
    // The past is large: one after the other, and no longer than somebody waits who wants the process to end.
    for (const { last } of readers) if (this.#clock() - begunSeconds < KEEPING_SECONDS) await last.keepPast()
  }

  #read() {
    const readers = [...this.#listed]
    const origins = new Map<string, string | null>(this.#listed.map(({ name }) => [name, null]))
    const collisions: { name: string; value: string; url: string; shown: string }[] = []
    const present = new Set<Found>()
    for (const { discovery, readerOf } of this.#sources) {
      for (const found of discovery.found()) {
        const { name, value } = found
        const taken = origins.get(name)
        if (taken !== undefined) {
          const shown = taken === null ? 'the one listed under clusters' : `the one behind ${taken}`
          collisions.push({ name, value, url: discovery.url, shown })
          continue
        }
        origins.set(name, discovery.url)
        present.add(found)
        const reader = this.#made.get(found) ?? readerOf(found)
        this.#made.set(found, reader)
        readers.push(reader)
      }
    }
    for (const found of this.#made.keys()) if (!present.has(found)) this.#made.delete(found)
    return { readers, origins, collisions }
  }
}
