import { setMaxListeners } from 'node:events'
import type { Axis } from '../domain/baseline.ts'
import type { Behind } from './behind.ts'
import type { ClusterReader } from './cluster-reader.ts'

export interface SlowScheduleOptions {
  /** Unix seconds. */
  readonly clock: () => number
  /** The newest instant to ask for, and the history's steps up to it. */
  readonly instant: (windowSeconds: number) => { readonly atSeconds: number; readonly axis: Axis }
  /** Begins what nobody waits for once those who wait for a snapshot have it. */
  readonly behind: Pick<Behind, 'run'>
}

/**
 * Asks the slow lanes between snapshots: each cluster at a time of its own, so that they do not all work at once, and
 * never while a snapshot is being read, drawn or sent: of a large fleet one may take longer than lies between two looks
 * at its buckets, the dearest of all questions. It goes on only as far as the next snapshot would come: when nobody
 * watches any more, nothing is asked.
 */
export class SlowSchedule {
  readonly #options: SlowScheduleOptions
  readonly #armed = new Map<string, NodeJS.Timeout>()
  readonly #running = new Set<string>()
  #fastRunning = 0
  #waiting: (() => void)[] = []
  readonly #abort = new AbortController()

  constructor(options: SlowScheduleOptions) {
    this.#options = options
    setMaxListeners(0, this.#abort.signal)
  }

  /** While this runs no slow lane is begun. */
  async duringFast<T>(fast: () => Promise<T>): Promise<T> {
    this.#fastRunning += 1
    try {
      return await fast()
    } finally {
      this.#fastRunning -= 1
      if (this.#fastRunning === 0) {
        // Not held back by a second one: where one follows the other at once they would never be asked.
        for (const begin of this.#waiting.splice(0)) this.#options.behind.run(begin)
      }
    }
  }

  /** A snapshot went out: arranges the slow lanes that fall due before the next one. */
  arm(readers: readonly ClusterReader[], windowSeconds: number, untilSeconds: number): void {
    readers.forEach((reader, index) => {
      const key = `${reader.name} ${windowSeconds}`
      const askedAt = reader.slowAskedAt(windowSeconds)
      if (askedAt === null || this.#armed.has(key) || this.#running.has(key)) return
      const dueAt = slotAfter(askedAt, reader.lanes.pace.bucketRefreshSeconds, index / readers.length)
      const now = this.#options.clock()
      if (dueAt >= untilSeconds) return
      const timer = setTimeout(() => this.#due(key, reader, windowSeconds), Math.max(0, dueAt - now) * 1_000)
      timer.unref()
      this.#armed.set(key, timer)
    })
  }

  close(): void {
    for (const timer of this.#armed.values()) clearTimeout(timer)
    this.#armed.clear()
    this.#waiting = []
    this.#abort.abort()
  }

  #due(key: string, reader: ClusterReader, windowSeconds: number): void {
    this.#armed.delete(key)
    if (this.#abort.signal.aborted) return
    this.#running.add(key)
    const begin = () => {
      if (this.#abort.signal.aborted) return
      reader.lanes
        .refreshSlow({ ...this.#options.instant(windowSeconds), windowSeconds, live: true }, this.#abort.signal)
        // What a cluster does is told by the reader; an abort is ours.
        .catch(() => undefined)
        .finally(() => this.#running.delete(key))
    }
    this.#options.behind.run(() => {
      if (this.#fastRunning === 0) begin()
      else this.#waiting.push(begin)
    })
  }
}

/**
 * The clusters share an interval out among themselves: `phase` (0..1) is a cluster's place in it. The next one is at
 * least half an interval after the last, so that a first look, at which all are asked at once, is soon drawn apart.
 */
export function slotAfter(askedAtSeconds: number, everySeconds: number, phase: number): number {
  const least = askedAtSeconds + everySeconds / 2
  const offset = phase * everySeconds
  return Math.ceil((least - offset) / everySeconds) * everySeconds + offset
}
