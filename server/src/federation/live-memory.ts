import { type Said, settled } from '../domain/settled.ts'
import type { Verdict } from '../domain/verdict.ts'
import { looked, type Watch } from '../domain/watch.ts'

/** What is remembered from one live view to the next. */
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
