type Labels = Readonly<Record<string, string>>

/** Where a body tells a label set: the first `count` stretches of bytes, which together are its text. */
export interface ToldSet {
  hash: number
  count: number
  readonly from: number[]
  readonly to: number[]
}

export interface LabelSetLimits {
  readonly sets: number
  /** Of their texts. */
  readonly bytes: number
}

const DEFAULTS: LabelSetLimits = { sets: 65_536, bytes: 16 * 1_048_576 }
const FIRST_SLOTS = 128
const FIRST_BYTES = 8_192
const HANDED_OVER: Labels = {}
/** Name and value, as JSON. */
const LABEL = /"(?:[^"\\]|\\.)*":"(?:[^"\\]|\\.)*"/g

/**
 * The label sets of one endpoint's answers. Those of one refresh are those of the last: a set is made when its bytes are
 * met first, and is one and the same object in every answer from then on, so that what follows from it can be
 * remembered with it (`remembered`). Sets that an answer has beyond the limits are forgotten with all others when it ends.
 */
export class LabelSets {
  readonly #limits: LabelSetLimits
  /** What stands between the stretches of a set, but not in them. */
  readonly #glue: string
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

  constructor(limits: LabelSetLimits = DEFAULTS, glue = '') {
    this.#limits = limits
    this.#glue = glue
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

  /** The sets by their numbers. It stays as good as they are at present, whatever is read and forgotten later. */
  get all(): readonly Labels[] {
    return this.#sets
  }

  /** The set of a number, whoever keeps it. */
  labelsOf(number: number): Labels {
    const labels = this.#sets[number] ?? {}
    if (labels !== HANDED_OVER) return labels
    const text = this.#bytes.toString('utf8', this.#starts[number], this.#starts[number + 1])
    return JSON.parse(`{${text.match(LABEL)?.join(',') ?? ''}}`)
  }

  get size(): number {
    return this.#sets.length
  }

  /** The sets from a number on, for whoever keeps them from now on: here only their bytes stay. */
  handOver(from: number): Labels[] {
    const sets = this.#sets.slice(from)
    this.#sets.fill(HANDED_OVER, from)
    return sets
  }

  /** The answer has been read: numbers are good until then, the sets for good. True: all of them are forgotten. */
  answerRead(): boolean {
    const { sets, bytes } = this.#limits
    if (this.#sets.length <= sets && this.#bytes.length <= bytes) return false
    this.#slots = new Uint32Array(FIRST_SLOTS)
    this.#sets = []
    this.#hashes = []
    this.#starts = [0]
    this.#bytes = Buffer.alloc(FIRST_BYTES)
    this.#texts = new Map()
    return true
  }

  #isSame(number: number, body: Buffer, { hash, count, from, to }: ToldSet): boolean {
    if (this.#hashes[number] !== hash) return false
    let at = this.#starts[number] as number
    const end = this.#starts[number + 1] as number
    for (let run = 0; run < count; run += 1) {
      const [first, last] = [from[run] as number, to[run] as number]
      const next = at + last - first
      if (next > end || this.#bytes.compare(body, first, last, at, next) !== 0) return false
      at = next
    }
    return at === end
  }

  #add(body: Buffer, { hash, count, from, to }: ToldSet, slot: number): void {
    const parts = Array.from({ length: count }, (_, run) => body.toString('utf8', from[run], to[run]))
    const labels = this.#labelsIn(parts.join(this.#glue))
    let end = this.#starts[this.#sets.length] as number
    for (let run = 0; run < count; run += 1) {
      const [first, last] = [from[run] as number, to[run] as number]
      const next = end + last - first
      if (next > this.#bytes.length) {
        const larger = Buffer.alloc(Math.max(next, 2 * this.#bytes.length))
        this.#bytes.copy(larger)
        this.#bytes = larger
      }
      body.copy(this.#bytes, end, first, last)
      end = next
    }
    this.#sets.push(labels)
    this.#hashes.push(hash)
    this.#starts.push(end)
    this.#slots[slot] = this.#sets.length
    if (this.#sets.length * 2 > this.#slots.length) this.#grow()
  }

  #labelsIn(text: string): Labels {
    const labels: Record<string, string> = JSON.parse(`{${text}}`)
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
