import type { Kept } from './kept.ts'

/** Values of the label that tells clusters apart, and when each was last seen (unix seconds). */
export type Names = ReadonlyMap<string, number>

/** Clocks are set right while a process is down. */
const AHEAD_SECONDS = 60
/** Written down again after this part of the time for which a cluster that is gone is remembered. */
const PART_OF_MEMORY = 0.1

/**
 * Which clusters an endpoint holds, for a next process that is started while it cannot tell, or no longer has one of
 * them. They are few: they are written down as soon as they change, and now and then to say when they were last seen.
 */
export class KnownNames {
  readonly #kept: Kept<Names>
  readonly #forgetAfterSeconds: number
  /** The values as they were written down, in one text, and when. */
  #written = { text: '', atSeconds: Number.NEGATIVE_INFINITY }

  constructor(kept: Kept<Names>, forgetAfterSeconds: number) {
    this.#kept = kept
    this.#forgetAfterSeconds = forgetAfterSeconds
  }

  /** What a process before this one knew and would not have forgotten by now. */
  async recall(nowSeconds: number): Promise<Names> {
    const kept: unknown = await this.#kept.load()
    // Another build may have kept something else.
    const found: Names = kept instanceof Map ? kept : new Map()
    const isRecent = (seenAtSeconds: number) =>
      nowSeconds - seenAtSeconds <= this.#forgetAfterSeconds && seenAtSeconds - nowSeconds <= AHEAD_SECONDS
    return new Map([...found].filter(([, seenAtSeconds]) => isRecent(seenAtSeconds)))
  }

  /** Resolves when they are written down, if they have to be. */
  async note(names: Names, nowSeconds: number): Promise<void> {
    const text = JSON.stringify([...names.keys()].sort())
    // A clock that was set back: times that lie ahead would not be believed.
    const isFresh = Math.abs(nowSeconds - this.#written.atSeconds) < PART_OF_MEMORY * this.#forgetAfterSeconds
    if (names.size === 0 || (isFresh && text === this.#written.text)) return
    this.#written = { text, atSeconds: nowSeconds }
    const copy = new Map(names)
    await this.#kept.save(() => copy)
  }
}
