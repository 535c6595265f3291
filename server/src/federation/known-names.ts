import type { Kept } from './kept.ts'

/** Values of the label that tells clusters apart, and when each was last seen (unix seconds). */
export type Names = ReadonlyMap<string, number>

/** Clocks are set right while a process is down. */
const AHEAD_SECONDS = 60
/** Written down again after this part of the time for which a cluster that is gone is remembered. */
const PART_OF_MEMORY = 0.1

/**
 * Which clusters an endpoint holds, for a next process that is started while it cannot tell, or no longer has one of
 * them. They are few: they are written down as soon as they or who of them is there change, and now and then to say when
 * they were last seen.
 */
export class KnownNames {
  readonly #kept: Kept<Names>
  readonly #forgetAfterSeconds: number
  /** The values as they were written down and whether each was there, in one text, and when. */
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

  /** Of a look at `nowSeconds`. Resolves when they are written down, if they have to be. */
  async note(names: Names, nowSeconds: number): Promise<void> {
    // Since when one is gone tells for what time it can still be asked.
    const text = JSON.stringify(
      [...names].map(([value, seenAtSeconds]) => [value, seenAtSeconds === nowSeconds]).sort(),
    )
    // A clock that was set back: times that lie ahead would not be believed.
    const isFresh = Math.abs(nowSeconds - this.#written.atSeconds) < PART_OF_MEMORY * this.#forgetAfterSeconds
    if (isFresh && text === this.#written.text) return
    this.#written = { text, atSeconds: nowSeconds }
    await this.keep(names)
  }

  /** The process ends: when each was last seen is written down, however lately it was. */
  async keep(names: Names): Promise<void> {
    if (names.size === 0) return
    const copy = new Map(names)
    await this.#kept.save(() => copy)
  }
}
