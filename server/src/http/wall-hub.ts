import type { WallFrame } from '../contract/index.ts'
import { EMPTY_RAIL, nextRail, type Rail } from '../domain/wall-rail.ts'
import type { SnapshotEngine } from '../federation/engine.ts'
import type { Snapshot } from '../federation/snapshot.ts'
import type { Note } from '../links/note-store.ts'
import { time } from './present-golden.ts'
import { candidatesOf, frameOf, inTrouble, type Places, placesAfter } from './present-wall.ts'
import { sceneOf, type WallScope } from './wall-scene.ts'

/** A frame made once for all walls that show the same. */
export interface SentFrame {
  readonly frame: WallFrame
  readonly json: string
}

export interface WallHubDeps {
  readonly engine: Pick<SnapshotEngine, 'snapshot' | 'lookedAt'>
  /** Unix seconds. */
  readonly clock: () => number
  readonly build: () => string
  /** A short code for a path of this server; null where there are none. */
  readonly shorten?: (path: string) => Promise<string | null>
  /** What somebody has put on all walls; unset: nobody can. */
  readonly note?: () => Promise<Note | null>
}

/** What walls of one scope have in common; it outlives each of them, so that a reload changes no order. */
interface Shared {
  readonly scope: WallScope
  readonly watchers: Set<(sent: SentFrame) => void>
  rail: Rail
  places: Places
  watchingSinceSeconds: number
  lastTroubleSeconds: number | null
  sent: SentFrame | null
  leftAtSeconds: number
}

/** How often it looks whether there is something new: amended snapshots come between two refreshes. */
const LOOK_MS = 1_000
/** How long a picture waits for the note and for a code; a store that is well takes some milliseconds. */
const STORE_WAIT_MS = 250
/** A scope that nobody shows is forgotten after this long. */
const FORGET_SECONDS = 3_600
/** Nobody saw what was so for longer than this: who is bad, and since when, is learned anew. */
const UNSEEN_SECONDS = 120
/** A picture that nobody has been shown for longer than this would be taken for newer than it is. */
const STILL_NEW_SECONDS = 15
/** So many of them are remembered at most: addresses may name anything. */
const MOST_LEFT = 50

/** One snapshot shared by all walls, and one frame for all walls of one scope. Nobody watching: nothing is asked. */
export class WallHub {
  readonly #deps: WallHubDeps
  readonly #shared = new Map<string, Shared>()
  #timer: NodeJS.Timeout | null = null
  #looking = false
  #last: Snapshot | null = null
  #note: Note | null = null
  readonly #closed = new AbortController()

  constructor(deps: WallHubDeps) {
    this.#deps = deps
  }

  /** Tells `watcher` of each new frame, and of the newest at once if there is one. Gives what ends it. */
  watch(scope: WallScope, watcher: (sent: SentFrame) => void): () => void {
    const shared = this.#known(keyOf(scope)) ?? this.#remembered(keyOf(scope), scope)
    shared.watchers.add(watcher)
    if (shared.sent !== null) watcher(shared.sent)
    this.#start()
    return () => {
      shared.watchers.delete(watcher)
      shared.leftAtSeconds = this.#deps.clock()
      if (this.watchers === 0) this.#stop()
    }
  }

  get watchers(): number {
    return [...this.#shared.values()].reduce((sum, { watchers }) => sum + watchers.size, 0)
  }

  close(): void {
    this.#stop()
    this.#closed.abort()
  }

  /** What is known of a scope, as far as it is true of now; walls that were off for a while keep only their places. */
  #known(key: string): Shared | undefined {
    const shared = this.#shared.get(key)
    if (shared === undefined || shared.watchers.size > 0) return shared
    const now = this.#deps.clock()
    const unseenSeconds = Math.abs(now - shared.leftAtSeconds)
    if (unseenSeconds > STILL_NEW_SECONDS) shared.sent = null
    if (unseenSeconds > UNSEEN_SECONDS)
      Object.assign(shared, { rail: EMPTY_RAIL, watchingSinceSeconds: now, lastTroubleSeconds: null })
    return shared
  }

  #remembered(key: string, scope: WallScope): Shared {
    const now = this.#deps.clock()
    const shared: Shared = {
      scope,
      watchers: new Set(),
      rail: EMPTY_RAIL,
      places: new Map(),
      watchingSinceSeconds: now,
      lastTroubleSeconds: null,
      sent: null,
      leftAtSeconds: now,
    }
    this.#shared.set(key, shared)
    const left = [...this.#shared].filter(([, { watchers }]) => watchers.size === 0)
    const [oldest] = left.toSorted(([, a], [, b]) => a.leftAtSeconds - b.leftAtSeconds)
    if (left.length > MOST_LEFT && oldest !== undefined && oldest[1] !== shared) this.#shared.delete(oldest[0])
    return shared
  }

  #start(): void {
    if (this.#timer !== null || this.#closed.signal.aborted) return
    this.#timer = setInterval(() => void this.#look(), LOOK_MS)
    void this.#look()
  }

  #stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  async #look(): Promise<void> {
    if (this.#looking) return
    this.#looking = true
    try {
      const { engine, clock } = this.#deps
      const wanted = { atSeconds: null, windowSeconds: null, compare: null }
      const taken = await engine.snapshot(wanted, this.#closed.signal)
      const note = await this.#noteNow()
      const isNew = taken !== this.#last || !isSame(note, this.#note)
      this.#last = taken
      this.#note = note
      for (const [key, shared] of this.#shared) {
        // To a scope that nobody has shown yet the newest snapshot is new as well.
        if (shared.watchers.size > 0 && (isNew || shared.sent === null)) await this.#tell(shared, taken)
        else if (shared.watchers.size === 0 && Math.abs(clock() - shared.leftAtSeconds) > FORGET_SECONDS)
          this.#shared.delete(key)
      }
    } catch {
      // Closed meanwhile: an engine that is asked for the present rejects for nothing else.
    } finally {
      this.#looking = false
    }
  }

  /** A store that does not answer takes no note down, and holds no picture back. */
  async #noteNow(): Promise<Note | null> {
    const note = this.#deps.note === undefined ? null : await soon(this.#deps.note(), this.#note)
    return note !== null && note.untilSeconds > this.#deps.clock() ? note : null
  }

  async #tell(shared: Shared, taken: Snapshot): Promise<void> {
    const { engine, clock, build } = this.#deps
    const scene = sceneOf(taken, shared.scope)
    shared.rail = nextRail(shared.rail, candidatesOf(scene), taken.atSeconds)
    shared.places = placesAfter(shared.places, scene)
    if (inTrouble(scene)) shared.lastTroubleSeconds = taken.atSeconds
    const note = this.#note === null ? null : shownNote(this.#note)
    const frame = frameOf(scene, shared.rail, shared, { build: build(), nowSeconds: clock(), code: null, note })
    const linked = await this.#withCode(frame, shared.sent?.frame ?? null)
    shared.sent = { frame: linked, json: JSON.stringify(linked) }
    engine.lookedAt(linked.rows.map(({ id }) => id))
    for (const watcher of shared.watchers) watcher(shared.sent)
  }

  /** One code for one trouble: a person who scans it twice lands in the same place. */
  async #withCode(frame: WallFrame, before: WallFrame | null): Promise<WallFrame> {
    const { link, hero } = frame
    if (link === null) return frame
    const known = before?.hero.id === hero.id && before.hero.since === hero.since ? before.link : null
    if (known !== null && Date.parse(frame.snapshot.at) - linkedAt(known.path) < KEEP_LINK_MS)
      return { ...frame, link: known.code === null ? await this.#shortened(known) : known }
    return { ...frame, link: await this.#shortened(link) }
  }

  /** Without a code where the store does not answer; the next frame tries again. */
  async #shortened(link: WallLink): Promise<WallLink> {
    const { shorten } = this.#deps
    return shorten === undefined ? link : { ...link, code: await soon(shorten(link.path), null) }
  }
}

type WallLink = NonNullable<WallFrame['link']>

/** What comes within a moment, else what stands in for it: pictures do not wait for a store that hangs. */
async function soon<T>(work: Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), STORE_WAIT_MS)
  })
  try {
    return await Promise.race([work.catch(() => otherwise), late])
  } finally {
    clearTimeout(timer)
  }
}

/** A frozen link ends at its moment; a long trouble gets a newer one now and then. */
const KEEP_LINK_MS = 15 * 60_000

function shownNote({ text, by, untilSeconds }: Note): NonNullable<WallFrame['note']> {
  return { text, by, until: time(untilSeconds) }
}

function isSame(one: Note | null, other: Note | null): boolean {
  return one?.text === other?.text && one?.by === other?.by && one?.untilSeconds === other?.untilSeconds
}

function linkedAt(path: string): number {
  return Date.parse(new URLSearchParams(path.split('?')[1]).get('to') ?? '')
}

function keyOf({ clusters, namespaces, limit }: WallScope): string {
  const list = (names: ReadonlySet<string> | null) => (names === null ? null : [...names].sort())
  return JSON.stringify([clusters, namespaces, limit.clusters, limit.namespaces].map(list))
}
