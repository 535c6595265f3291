interface Held<T> {
  readonly value: T
  /** Unix seconds. */
  readonly atSeconds: number
}

/** Each holds everything that a cluster tells. */
export const MOST_WINDOWS = 8

/** One value for each rate window that is looked at; what is of windows that nobody looks at any more is forgotten. */
export class PerWindow<T> {
  readonly #held = new Map<number, Held<T>>()
  readonly #goodForSeconds: number

  constructor(goodForSeconds: number) {
    this.#goodForSeconds = goodForSeconds
  }

  get(windowSeconds: number): T | null {
    return this.#held.get(windowSeconds)?.value ?? null
  }

  /** Of the window that is looked at longest. */
  get first(): T | null {
    const [first] = this.#held.values()
    return first?.value ?? null
  }

  /** Of all windows that are looked at. */
  *values(): Iterable<T> {
    for (const { value } of this.#held.values()) yield value
  }

  set(windowSeconds: number, atSeconds: number, value: T): void {
    this.#held.set(windowSeconds, { value, atSeconds })
    const others = [...this.#held].filter(([other]) => other !== windowSeconds)
    others.sort(([, a], [, b]) => b.atSeconds - a.atSeconds)
    for (const [index, [other, held]] of others.entries()) {
      // What lies far ahead is of a clock that was set back.
      const isOld = Math.abs(atSeconds - held.atSeconds) > this.#goodForSeconds
      if (isOld || index >= MOST_WINDOWS - 1) this.#held.delete(other)
    }
  }
}
