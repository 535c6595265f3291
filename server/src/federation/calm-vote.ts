/**
 * One snapshot's question to all clusters: may the calls that were asked for last stand? They are asked for anew of
 * everybody as soon as one says no, or somebody takes too long: the two ends of a call across clusters have to be of one
 * moment.
 */
export class CalmVote {
  /** Ids of those who were in trouble when calls were asked for last. */
  readonly inTrouble: ReadonlySet<string>
  /** Whether calls are asked for anew. */
  readonly mustAsk: Promise<boolean>
  #left: number
  #asked: boolean | null = null
  #resolve: (ask: boolean) => void = () => {}
  readonly #timer: NodeJS.Timeout

  /** `voters`: how many clusters there are; each says once what it has to say. */
  constructor(voters: number, patienceSeconds: number, inTrouble: ReadonlySet<string>) {
    this.#left = voters
    this.inTrouble = inTrouble
    this.mustAsk = new Promise((resolve) => {
      this.#resolve = resolve
    })
    this.#timer = setTimeout(() => this.moves(), patienceSeconds * 1_000).unref()
  }

  /** What this cluster's workloads receive is as it was. */
  stays(): void {
    this.#left -= 1
    if (this.#left <= 0) this.#decide(false)
  }

  /** It is not, or cannot be told. */
  moves(): void {
    this.#decide(true)
  }

  /** The same as `mustAsk`; null while it is open. */
  get asked(): boolean | null {
    return this.#asked
  }

  #decide(ask: boolean): void {
    if (this.#asked !== null) return
    clearTimeout(this.#timer)
    this.#asked = ask
    this.#resolve(ask)
  }
}
