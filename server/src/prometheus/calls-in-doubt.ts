/**
 * Calls that were under way when another one took too long. An endpoint that hangs fails those that went out together at the
 * same time, but one after the other: what they are about to tell, nobody has to find out with a further call.
 */
export class CallsInDoubt {
  readonly #underWay = new Set<Promise<void>>()
  readonly #inDoubt = new Set<Promise<void>>()

  /** Follows a call to its end. */
  follow(call: Promise<unknown>): void {
    const end = () => {
      this.#underWay.delete(ended)
      this.#inDoubt.delete(ended)
    }
    const ended = call.then(end, end)
    this.#underWay.add(ended)
  }

  /** One of them took too long. */
  raise(): void {
    for (const one of this.#underWay) this.#inDoubt.add(one)
  }

  /** One of them was answered. */
  clear(): void {
    this.#inDoubt.clear()
  }

  get any(): boolean {
    return this.#inDoubt.size > 0
  }

  /** Waits for the next of them to end. */
  next(): Promise<void> {
    return Promise.race(this.#inDoubt)
  }
}
