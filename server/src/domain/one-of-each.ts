/** More than a fleet of 10 000 workloads has of anything; what comes and goes, addresses above all, gets there in time. */
const MOST_KEPT = 131_072

/**
 * One object for all that say the same. Thousands of label sets name one and the same workload: a reference, a text and
 * a set for each of them are memory, and equal texts that are not one and the same have to be compared letter by letter
 * wherever something is looked up by them. Beyond `most` it begins anew: what was handed out stays as it is.
 */
export class OneOfEach<V> {
  readonly #known = new Map<string, V>()
  readonly #most: number

  constructor(most = MOST_KEPT) {
    this.#most = most
  }

  /** The first one that was made by this key, which has to tell all that it says. Not to be changed. */
  of(key: string, make: () => V): V {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    if (this.#known.size >= this.#most) this.#known.clear()
    const made = make()
    this.#known.set(key, made)
    return made
  }
}
