/**
 * An answer is written, compressed and sent by then, of a large fleet too: while that goes on the event loop is busy,
 * and the time counts from its end.
 */
const BEHIND_MS = 250

/**
 * What is asked for the snapshots to come, and nobody waits for: it begins when those who wait for the present one have
 * it. Begun at once it takes the processor from them, here and at a Prometheus on the same machine.
 */
export class Behind {
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #pauseMs: number
  #closed = false

  constructor(pauseMs = BEHIND_MS) {
    this.#pauseMs = pauseMs
  }

  run(begin: () => void): void {
    this.#after(0, () => this.#after(this.#pauseMs, begin))
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
