/** A first answer of a new build may be one server of several that is rolled out, or rolled back. */
const SURE_AFTER_MS = 30_000
/** Twenty screens must not come at once. */
const SPREAD_MS = 60_000

/** Tells when to load the picture anew: another build in two answers 30 s apart, then a random moment within a minute. */
export class VersionWatch {
  readonly #random: () => number
  #own: string | null = null
  #other: { readonly build: string; readonly sinceMs: number } | null = null
  #dueMs = Number.POSITIVE_INFINITY

  constructor(random: () => number = Math.random) {
    this.#random = random
  }

  /** The build that is on the screen from now on. */
  shows(build: string): void {
    this.#own = build
    this.#other = null
    this.#dueMs = Number.POSITIVE_INFINITY
  }

  /** An answer of this build came. */
  note(build: string, nowMs: number): void {
    if (this.#own === null || build === this.#own) {
      this.#other = null
      this.#dueMs = Number.POSITIVE_INFINITY
      return
    }
    if (this.#other?.build !== build) this.#other = { build, sinceMs: nowMs }
    else if (nowMs - this.#other.sinceMs >= SURE_AFTER_MS && this.#dueMs === Number.POSITIVE_INFINITY)
      this.#dueMs = nowMs + this.#random() * SPREAD_MS
  }

  isDue(nowMs: number): boolean {
    return nowMs >= this.#dueMs
  }
}
