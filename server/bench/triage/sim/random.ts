/** A seeded source of everything that is left to chance: the same seed, the same world. */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = Math.imul(seed, 0x9e3779b1) | 0
    for (let round = 0; round < 4; round += 1) this.next()
  }

  /** Uniform in [0, 1): mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  yes(probability: number): boolean {
    return this.next() < probability
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next()
  }

  /** Evenly over orders of magnitude. */
  logBetween(low: number, high: number): number {
    return low * (high / low) ** this.next()
  }

  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.next() * items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }

  /** Different ones, in the order they were drawn; all where there are fewer. */
  some<T>(items: readonly T[], count: number): T[] {
    const left = [...items]
    const drawn: T[] = []
    while (drawn.length < count && left.length > 0) drawn.push(...left.splice(Math.floor(this.next() * left.length), 1))
    return drawn
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - this.next())
  }

  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next())
  }

  /** Of this mean; `sigma` is the spread of the logarithm. */
  lognormal(mean: number, sigma: number): number {
    return mean * Math.exp(sigma * this.normal() - (sigma * sigma) / 2)
  }
}
