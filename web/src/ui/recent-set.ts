/** Which of many things were met, of the last `most` of them only: what grows for as long as a tab is open is no memory. */
export class RecentSet {
  readonly #met = new Set<string>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  has(name: string): boolean {
    return this.#met.has(name)
  }

  add(name: string): void {
    // A set keeps the order in which things came in.
    this.#met.delete(name)
    this.#met.add(name)
    const [oldest] = this.#met
    if (this.#met.size > this.#most && oldest !== undefined) this.#met.delete(oldest)
  }
}
