const KEPT = 5
/** One snapshot that hung is not to make the next ones wait. */
const MOST_REFRESHES = 3
/** Where none is begun for so many refreshes nobody watches, and the next one follows none. */
const REFRESHES_WATCHED = 3

/**
 * By how much live snapshots take longer than `refresh`, and so follow one another more slowly: the mean of the last few,
 * because what is asked beside one makes it take longer than the next.
 */
export class Tempo {
  readonly #refreshSeconds: number
  #late: readonly number[] = []
  /** When the last one was there, unix seconds. */
  #endedAtSeconds = Number.NEGATIVE_INFINITY
  #begunAtSeconds = Number.NEGATIVE_INFINITY

  constructor(refreshSeconds: number) {
    this.#refreshSeconds = refreshSeconds
  }

  /** A snapshot is begun for an instant (unix seconds). */
  begins(atSeconds: number): void {
    if (atSeconds - this.#endedAtSeconds > REFRESHES_WATCHED * this.#refreshSeconds) this.#late = []
    this.#begunAtSeconds = atSeconds
  }

  /** It is there, so many seconds after it was begun. */
  took(seconds: number): void {
    const most = (MOST_REFRESHES - 1) * this.#refreshSeconds
    const late = Math.min(Math.max(0, seconds - this.#refreshSeconds), most)
    this.#late = [...this.#late.slice(1 - KEPT), late]
    this.#endedAtSeconds = this.#begunAtSeconds + seconds
  }

  /** Seconds; 0 where the next one could be taken in time. */
  get lateSeconds(): number {
    if (this.#late.length === 0) return 0
    return this.#late.reduce((sum, one) => sum + one, 0) / this.#late.length
  }
}
