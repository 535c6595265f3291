import { setMaxListeners } from 'node:events'
import { within } from './within.ts'

/** Work under way. `early` is what is known of it before it is done; `waiting` counts those who have not left. */
interface Under<T> {
  readonly kind: number
  readonly atSeconds: number
  readonly sinceMs: number
  readonly whole: Promise<T>
  readonly abort: AbortController
  waiting: number
  early: T | null
}

type Begin<T> = (tell: (early: T) => void, signal: AbortSignal) => Promise<T>

/**
 * Waits for work until a soft deadline; past it the work goes on, and is late while not even a part of it is known. Work of
 * one kind can stand in for work of the same kind at another instant.
 */
export class SoftDeadline<T> {
  readonly #under = new Map<string, Under<T>>()
  readonly #afterSeconds: number

  constructor(afterSeconds: number) {
    this.#afterSeconds = afterSeconds
  }

  /** Why there is no answer yet. */
  get slow(): { readonly why: string; readonly detail: string } {
    return { why: 'slow', detail: `no answer within ${this.#afterSeconds} s; still waiting for it` }
  }

  /** True while work is under way. */
  get waiting(): boolean {
    return this.#under.size > 0
  }

  /** Work of this kind that is late; null: there is none. */
  late(kind: number): { readonly atSeconds: number; readonly whole: Promise<T> } | null {
    const overMs = performance.now() - this.#afterSeconds * 1_000
    const isLate = ({ sinceMs, early, abort, ...under }: Under<T>) =>
      under.kind === kind && early === null && sinceMs <= overMs && !abort.signal.aborted
    return [...this.#under.values()].find(isLate) ?? null
  }

  /**
   * Joins the work of this kind for this instant (unix seconds), or begins it; `tell` takes what is known of it before it is done. It is given up when
   * all who joined it have left by their `signal`: nobody loses an answer because another one leaves.
   */
  async wait(
    kind: number,
    atSeconds: number,
    signal: AbortSignal,
    begin: Begin<T>,
  ): Promise<{ readonly inTime: T | null; readonly early: T | null; readonly whole: Promise<T> }> {
    signal.throwIfAborted()
    const known = this.#under.get(`${kind}/${atSeconds}`)
    const under = known === undefined || known.abort.signal.aborted ? this.#begin(kind, atSeconds, begin) : known
    under.waiting += 1
    const leave = () => {
      under.waiting -= 1
      if (under.waiting === 0) under.abort.abort(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    const inTime = await within(this.#afterSeconds, under.whole)
    return { inTime, early: under.early, whole: under.whole }
  }

  #begin(kind: number, atSeconds: number, begin: Begin<T>): Under<T> {
    const key = `${kind}/${atSeconds}`
    let tell: (early: T) => void = () => {}
    const abort = new AbortController()
    // Every query of the work listens to it; Node would take more than ten for a leak.
    setMaxListeners(0, abort.signal)
    const whole = begin((early) => tell(early), abort.signal)
    const under: Under<T> = { kind, atSeconds, sinceMs: performance.now(), whole, abort, waiting: 0, early: null }
    tell = (early) => {
      under.early = early
    }
    this.#under.set(key, under)
    const end = () => {
      if (this.#under.get(key) === under) this.#under.delete(key)
    }
    whole.then(end, end)
    return under
  }
}
