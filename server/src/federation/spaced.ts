/** How many times as long as the work took nothing of it is done. */
const REST = 3

/**
 * Work that is asked for again and again while parts of something come in, and that is long where there is much of it:
 * it runs at once, or, soon after it ran, later and then once for all that asked, so that it never takes more than a
 * quarter of the time.
 */
export class Spaced {
  readonly #work: () => void
  /** Milliseconds that only go up. */
  readonly #now: () => number
  #restsUntil = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | null = null

  constructor(work: () => void, now: () => number = () => performance.now()) {
    this.#work = work
    this.#now = now
  }

  ask(): void {
    if (this.#timer !== null) return
    const wait = this.#restsUntil - this.#now()
    if (wait <= 0) this.#run()
    else
      this.#timer = setTimeout(() => {
        this.#timer = null
        this.#run()
      }, wait).unref()
  }

  /** Nothing that was asked for happens any more. */
  cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  #run(): void {
    const begun = this.#now()
    this.#work()
    const ended = this.#now()
    this.#restsUntil = ended + REST * (ended - begun)
  }
}
