/** Since when each thing has been so. What is no longer told is forgotten, and begins anew when it is back. */
export class Since {
  readonly #at = new Map<string, number>()

  /** For each of the things that are so now, in order: since when, in the unit of `now`. */
  note(things: readonly string[], now: number): readonly number[] {
    for (const known of this.#at.keys()) if (!things.includes(known)) this.#at.delete(known)
    return this.noteSome(things, now)
  }

  /** The same of some of the things that are so: the others are not forgotten. */
  noteSome(things: readonly string[], now: number): readonly number[] {
    return things.map((thing) => {
      const since = this.#at.get(thing) ?? now
      this.#at.set(thing, since)
      return since
    })
  }

  /** Since when it is so as far as it was noted last; null: it was not so then. */
  of(thing: string): number | null {
    return this.#at.get(thing) ?? null
  }
}
