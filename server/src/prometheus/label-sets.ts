type Labels = Readonly<Record<string, string>>

/** Where a body tells a label set: bytes from `start` to `end`, but for its `le`, from `cut` to `go`. */
export interface ToldSet {
  readonly hash: number
  readonly start: number
  readonly cut: number
  readonly go: number
  readonly end: number
}

export interface LabelSetLimits {
  readonly sets: number
  /** Of their texts. */
  readonly bytes: number
}

const DEFAULTS: LabelSetLimits = { sets: 32_768, bytes: 8 * 1_048_576 }
const FIRST_SLOTS = 1_024
const FIRST_BYTES = 65_536

/**
 * The label sets of one endpoint's answers. Those of one refresh are those of the last: a set is made when its bytes are
 * met first, and is one and the same object in every answer from then on, so that what follows from it can be
 * remembered with it (`labelMemo`). Sets that an answer has beyond the limits are forgotten with all others when it ends.
 */
export class LabelSets {
  readonly #limits: LabelSetLimits
  /** Open addressing: number of a set plus one, 0 = free; a power of two in size. */
  #slots = new Uint32Array(FIRST_SLOTS)
  #sets: Labels[] = []
  /** One a set. */
  #hashes: number[] = []
  /** One a set, and one more: where its bytes begin in `#bytes`. */
  #starts: number[] = [0]
  #bytes = Buffer.alloc(FIRST_BYTES)
  /** Label values, each of them once: a workload's name is in hundreds of sets. */
  #texts = new Map<string, string>()

  constructor(limits: LabelSetLimits = DEFAULTS) {
    this.#limits = limits
  }

  /** The number of the set, from 0 in the order they were met. */
  numberOf(body: Buffer, told: ToldSet): number {
    const mask = this.#slots.length - 1
    let slot = told.hash & mask
    for (let known = this.#slots[slot] ?? 0; known !== 0; known = this.#slots[slot] ?? 0) {
      if (this.#isSame(known - 1, body, told)) return known - 1
      slot = (slot + 1) & mask
    }
    this.#add(body, told, slot)
    return this.#sets.length - 1
  }

  /** Without `le`. */
  at(number: number): Labels {
    return this.#sets[number] ?? {}
  }

  get size(): number {
    return this.#sets.length
  }

  /** The answer has been read: numbers are good until then, the sets for good. */
  answerRead(): void {
    const { sets, bytes } = this.#limits
    if (this.#sets.length <= sets && this.#bytes.length <= bytes) return
    this.#slots = new Uint32Array(FIRST_SLOTS)
    this.#sets = []
    this.#hashes = []
    this.#starts = [0]
    this.#bytes = Buffer.alloc(FIRST_BYTES)
    this.#texts = new Map()
  }

  #isSame(number: number, body: Buffer, { hash, start, cut, go, end }: ToldSet): boolean {
    if (this.#hashes[number] !== hash) return false
    const [from, to] = [this.#starts[number] ?? 0, this.#starts[number + 1] ?? 0]
    if (to - from !== cut - start + end - go) return false
    const seam = from + cut - start
    return this.#bytes.compare(body, start, cut, from, seam) === 0 && this.#bytes.compare(body, go, end, seam, to) === 0
  }

  #add(body: Buffer, { hash, start, cut, go, end }: ToldSet, slot: number): void {
    const labels = this.#labelsIn(body.toString('utf8', start, end))
    const from = this.#starts[this.#sets.length] ?? 0
    const to = from + cut - start + end - go
    if (to > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(to, 2 * this.#bytes.length))
      this.#bytes.copy(larger)
      this.#bytes = larger
    }
    body.copy(this.#bytes, from, start, cut)
    body.copy(this.#bytes, from + cut - start, go, end)
    this.#sets.push(labels)
    this.#hashes.push(hash)
    this.#starts.push(to)
    this.#slots[slot] = this.#sets.length
    if (this.#sets.length * 2 > this.#slots.length) this.#grow()
  }

  #labelsIn(text: string): Labels {
    const { le: _, ...labels }: Record<string, string> = JSON.parse(`{${text}}`)
    for (const [name, value] of Object.entries(labels)) {
      const known = this.#texts.get(value)
      if (known === undefined) this.#texts.set(value, value)
      // A label may be called anything.
      else if (name !== '__proto__') labels[name] = known
    }
    return labels
  }

  #grow(): void {
    const slots = new Uint32Array(this.#slots.length * 2)
    for (const [number, hash] of this.#hashes.entries()) {
      let slot = hash & (slots.length - 1)
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1)
      slots[slot] = number + 1
    }
    this.#slots = slots
  }
}
