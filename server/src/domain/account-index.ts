/** Account numbers of one kind by name; names of nodes, which are nearly all, by the node's place. */
export class AccountIndex {
  readonly #places: ReadonlyMap<string, number>
  #byPlace: Int32Array | null = null
  readonly #byName = new Map<string, number>()

  constructor(places: ReadonlyMap<string, number>) {
    this.#places = places
  }

  get(name: string): number | undefined {
    const place = this.#places.get(name)
    if (place === undefined) return this.#byName.get(name)
    const account = this.atPlace(place)
    return account === -1 ? undefined : account
  }

  set(name: string, account: number): void {
    const place = this.#places.get(name)
    if (place === undefined) this.#byName.set(name, account)
    else this.setPlace(place, account)
  }

  /** -1: none yet. */
  atPlace(place: number): number {
    return this.#byPlace === null ? -1 : (this.#byPlace[place] as number)
  }

  setPlace(place: number, account: number): void {
    this.#byPlace ??= new Int32Array(this.#places.size).fill(-1)
    this.#byPlace[place] = account
  }
}
