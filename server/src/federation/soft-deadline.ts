import { setTimeout as sleep } from 'node:timers/promises'

/** Work under way. `early` is what is known of it before it is done. */
interface Under<T> {
  readonly atSeconds: number
  readonly sinceMs: number
  readonly whole: Promise<T>
  early: T | null
}

/** Waits for work until a soft deadline; past it the work goes on, and is late while not even a part of it is known. */
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

  late(): { readonly atSeconds: number; readonly whole: Promise<T> } | null {
    const overMs = performance.now() - this.#afterSeconds * 1_000
    return [...this.#under.values()].find(({ sinceMs, early }) => early === null && sinceMs <= overMs) ?? null
  }

  /** Joins the work of this key, or begins it; `tell` takes what is known of it before it is done. */
  async wait(
    key: string,
    atSeconds: number,
    begin: (tell: (early: T) => void) => Promise<T>,
  ): Promise<{ readonly inTime: T | null; readonly early: T | null; readonly whole: Promise<T> }> {
    const under = this.#under.get(key) ?? this.#begin(key, atSeconds, begin)
    const inTime = await Promise.race([under.whole, sleep(this.#afterSeconds * 1_000, null, { ref: false })])
    return { inTime, early: under.early, whole: under.whole }
  }

  #begin(key: string, atSeconds: number, begin: (tell: (early: T) => void) => Promise<T>): Under<T> {
    let tell: (early: T) => void = () => {}
    const whole = begin((early) => tell(early))
    const under: Under<T> = { atSeconds, sinceMs: performance.now(), whole, early: null }
    tell = (early) => {
      under.early = early
    }
    this.#under.set(key, under)
    const end = () => void this.#under.delete(key)
    whole.then(end, end)
    return under
  }
}
