/** An answer is being written by then: while a snapshot is drawn the event loop is busy, and the time counts from its end. */
const BEHIND_MS = 250
/** Of a large fleet answers are written and compressed for a second and more, but there may always be somebody's. */
const LOOK_MS = 100
const MOST_LOOKS = 30

/**
 * What is asked for the snapshots to come, and nobody waits for: it begins when those who wait for the present one have
 * it. Begun at once it takes the processor from them, here and at a Prometheus on the same machine.
 */
export class Behind {
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #isAnswering: () => boolean
  readonly #pauseMs: number
  #closed = false

  /** `isAnswering`: whether answers are being made for those who wait. */
  constructor(isAnswering: () => boolean = () => false, pauseMs = BEHIND_MS) {
    this.#isAnswering = isAnswering
    this.#pauseMs = pauseMs
  }

  run(begin: () => void): void {
    this.#after(0, () => this.#after(this.#pauseMs, () => this.#whenAnswered(begin, MOST_LOOKS)))
  }

  #whenAnswered(begin: () => void, looks: number): void {
    if (looks === 0 || !this.#isAnswering()) begin()
    else this.#after(LOOK_MS, () => this.#whenAnswered(begin, looks - 1))
  }

  /** What has not begun by now never does, nor what is still to come. */
  close(): void {
    this.#closed = true
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }

  #after(ms: number, then: () => void): void {
    if (this.#closed) return
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      then()
    }, ms)
    timer.unref()
    this.#timers.add(timer)
  }
}
