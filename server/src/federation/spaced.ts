/** How many times as long as the work took nothing of it is done. */
const REST = 3

/**
 * Work that is asked for again and again while parts of something come in, and that is long where there is much of it:
 * it runs at once, or, soon after it ran, later and then once for all that asked, so that it never takes more than a
 * quarter of the time.
 */
export class Spaced {
  readonly #work: (signal: AbortSignal) => Promise<void>
  /** Milliseconds that only go up. */
  readonly #now: () => number
  #restsUntil = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | null = null
  /** Whether it runs, and was asked for again since. */
  #running = false
  #again = false
  readonly #leaving = new AbortController()

  /** `work` is over at once where its signal aborts. */
  constructor(work: (signal: AbortSignal) => Promise<void>, now: () => number = () => performance.now()) {
    this.#work = work
    this.#now = now
  }

  ask(): void {
    if (this.#timer !== null || this.#leaving.signal.aborted) return
    if (this.#running) {
      this.#again = true
      return
    }
    const wait = this.#restsUntil - this.#now()
    if (wait <= 0) void this.#run()
    else
      this.#timer = setTimeout(() => {
        this.#timer = null
        void this.#run()
      }, wait).unref()
  }

  /** Nothing that was asked for happens any more; for good. */
  cancel(): void {
    this.#leaving.abort()
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  async #run(): Promise<void> {
    const { signal } = this.#leaving
    const begun = this.#now()
    this.#running = true
    try {
      await this.#work(signal)
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      this.#running = false
      const ended = this.#now()
      this.#restsUntil = ended + REST * (ended - begun)
    }
    if (!this.#again) return
    this.#again = false
    this.ask()
  }
}
