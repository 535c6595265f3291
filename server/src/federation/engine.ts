import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { assess } from '../domain/assess.ts'
import type { Axis } from '../domain/baseline.ts'
import { withKnownClusters } from '../domain/known-clusters.ts'
import { emptyObservation } from '../domain/observation.ts'
import { situationOf } from '../domain/situation.ts'
import { stitch } from '../domain/stitch/stitch.ts'
import type { StitchConfig } from '../domain/stitch/types.ts'
import { buildWorld } from '../domain/stitch/world.ts'
import { judge } from '../domain/suspects.ts'
import { verdictOf } from '../domain/verdict.ts'
import type { ClusterReader, ClusterReading } from './cluster-reader.ts'
import { type Compared, CompareReader, type CompareWith } from './compare.ts'
import type { RateWindow } from './rate-window.ts'
import type { Roster } from './roster.ts'
import type { Snapshot } from './snapshot.ts'

export interface EngineOptions {
  /** Asked anew for each snapshot: clusters may come and go while the server runs. */
  readonly readers: () => readonly ClusterReader[]
  readonly stitchConfig: StitchConfig
  readonly refreshSeconds: number
  readonly rateWindow: RateWindow
  /** Finds out which clusters there are; unset: they are known. */
  readonly roster?: Pick<Roster, 'look' | 'gaps' | 'tempered'>
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

const ALIGN_SECONDS = 5
/** The newest scrape needs a moment to be in. */
const LAG_SECONDS = 2
const PREPARE_SECONDS = 2
const HISTORY_SECONDS = 4_500
const PAST_SNAPSHOTS_KEPT = 20

/**
 * Takes snapshots: one per refresh however many watch it, none when nobody asks, one at a time. Callers that want
 * the same one wait for the same one.
 */
export class SnapshotEngine {
  readonly #options: EngineOptions
  #live = new Map<string, { snapshot: Snapshot; takenAtSeconds: number }>()
  #under = new Map<string, { promise: Promise<Snapshot>; waiting: number; abort: AbortController }>()
  #past = new Map<string, Snapshot>()
  #sequence = 0
  readonly #compare = new CompareReader()

  constructor(options: EngineOptions) {
    this.#options = options
  }

  get readers(): readonly ClusterReader[] {
    return this.#options.readers()
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
      if (known !== undefined) return known
    }
    return this.#join(key, wanted, signal)
  }

  /** Single flight: the work goes on while at least one caller waits for it, and is cancelled when none does. */
  async #join(key: string, wanted: Wanted, signal: AbortSignal): Promise<Snapshot> {
    let flight = this.#under.get(key)
    if (flight === undefined) {
      const abort = new AbortController()
      // Every query of a snapshot listens to it; Node would take more than ten for a leak.
      setMaxListeners(0, abort.signal)
      const promise = this.#take(key, wanted, abort.signal).finally(() => this.#under.delete(key))
      // Whoever waits sees the failure; without a waiter it must not end the process.
      promise.catch(() => undefined)
      flight = { promise, waiting: 0, abort }
      this.#under.set(key, flight)
    }
    const joined = flight
    joined.waiting += 1
    const leave = () => {
      joined.waiting -= 1
      if (joined.waiting === 0) joined.abort.abort(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await joined.promise
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  async #take(key: string, wanted: Wanted, signal: AbortSignal): Promise<Snapshot> {
    const { clock, refreshSeconds, roster, rateWindow } = this.#options
    await roster?.look()
    // One and the same set for the whole snapshot.
    const readers = this.readers
    const startedAt = clock()
    // The rate window follows from the scrape intervals; who does not tell in time does not hold the others.
    await Promise.race([
      Promise.all(readers.map((reader) => reader.prepare(startedAt, signal).catch(() => undefined))),
      sleep(PREPARE_SECONDS * 1000, null, { ref: false }),
    ])
    const windowSeconds = wanted.windowSeconds ?? rateWindow.seconds(readers)
    const live = wanted.atSeconds === null
    const atSeconds = wanted.atSeconds ?? Math.floor((startedAt - LAG_SECONDS) / ALIGN_SECONDS) * ALIGN_SECONDS
    const axis = axisTo(atSeconds, windowSeconds)
    const reading = { atSeconds, windowSeconds, axis, live }
    const [readings, compared] = await Promise.all([
      Promise.all(readers.map((reader) => reader.read(reading, startedAt, signal))),
      wanted.compare === null ? null : this.#compare.read(readers, wanted.compare, reading, signal),
    ])
    const snapshot = this.#judge(readings, reading, compared)
    if (live) {
      this.#live.delete(key)
      this.#live.set(key, { snapshot, takenAtSeconds: startedAt })
      // Other rate windows are kept only while somebody looks at them.
      for (const [other, { takenAtSeconds }] of this.#live) {
        if (startedAt - takenAtSeconds > 10 * refreshSeconds) this.#live.delete(other)
      }
      this.#options.onSnapshot?.(snapshot)
    } else {
      this.#past.set(key, snapshot)
      for (const oldest of this.#past.keys()) {
        if (this.#past.size <= PAST_SNAPSHOTS_KEPT) break
        this.#past.delete(oldest)
      }
    }
    return snapshot
  }

  #judge(
    readings: readonly ClusterReading[],
    reading: { atSeconds: number; windowSeconds: number; axis: Axis; live: boolean },
    compared: Compared | null,
  ): Snapshot {
    const { atSeconds, windowSeconds, axis } = reading
    const { roster, rateWindow } = this.#options
    const views = readings.map(({ view }) => ({
      ...view,
      // A cluster without that stretch has no usual values; its calm history would be another comparison.
      compare: compared === null ? null : (compared.observations.get(view.name) ?? emptyObservation(view.name, 1)),
    }))
    const clusters = withKnownClusters(views)
    const observations = clusters.map((view) => ({
      now: view.now ?? emptyObservation(view.name, 1),
      before: view.history,
      silent: view.state === 'missing',
      inventory: this.readers.find(({ name }) => name === view.name)?.detection.inventory ?? null,
    }))
    const stitched = stitch(buildWorld(observations, this.#options.stitchConfig))
    const assessment = assess(clusters, axis, atSeconds, windowSeconds, compared?.window ?? null)
    const situation = situationOf({ atSeconds, windowSeconds, axis, clusters, assessment, stitched })
    const judgement = judge(situation)
    const verdict = this.#settled(verdictOf(situation, judgement), reading.live && compared === null)
    this.#sequence += 1
    return {
      id: `${atSeconds.toString(36)}-${windowSeconds}-${this.#sequence.toString(36)}`,
      atSeconds,
      windowSeconds,
      refreshSeconds: this.#options.refreshSeconds,
      clusters: readings.map(({ summary }) => summary),
      gaps: [
        ...readings.flatMap(({ gaps }) => gaps),
        ...(compared?.gaps ?? []),
        ...(roster?.gaps() ?? []),
        ...rateWindow.gaps(this.readers, windowSeconds, atSeconds),
      ],
      situation,
      judgement,
      verdict: roster?.tempered(verdict) ?? verdict,
    }
  }

  #lastVerdict: { verdict: Snapshot['verdict']; quietRounds: number } | null = null

  /** The verdict turns quiet only after two evaluations in a row: a single calm look may be a pause. */
  #settled(verdict: Snapshot['verdict'], live: boolean): Snapshot['verdict'] {
    if (!live) return verdict
    const last = this.#lastVerdict
    const troubled = last !== null && (last.verdict.form === 'suspect' || last.verdict.form === 'several')
    if (verdict.form === 'quiet' && troubled && last.quietRounds === 0) {
      this.#lastVerdict = { verdict: last.verdict, quietRounds: 1 }
      return last.verdict
    }
    this.#lastVerdict = { verdict, quietRounds: 0 }
    return verdict
  }
}

/** The history's steps up to an instant: a quarter of the rate window apart, 300 at a rate window of a minute. */
export function axisTo(atSeconds: number, windowSeconds: number): Axis {
  const stepSeconds = windowSeconds / 4
  const steps = Math.round(Math.max(HISTORY_SECONDS, 75 * windowSeconds) / stepSeconds)
  const last = Math.floor(atSeconds / stepSeconds) * stepSeconds
  return { fromSeconds: last - (steps - 1) * stepSeconds, stepSeconds, steps }
}
