/** So many bytes are told apart by one number. */
const FOLDED = 6

/** Few texts that occur often, such as the bounds of buckets, numbered without making a string for each occurrence. */
export class NumberTexts {
  readonly texts: string[] = []
  readonly #folded = new Map<number, number>()
  readonly #long = new Map<string, number>()

  /** The number of the text from `start` to `end`, counted from 0 in the order they were met. */
  numberOf(body: Buffer, start: number, end: number): number {
    if (end - start > FOLDED) return this.#known(this.#long, body.toString('utf8', start, end), body, start, end)
    // The length is part of it: a byte may be zero.
    let key = end - start
    for (let at = start; at < end; at += 1) key = key * 256 + (body[at] ?? 0)
    return this.#known(this.#folded, key, body, start, end)
  }

  #known<K>(numbers: Map<K, number>, key: K, body: Buffer, start: number, end: number): number {
    const known = numbers.get(key)
    if (known !== undefined) return known
    const number = this.texts.length
    this.texts.push(body.toString('utf8', start, end))
    numbers.set(key, number)
    return number
  }
}
