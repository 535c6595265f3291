import { setMaxListeners } from 'node:events'
import type { ClusterView } from '../domain/assess.ts'
import type { Goal } from '../domain/goals.ts'
import { drawPicture, type Picture, withPercentiles } from '../domain/picture.ts'
import type { StitchConfig } from '../domain/stitch/types.ts'
import { Behind } from './behind.ts'
import type { ClusterReader } from './cluster-reader.ts'
import type { ClusterReading } from './cluster-reading.ts'
import { type Compared, CompareReader, type CompareWith } from './compare.ts'
import { type Drawn, EarlyPicture } from './early-picture.ts'
import { GettingReady } from './getting-ready.ts'
import { HotWorkloads } from './hot-workloads.ts'
import { axisTo, newestInstant } from './instants.ts'
import { LiveMemory } from './live-memory.ts'
import { PastSnapshots } from './past-snapshots.ts'
import type { RateWindow } from './rate-window.ts'
import type { Reading } from './reading.ts'
import type { Roster } from './roster.ts'
import { SharedReads } from './shared-reads.ts'
import { SlowSchedule } from './slow-schedule.ts'
import type { Snapshot } from './snapshot.ts'
import { Spaced } from './spaced.ts'
import { type Around, askOn, knownSurroundings, surroundingGaps, surroundingsOf, withSuspects } from './surroundings.ts'
import { viewsOf } from './views-of.ts'
import { withPast } from './with-past.ts'

export interface EngineOptions {
  /** Asked anew for each snapshot: clusters may come and go while the server runs. */
  readonly readers: () => readonly ClusterReader[]
  readonly stitchConfig: StitchConfig
  readonly refreshSeconds: number
  readonly rateWindow: RateWindow
  readonly goals: readonly Goal[]
  /** Finds out which clusters there are; unset: they are known. */
  readonly roster?: Pick<Roster, 'look' | 'gaps' | 'tempered'>
  /** What snapshots of the past may hold in memory. */
  readonly pastSnapshotBytes: number
  /** Unix seconds. */
  readonly clock: () => number
  readonly onSnapshot?: (snapshot: Snapshot) => void
}

/** Which snapshot is wanted: the live one, or one of a past instant; with another rate window than the default. */
export interface Wanted {
  readonly atSeconds: number | null
  readonly windowSeconds: number | null
  /** Null: the calm stretch before the present deviation. */
  readonly compare: CompareWith | null
}

/** A live snapshot with what it was judged from, for as long as parts of it are still to come. */
interface Live {
  readonly snapshot: Snapshot
  readonly takenAtSeconds: number
  readonly readings: readonly ClusterReading[]
  readonly reading: Reading
  readonly compared: Compared | null
  /** Judges it anew with the readings that have come in since. */
  readonly again: Spaced
}

/** So many early pictures in a row that were of no use: then the next ones are not drawn. */
const USELESS_EARLY = 3
const WITHOUT_EARLY = 30

/**
 * Takes snapshots: one per refresh however many watch it, none when nobody asks, one at a time. Callers that want
 * the same one wait for the same one.
 */
export class SnapshotEngine {
  readonly #options: EngineOptions
  #live = new Map<string, Live>()
  /** Single flight: goes on while at least one caller waits for it, and is cancelled when none does. */
  readonly #under = new SharedReads<Snapshot>(0)
  readonly #past: PastSnapshots
  readonly #slow: SlowSchedule
  readonly #hot = new HotWorkloads()
  readonly #memory = new LiveMemory()
  readonly #ready = new GettingReady()
  readonly #behind = new Behind()
  #sequence = 0
  /** Early pictures of no use since the last that was. */
  #useless = 0
  readonly #compare = new CompareReader()

  constructor(options: EngineOptions) {
    this.#options = options
    this.#past = new PastSnapshots(options.pastSnapshotBytes)
    const instant = (windowSeconds: number) => {
      const atSeconds = newestInstant(options.clock())
      return { atSeconds, axis: axisTo(atSeconds, windowSeconds) }
    }
    this.#slow = new SlowSchedule({ clock: options.clock, instant })
  }

  /** Somebody has these workloads on screen: their percentiles come with each refresh. */
  lookedAt(ids: Iterable<string>): void {
    this.#hot.lookedAt(ids, this.#options.clock(), this.#options.refreshSeconds)
  }

  close(): void {
    this.#slow.close()
    this.#behind.close()
    for (const { again } of this.#live.values()) again.cancel()
    for (const { side } of this.readers) side.close()
    this.#under.close()
  }

  get readers(): readonly ClusterReader[] {
    return this.#options.readers()
  }

  /** What workloads are to keep to. */
  get goals(): readonly Goal[] {
    return this.#options.goals
  }

  /** The newest live snapshot if there is one already; asks nobody. */
  newest(): Snapshot | null {
    return [...this.#live.values()].at(-1)?.snapshot ?? null
  }

  /** The wanted snapshot, shared with everybody who wants the same. Rejects only when `signal` aborts. */
  async snapshot(wanted: Wanted, signal: AbortSignal): Promise<Snapshot> {
    const key = JSON.stringify([wanted.atSeconds, wanted.windowSeconds, wanted.compare])
    const { clock, refreshSeconds } = this.#options
    if (wanted.atSeconds === null) {
      const known = this.#live.get(key)
      if (known !== undefined && clock() - known.takenAtSeconds < refreshSeconds) return known.snapshot
    } else {
      const known = this.#past.get(key)
      if (known !== null) return known
    }
    return this.#under.read(key, signal, (all) => this.#take(key, wanted, all))
  }

  async #take(key: string, wanted: Wanted, signal: AbortSignal): Promise<Snapshot> {
    // Every query of a snapshot listens to it; Node would take more than ten for a leak.
    setMaxListeners(0, signal)
    const { clock, refreshSeconds, roster, rateWindow } = this.#options
    await roster?.look()
    // One and the same set for the whole snapshot.
    const readers = this.readers
    const startedAt = clock()
    // The rate window follows from the scrape intervals.
    await this.#ready.wait(readers, startedAt, signal)
    const windowSeconds = wanted.windowSeconds ?? rateWindow.seconds(readers)
    const live = wanted.atSeconds === null
    const atSeconds = wanted.atSeconds ?? newestInstant(startedAt)
    const axis = axisTo(atSeconds, windowSeconds)
    const hot = live ? this.#hot.now(this.newest(), startedAt) : []
    const reading = { atSeconds, windowSeconds, axis, live, hot }
    const early = live && wanted.compare === null ? this.#earlyPicture(readers, reading, signal) : null
    const [present, compared] = await this.#slow.duringFast(() =>
      Promise.all([
        Promise.all(
          readers.map(async (reader, index) => {
            const whole = await reader.read(reading, startedAt, signal, (told) => early?.told(index, told))
            early?.arrived(index, whole)
            return whole
          }),
        ),
        wanted.compare === null ? null : this.#compare.read(readers, wanted.compare, reading, signal),
      ]),
    )
    const readings = await withPast(present, this.#behind)
    const around = early?.drawn?.around ?? (await surroundingsOf(readers, readings, reading, signal))
    // What was given up says nothing about the clusters.
    signal.throwIfAborted()
    let snapshot = this.#judge(readings, reading, compared, around, early?.drawn)
    if (!live && snapshot.judgement.suspects.length > 0) {
      snapshot = this.#judge(readings, reading, compared, await withSuspects(around, readers, snapshot, signal))
      signal.throwIfAborted()
    }
    if (live) {
      this.#setLive(key, { snapshot, takenAtSeconds: startedAt, readings, reading, compared })
      readings.forEach(({ later }, index) => {
        if (later !== undefined) void this.#amendWith(later, key, index, reading)
      })
      this.#slow.arm(readers, windowSeconds, clock() + refreshSeconds)
      const taken = snapshot
      this.#behind.run(() => askOn(readers, readings, taken, clock()))
      // Other rate windows are kept only while somebody looks at them.
      for (const [other, { takenAtSeconds }] of this.#live) {
        if (startedAt - takenAtSeconds > 10 * refreshSeconds) this.#dropLive(other)
      }
      this.#options.onSnapshot?.(snapshot)
    } else {
      this.#past.put(key, snapshot)
    }
    return snapshot
  }

  /**
   * A cluster that was late has answered: the snapshot that went out without it is judged anew with it, so that
   * viewers see it when they look next and not only after another refresh. Of a large fleet that takes seconds: what
   * comes in meanwhile is judged together.
   */
  async #amendWith(later: Promise<ClusterReading>, key: string, index: number, { atSeconds }: Reading): Promise<void> {
    const whole = await later.catch(() => null)
    const live = this.#live.get(key)
    if (whole === null || live === undefined) return
    const late = live.readings[index]
    // Of an older snapshot: what has come in since is newer.
    if (live.reading.atSeconds !== atSeconds || late?.later !== later) return
    const [amended = whole] = await withPast([whole], this.#behind)
    this.#live.set(key, { ...live, readings: live.readings.with(index, amended) })
    if (amended.later !== undefined) void this.#amendWith(amended.later, key, index, live.reading)
    live.again.ask()
  }

  #judgeAgain(key: string): void {
    const live = this.#live.get(key)
    if (live === undefined) return
    const around = knownSurroundings(this.readers, live.reading.atSeconds)
    const snapshot = this.#judge(live.readings, live.reading, live.compared, around)
    this.#live.set(key, { ...live, snapshot })
    this.#options.onSnapshot?.(snapshot)
  }

  /** What is newest stands last; what was to be judged of the one before it no longer is. */
  #setLive(key: string, live: Omit<Live, 'again'>): void {
    this.#dropLive(key)
    this.#live.set(key, { ...live, again: new Spaced(() => this.#judgeAgain(key)) })
  }

  #dropLive(key: string): void {
    this.#live.get(key)?.again.cancel()
    this.#live.delete(key)
  }

  /** Null while early pictures do not help: where what comes last is judged by, or is not waited for. */
  #earlyPicture(readers: readonly ClusterReader[], reading: Reading, signal: AbortSignal): EarlyPicture | null {
    if (this.#useless >= USELESS_EARLY) {
      this.#useless = this.#useless > WITHOUT_EARLY ? 0 : this.#useless + 1
      return null
    }
    return new EarlyPicture(readers.length, signal, (readings) => {
      const around = knownSurroundings(readers, reading.atSeconds)
      return { picture: this.#draw(viewsOf(readings, null, around), reading, null, around), around }
    })
  }

  #draw(views: readonly ClusterView[], reading: Reading, compared: Compared | null, around: Around): Picture {
    const { atSeconds, windowSeconds, axis } = reading
    const { stitchConfig, goals } = this.#options
    const inventories = new Map([...around].map(([name, { inventory }]) => [name, inventory]))
    const compare = compared?.window ?? null
    return drawPicture(views, { atSeconds, windowSeconds, axis, compare, stitchConfig, goals, inventories })
  }

  #judge(
    readings: readonly ClusterReading[],
    reading: Reading,
    compared: Compared | null,
    around: Around,
    early: Drawn | null = null,
  ): Snapshot {
    const { atSeconds, windowSeconds } = reading
    const { roster, rateWindow } = this.#options
    const views = viewsOf(readings, compared, around)
    const completed = early === null ? null : withPercentiles(early.picture, views)
    if (early !== null) this.#useless = completed === null ? this.#useless + 1 : 0
    const { situation, judgement, verdict: found } = completed ?? this.#draw(views, reading, compared, around)
    const verdict = reading.live && compared === null ? this.#memory.say(found, atSeconds) : found
    this.#sequence += 1
    return {
      id: `${atSeconds.toString(36)}-${windowSeconds}-${this.#sequence.toString(36)}`,
      atSeconds,
      windowSeconds,
      refreshSeconds: this.#options.refreshSeconds,
      clusters: readings.map(({ summary }) => summary),
      gaps: [
        ...readings.flatMap(({ gaps }) => gaps),
        ...(reading.live ? surroundingGaps(this.readers, readings) : []),
        ...(compared?.gaps ?? []),
        ...(roster?.gaps() ?? []),
        ...rateWindow.gaps(this.readers, windowSeconds, atSeconds),
      ],
      situation,
      judgement,
      verdict: roster?.tempered(verdict) ?? verdict,
      watch: reading.live ? this.#memory.watch : null,
    }
  }
}
