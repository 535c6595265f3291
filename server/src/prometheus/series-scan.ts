import type { LabelSets } from './label-sets.ts'
import { NumberTexts } from './number-texts.ts'

type Labels = Readonly<Record<string, string>>

const SERIES = Buffer.from('{"metric":{')
const [SPACE, QUOTE, COMMA, DOT, COLON, BACKSLASH, END, CLOSE] = [0x20, 0x22, 0x2c, 0x2e, 0x3a, 0x5c, 0x5d, 0x7d]
const [ZERO, NINE, L, E] = [0x30, 0x39, 0x6c, 0x65]
/** FNV-1a, 32 bits. */
const FNV_START = 0x811c9dc5
const FNV_PRIME = 0x01000193
/** Whole numbers of so many digits are exact, and so is one of them divided by a power of ten up to 10^22. */
const EXACT_DIGITS = 15
const LONGEST_NUMBER = 32
const POWERS_OF_TEN = Array.from({ length: EXACT_DIGITS + 1 }, (_, power) => 10 ** power)

/**
 * A cursor over the series of an answer, which are read from its bytes (UTF-8) without an object for each of their
 * thousands of labels and numbers. It knows the one layout that Prometheus writes (util/jsonutil, web/api/v1: no
 * spaces, `metric` first). Whatever is not as expected gives false or null: `JSON.parse` then has the last word.
 */
export class SeriesScan {
  /** Label sets without `le`, in the order they were met. */
  readonly sets: Labels[] = []
  readonly #body: Buffer
  readonly #bounds = new NumberTexts()
  readonly #known: LabelSets
  /** Of a known set, the place in `sets` plus one; 0 = this answer has not told it yet. */
  #placeOf: Uint32Array
  #at: number

  /** `known`: sets of earlier answers, which this one adds its own to. */
  constructor(body: Buffer, from: number, known: LabelSets) {
    this.#body = body
    this.#at = from
    this.#known = known
    this.#placeOf = new Uint32Array(2 * known.size + 64)
  }

  /** Texts of `le`, in the order they were met. */
  get bounds(): readonly string[] {
    return this.#bounds.texts
  }

  get at(): number {
    return this.#at
  }

  /** Whether the list that the cursor is in goes on: after a comma. Null where something else follows. */
  next(): boolean | null {
    const byte = this.#body[this.#at]
    if (byte === COMMA) this.#at += 1
    return byte === COMMA ? true : byte === END ? false : null
  }

  /** Whether the list that the cursor is at the beginning of is empty. */
  isEmpty(): boolean {
    return this.#body[this.#at] === END
  }

  expect(bytes: Buffer): boolean {
    const { length } = bytes
    const body = this.#body
    for (let index = 0; index < length; index += 1) if (body[this.#at + index] !== bytes[index]) return false
    this.#at += length
    return true
  }

  /** From `{"metric":{` to before the brace that closes it: the number of the set, and of its `le` plus one (0 = none). */
  series(): { readonly set: number; readonly bound: number } | null {
    if (!this.expect(SERIES)) return null
    const body = this.#body
    const start = this.#at
    let [cut, go, bound] = [-1, -1, 0]
    let hash = FNV_START
    let at = start
    while (body[at] !== CLOSE) {
      const pair = at
      if (body[at] !== QUOTE) return null
      let own = FNV_START
      at += 1
      const name = at
      for (let byte = body[at]; byte !== QUOTE; at += 1, byte = body[at]) {
        if (byte === undefined || byte === BACKSLASH || byte < SPACE) return null
        own = Math.imul(own ^ byte, FNV_PRIME)
      }
      const isBound = at - name === 2 && body[name] === L && body[name + 1] === E
      if (body[at + 1] !== COLON || body[at + 2] !== QUOTE) return null
      at += 3
      const value = at
      for (let byte = body[at]; byte !== QUOTE; at += 1, byte = body[at]) {
        if (byte === undefined || byte === BACKSLASH || byte < SPACE) return null
        own = Math.imul(own ^ byte, FNV_PRIME)
      }
      if (isBound) bound = this.#bounds.numberOf(body, value, at) + 1
      else hash = Math.imul(hash ^ own, FNV_PRIME)
      at += 1
      if (body[at] === COMMA && body[at + 1] === QUOTE) at += 1
      else if (body[at] !== CLOSE) return null
      if (isBound) [cut, go] = [pair, at]
    }
    this.#at = at
    const told = { hash: hash >>> 0, start, cut: cut === -1 ? at : cut, go: cut === -1 ? at : go, end: at }
    return { set: this.#placeIn(this.#known.numberOf(body, told)), bound }
  }

  /** Digits with or without a fraction, as times are written; null for anything else. */
  seconds(): number | null {
    const from = this.#at
    const value = this.#plain()
    const padded = this.#body[from] === ZERO && this.#at - from > 1 && this.#body[from + 1] !== DOT
    return this.#at === from || padded ? null : value
  }

  /** `"0.25"`: values are text because JSON has no NaN and no infinity. */
  value(): number | null {
    const body = this.#body
    if (body[this.#at] !== QUOTE) return null
    const from = this.#at + 1
    this.#at = from
    const plain = this.#plain()
    if (plain !== null && this.#at > from && body[this.#at] === QUOTE) {
      this.#at += 1
      return plain
    }
    let at = from
    while (body[at] !== QUOTE) {
      if (body[at] === undefined || at - from > LONGEST_NUMBER) return null
      at += 1
    }
    this.#at = at + 1
    return numberOf(body.toString('latin1', from, at))
  }

  /** Digits, and digits after a dot; null where there are more than can be read exactly. */
  #plain(): number | null {
    const body = this.#body
    let [whole, digits, decimals, dots] = [0, 0, 0, 0]
    let at = this.#at
    for (;;) {
      const byte = body[at] ?? 0
      if (byte >= ZERO && byte <= NINE) {
        whole = whole * 10 + (byte - ZERO)
        digits += 1
        decimals += dots
      } else if (byte === DOT && dots === 0 && digits > 0) dots = 1
      else break
      if (digits > EXACT_DIGITS) return null
      at += 1
    }
    if (dots === 1 && decimals === 0) return null
    this.#at = at
    return decimals === 0 ? whole : whole / (POWERS_OF_TEN[decimals] ?? Number.NaN)
  }

  /** Where a known set stands among those of this answer. */
  #placeIn(number: number): number {
    if (number >= this.#placeOf.length) {
      const larger = new Uint32Array(2 * number)
      larger.set(this.#placeOf)
      this.#placeOf = larger
    }
    const place = this.#placeOf[number] ?? 0
    if (place !== 0) return place - 1
    this.sets.push(this.#known.at(number))
    this.#placeOf[number] = this.sets.length
    return this.sets.length - 1
  }
}

function numberOf(text: string): number | null {
  const value = Number(text)
  // `Number` passes over white space, of which there is none in a number's text.
  if (!Number.isNaN(value)) return text.trim() === text && text !== '' ? value : null
  if (text === 'NaN') return Number.NaN
  if (text === '+Inf') return Number.POSITIVE_INFINITY
  return text === '-Inf' ? Number.NEGATIVE_INFINITY : null
}
