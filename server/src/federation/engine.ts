import { setMaxListeners } from 'node:events'
import type { Goal } from '../domain/goals.ts'
import { drawPicture, type Picture, withPercentiles, withRequests } from '../domain/picture.ts'
import type { Turns } from '../domain/turns.ts'
import { Behind } from './behind.ts'
import { Calm } from './calm.ts'
import type { ClusterReader } from './cluster-reader.ts'
import type { ClusterReading } from './cluster-reading.ts'
import { CompareReader } from './compare.ts'
import { EarlyPicture, EarlyUse } from './early-picture.ts'
import type { EngineOptions, Wanted } from './engine-options.ts'
import { GettingReady } from './getting-ready.ts'
import { HotWorkloads } from './hot-workloads.ts'
import { inTurns } from './in-turns.ts'
import { axisTo, isSettled, newestInstant } from './instants.ts'
import { isYounger } from './is-younger.ts'
import { LiveMemories } from './live-memory.ts'
import { PastSnapshots } from './past-snapshots.ts'
import type { Reading } from './reading.ts'
import { SharedReads } from './shared-reads.ts'
import { SlowSchedule } from './slow-schedule.ts'
import type { Snapshot } from './snapshot.ts'
import { Spaced } from './spaced.ts'
import { askOn, knownSurroundings, surroundingGaps, surroundingsOf, withSuspects } from './surroundings.ts'
import { isWhole, type Live, type Taken, type Told } from './taken.ts'
import { viewsOf } from './views-of.ts'
import { withPast } from './with-past.ts'

/** Clusters that take longer than this part of the soft deadline for their first answers hold up nobody. */
const PATIENT_FOR = 3

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
  readonly #memories = new LiveMemories()
  readonly #ready = new GettingReady()
  readonly #behind: Behind
  #sequence = 0
  readonly #earlyUse = new EarlyUse()
  readonly #calm: Calm
  readonly #compare: CompareReader
  readonly #leaving = new AbortController()

  constructor(options: EngineOptions) {
    this.#options = options
    this.#behind = new Behind(options.isAnswering)
    this.#past = new PastSnapshots(options.pastSnapshotBytes)
    this.#compare = new CompareReader(options.softDeadlineSeconds)
    this.#calm = new Calm(options.softDeadlineSeconds / PATIENT_FOR)
    // Whatever is asked behind snapshots listens to it; Node would take more than ten for a leak.
    setMaxListeners(0, this.#leaving.signal)
    const instant = (windowSeconds: number) => {
      const atSeconds = newestInstant(options.clock())
      return { atSeconds, axis: axisTo(atSeconds, windowSeconds) }
    }
    this.#slow = new SlowSchedule({ clock: options.clock, instant, behind: this.#behind })
  }

  /** Somebody has these workloads on screen: their percentiles come with each refresh. */
  lookedAt(ids: Iterable<string>): void {
    this.#hot.lookedAt(ids, this.#options.clock(), this.#options.refreshSeconds)
  }

  close(): void {
    this.#leaving.abort()
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

  get refreshSeconds(): number {
    return this.#options.refreshSeconds
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
      if (known !== undefined && isYounger(known.takenAtSeconds, clock(), refreshSeconds)) return known.snapshot
    } else {
      const known = this.#past.get(key, clock())
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
    const { compare } = wanted
    const last = compare === null ? (this.#live.get(key)?.drawn ?? null) : null
    let taken = await this.#slow.duringFast(() => this.#read(readers, reading, compare, last, signal))
    if (!live && taken.picture.judgement.suspects.length > 0) {
      const around = await withSuspects(taken.around, readers, taken.readings, taken.picture, atSeconds, signal)
      signal.throwIfAborted()
      taken = { ...taken, picture: await inTurns(this.#draw({ ...taken, around }, reading), signal) }
    }
    const { readings, compared, drawn } = taken
    const snapshot = this.#snapshotOf(taken, reading, wanted)
    if (live) {
      this.#setLive(key, { snapshot, takenAtSeconds: startedAt, wanted, readings, reading, compared, drawn })
      readings.forEach((told, index) => void this.#amend(told, key, index, drawn.situation.atSeconds))
      for (const { lanes } of readers) lanes.cap.snapshotTook(clock() - startedAt)
      this.#slow.arm(readers, windowSeconds, clock() + refreshSeconds)
      this.#behind.run(() => {
        askOn(readers, readings, snapshot, clock(), this.#leaving.signal)
        for (const { last } of readers) last.keepNowAndThen()
      })
      // Other rate windows are kept only while somebody looks at them.
      for (const [other, { takenAtSeconds }] of this.#live) {
        if (startedAt - takenAtSeconds > 10 * refreshSeconds) this.#dropLive(other)
      }
      this.#options.onSnapshot?.(snapshot)
    } else {
      const standsForGood = isWhole(taken, roster?.gaps() ?? []) && isSettled(atSeconds, startedAt)
      this.#past.put(key, snapshot, standsForGood ? undefined : clock() + refreshSeconds)
    }
    return snapshot
  }

  /** Asks all clusters, and draws what they told. `last`: the picture whose calls may stand. */
  async #read(
    readers: readonly ClusterReader[],
    wanted: Reading,
    compare: Wanted['compare'],
    last: Picture | null,
    signal: AbortSignal,
  ): Promise<Taken> {
    const nowSeconds = this.#options.clock()
    const vote = this.#calm.vote(readers, wanted, last)
    const reading = vote === null ? wanted : { ...wanted, calm: vote }
    const early = reading.live && compare === null ? this.#earlyPicture(readers, reading, signal) : null
    const [present, compared] = await Promise.all([
      Promise.all(
        readers.map(async (reader, index) => {
          const whole = await reader.read(reading, nowSeconds, signal, (told) => early?.told(index, told))
          early?.arrived(index, whole)
          return whole
        }),
      ),
      compare === null ? null : this.#compare.read(readers, compare, reading, signal),
    ])
    const readings = await withPast(present, this.#behind)
    const standing = vote?.asked === false ? last : null
    const drawn = standing === null ? ((await early?.drawn()) ?? null) : null
    const around = drawn?.around ?? (await surroundingsOf(readers, readings, reading, signal))
    // What was given up says nothing about the clusters.
    signal.throwIfAborted()
    const told = { readings, compared, around }
    const views = viewsOf(readings, compared, around)
    if (vote !== null) this.#calm.decided(vote.asked !== false)
    if (standing !== null) {
      const picture = await inTurns(withRequests(standing, views), signal)
      return { ...told, picture, drawn: standing }
    }
    const completed = drawn && (await inTurns(withPercentiles(drawn.picture, views), signal))
    if (drawn !== null) this.#earlyUse.was(completed !== null)
    const picture = completed ?? (await inTurns(this.#draw(told, reading), signal))
    return { ...told, picture, drawn: picture }
  }

  /**
   * A cluster that was late has answered: the snapshot that went out without it is judged anew with it, so that
   * viewers see it when they look next and not only after another refresh. Of a large fleet that takes seconds: what
   * comes in meanwhile is judged together.
   */
  async #amend({ later, past }: ClusterReading, key: string, index: number, drawnAtSeconds: number): Promise<void> {
    if (later === undefined) return
    const whole = await later.catch(() => null)
    if (whole === null) return
    if (past?.much === true) this.#calm.pastCameFor(drawnAtSeconds)
    // Of an older snapshot: what has come in since is newer.
    const isNewest = () => this.#live.get(key)?.readings[index]?.later === later
    if (!isNewest()) return
    const [amended = whole] = await withPast([whole], this.#behind)
    // Others may have come in meanwhile, or a newer snapshot.
    const live = this.#live.get(key)
    if (live === undefined || !isNewest()) return
    this.#live.set(key, { ...live, readings: live.readings.with(index, amended) })
    void this.#amend(amended, key, index, drawnAtSeconds)
    live.again.ask()
  }

  async #judgeAgain(key: string, signal: AbortSignal): Promise<void> {
    const live = this.#live.get(key)
    if (live === undefined) return
    const around = knownSurroundings(this.readers, live.reading.atSeconds)
    const { wanted, readings, reading, compared } = live
    const stands = live.drawn.situation.atSeconds !== reading.atSeconds
    const drawn = stands ? live.drawn : await inTurns(this.#draw({ readings, compared, around }, reading), signal)
    const views = viewsOf(readings, compared, around)
    const picture = stands ? await inTurns(withRequests(drawn, views), signal) : drawn
    signal.throwIfAborted()
    const snapshot = this.#snapshotOf({ readings, compared, around, picture, drawn }, reading, wanted)
    // More may have come in while it was drawn, which is judged next.
    this.#live.set(key, { ...(this.#live.get(key) ?? live), snapshot, drawn })
    this.#options.onSnapshot?.(snapshot)
  }

  /** What is newest stands last; what was to be judged of the one before it no longer is. */
  #setLive(key: string, live: Omit<Live, 'again'>): void {
    this.#dropLive(key)
    this.#live.set(key, { ...live, again: new Spaced((signal) => this.#judgeAgain(key, signal)) })
  }

  #dropLive(key: string): void {
    this.#live.get(key)?.again.cancel()
    this.#live.delete(key)
  }

  /** Null while early pictures do not help: where what comes last is judged by, or is not waited for. */
  #earlyPicture(readers: readonly ClusterReader[], reading: Reading, signal: AbortSignal): EarlyPicture | null {
    if (!this.#earlyUse.worthIt) return null
    return new EarlyPicture(readers.length, signal, (readings) => {
      const around = knownSurroundings(readers, reading.atSeconds)
      return { picture: this.#draw({ readings, compared: null, around }, reading), around }
    })
  }

  #draw({ readings, compared, around }: Told, reading: Reading): Turns<Picture> {
    const { atSeconds, windowSeconds, axis } = reading
    const { stitchConfig, goals } = this.#options
    const inventories = new Map([...around].map(([name, { inventory }]) => [name, inventory]))
    const compare = compared?.window ?? null
    const views = viewsOf(readings, compared, around)
    const edgesBefore = this.newest()?.situation.stitched.edges ?? []
    const of = { atSeconds, windowSeconds, axis, compare, stitchConfig, goals, inventories, edgesBefore }
    return drawPicture(views, of)
  }

  #snapshotOf({ readings, compared, picture }: Taken, reading: Reading, wanted: Wanted): Snapshot {
    const { atSeconds, windowSeconds } = reading
    const { roster, rateWindow } = this.#options
    const { situation, judgement, verdict: found } = picture
    const memory = this.#memories.of(reading)
    const verdict = reading.live && compared === null ? memory.say(found, atSeconds, windowSeconds) : found
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
        ...rateWindow.gaps(this.readers, reading, wanted.windowSeconds),
      ],
      situation,
      judgement,
      verdict: roster?.tempered(verdict) ?? verdict,
      watch: reading.live ? memory.watch : null,
    }
  }
}
