/** What was found where something is read anew now and then. */
export type Found<T> = { readonly good: T } | { readonly wrong: string }

/**
 * The last good one of what is read anew now and then: whoever writes something bad over a good secret is not to lose
 * both. `tell` hears of it once, and once, with null, that a good one is there again.
 */
export class StillGood<T> {
  #last: { readonly good: T } | null = null
  #told: string | null = null
  readonly #tell: (wrong: string | null) => void

  constructor(tell: (wrong: string | null) => void) {
    this.#tell = tell
  }

  /** What to use from now on. Throws with what is wrong where nothing good was ever found. */
  take(found: Found<T>): T {
    if ('good' in found) this.#last = found
    else if (this.#last === null) throw new Error(found.wrong)
    const wrong = 'good' in found ? null : found.wrong
    if (wrong !== this.#told) this.#tell(wrong)
    this.#told = wrong
    return this.#last.good
  }
}
