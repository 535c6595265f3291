interface Kept {
  readonly body: WeakRef<object>
  bytes: number
}

/**
 * What bodies were written as, for who asks for the very same again. It goes when the body goes, or when all together
 * are more than the budget and nobody has asked for it for the longest time; the newest stays in any case.
 */
export class KeptBodies<Value extends object> {
  readonly #budgetBytes: number
  readonly #values = new WeakMap<object, { readonly value: Value; readonly kept: Kept }>()
  /** The one that was asked for last comes last. Bodies that are gone are counted until their turn comes. */
  readonly #inUse = new Set<Kept>()
  #bytes = 0

  constructor(budgetBytes: number) {
    this.#budgetBytes = budgetBytes
  }

  get(body: object): Value | undefined {
    const found = this.#values.get(body)
    if (found === undefined) return undefined
    this.#inUse.delete(found.kept)
    this.#inUse.add(found.kept)
    return found.value
  }

  /** Its size is told once it is known. */
  set(body: object, value: Value): void {
    this.delete(body)
    const kept: Kept = { body: new WeakRef(body), bytes: 0 }
    this.#values.set(body, { value, kept })
    this.#inUse.add(kept)
  }

  /** So many bytes more, now that it is written, or written in another way as well. */
  grown(body: object, bytes: number): void {
    const found = this.#values.get(body)
    if (found === undefined) return
    found.kept.bytes += bytes
    this.#bytes += bytes
    for (const oldest of this.#inUse) {
      if (this.#bytes <= this.#budgetBytes || this.#inUse.size === 1) return
      if (oldest === found.kept) continue
      this.#drop(oldest)
    }
  }

  delete(body: object): void {
    const found = this.#values.get(body)
    if (found !== undefined) this.#drop(found.kept)
  }

  #drop(kept: Kept): void {
    this.#inUse.delete(kept)
    this.#bytes -= kept.bytes
    const body = kept.body.deref()
    if (body !== undefined) this.#values.delete(body)
  }
}
