import { type Said, settled } from '../domain/settled.ts'
import type { Verdict } from '../domain/verdict.ts'
import { looked, type Watch } from '../domain/watch.ts'
import { PerWindow } from './per-window.ts'

/** Rate windows are no longer. */
const LONGEST_WINDOW_SECONDS = 3_600

/**
 * What is remembered from one live view to the next, of each rate window by itself: what a long one still sees is over in
 * a short one, and the other way round.
 */
export class LiveMemories {
  readonly #memories = new PerWindow<LiveMemory>(LONGEST_WINDOW_SECONDS)

  of({ windowSeconds, atSeconds }: { readonly windowSeconds: number; readonly atSeconds: number }): LiveMemory {
    const memory = this.#memories.get(windowSeconds) ?? new LiveMemory()
    this.#memories.set(windowSeconds, atSeconds, memory)
    return memory
  }
}

/** The same of one of them. */
export class LiveMemory {
  #said: Said | null = null
  #watch: Watch | null = null

  /** What the live view says: it keeps to the last trouble for one calm look. */
  say(verdict: Verdict, atSeconds: number, windowSeconds: number): Verdict {
    this.#said = settled(this.#said, verdict, atSeconds, windowSeconds)
    this.#watch = looked(this.#watch, this.#said.verdict, atSeconds)
    return this.#said.verdict
  }

  /** Null before the first look. */
  get watch(): Watch | null {
    return this.#watch
  }
}
