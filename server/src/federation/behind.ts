import { isUnderWay } from './in-turns.ts'

/** An answer is being written by then: it counts from when the snapshot is drawn. */
const BEHIND_MS = 250
const LOOK_MS = 100
/** Of a large fleet answers are written and compressed for seconds, but there may always be somebody's. */
const MOST_LOOKS = 100
/** Drawing takes some seconds then, beside clusters on the same machine; but others may always have one drawn. */
const MOST_LOOKS_DRAWING = 300

/**
 * What is asked for the snapshots to come, and nobody waits for: it begins when those who wait for the present one have
 * it. Begun at once it takes the processor from them, here and at a Prometheus on the same machine.
 */
export class Behind {
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #isAnswering: () => boolean
  readonly #pauseMs: number
  readonly #isDrawing: () => boolean
  #closed = false

  /** `isAnswering`, `isDrawing`: whether answers, or what they are made of, are being made for those who wait. */
  constructor(isAnswering: () => boolean = () => false, pauseMs = BEHIND_MS, isDrawing = isUnderWay) {
    this.#isAnswering = isAnswering
    this.#pauseMs = pauseMs
    this.#isDrawing = isDrawing
  }

  run(begin: () => void): void {
    this.#after(0, () => this.#whenDrawn(begin, MOST_LOOKS_DRAWING))
  }

  #whenDrawn(begin: () => void, looks: number): void {
    const again = () => this.#whenDrawn(begin, looks - 1)
    if (looks > 0 && this.#isDrawing()) this.#after(LOOK_MS, again)
    else
      this.#after(this.#pauseMs, () => {
        if (looks > 0 && this.#isDrawing()) again()
        else this.#whenAnswered(begin, MOST_LOOKS)
      })
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
