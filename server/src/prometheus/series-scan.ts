import { APART_LABELS } from '../domain/apart.ts'
import type { KnownLabels } from './known-labels.ts'
import type { ToldSet } from './label-sets.ts'

const SERIES = Buffer.from('{"metric":{')
const [SPACE, QUOTE, COMMA, DOT, COLON, BACKSLASH, END, CLOSE] = [0x20, 0x22, 0x2c, 0x2e, 0x3a, 0x5c, 0x5d, 0x7d]
const [ZERO, NINE] = [0x30, 0x39]
/** FNV-1a, 32 bits. */
const FNV_START = 0x811c9dc5
const FNV_PRIME = 0x01000193
/** Whole numbers of so many digits are exact, and so is one of them divided by a power of ten up to 10^22. */
const EXACT_DIGITS = 15
const LONGEST_NUMBER = 32
/** By the length of the name, which no two of them share. */
const APART_NAMES: readonly (Buffer | undefined)[] = namesByLength(APART_LABELS)
const POWERS_OF_TEN = Array.from({ length: EXACT_DIGITS + 1 }, (_, power) => 10 ** power)

/**
 * A cursor over the series of an answer, which are read from its bytes (UTF-8) without an object for each of their
 * thousands of labels and numbers. It knows the one layout that Prometheus writes (util/jsonutil, web/api/v1: no
 * spaces, `metric` first). Whatever is not as expected gives false or null: `JSON.parse` then has the last word.
 */
export class SeriesScan {
  readonly #body: Buffer
  readonly #known: KnownLabels
  /** Where the labels of the series lie that is read, and those that are told apart; taken over by the next. */
  readonly #flow: ToldSet = { hash: 0, count: 0, from: [], to: [] }
  readonly #apart: ToldSet = { hash: 0, count: 0, from: [], to: [] }
  #at: number

  /** `known`: labels of earlier answers, which this one adds its own to. */
  constructor(body: Buffer, from: number, known: KnownLabels) {
    this.#body = body
    this.#at = from
    this.#known = known
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

  /** From `{"metric":{` to before the brace that closes it: the numbers of both sets among the known ones. */
  series(): { readonly set: number; readonly apart: number } | null {
    if (!this.expect(SERIES)) return null
    const body = this.#body
    const [flow, apart] = [this.#flow, this.#apart]
    const start = this.#at
    let [hash, apartHash] = [FNV_START, FNV_START]
    let [runs, aparts] = [0, 0]
    // What belongs to the flow begins here, as far as nothing else came in between.
    let run = start
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
      const isApart = this.#isApart(name, at)
      if (body[at + 1] !== COLON || body[at + 2] !== QUOTE) return null
      at += 3
      for (let byte = body[at]; byte !== QUOTE; at += 1, byte = body[at]) {
        if (byte === undefined || byte === BACKSLASH || byte < SPACE) return null
        own = Math.imul(own ^ byte, FNV_PRIME)
      }
      at += 1
      const more = body[at] === COMMA && body[at + 1] === QUOTE
      if (!more && body[at] !== CLOSE) return null
      if (isApart) {
        apartHash = Math.imul(apartHash ^ own, FNV_PRIME)
        apart.from[aparts] = pair
        apart.to[aparts] = at
        aparts += 1
        // The comma before it goes with it, or else the one behind: what is left is the same wherever it stood.
        if (pair - 1 > run) {
          flow.from[runs] = run
          flow.to[runs] = pair - 1
          runs += 1
        }
        run = runs === 0 && more ? at + 1 : at
      } else hash = Math.imul(hash ^ own, FNV_PRIME)
      if (more) at += 1
    }
    this.#at = at
    if (at > run) {
      flow.from[runs] = run
      flow.to[runs] = at
      runs += 1
    }
    flow.hash = hash >>> 0
    flow.count = runs
    apart.hash = apartHash >>> 0
    apart.count = aparts
    return { set: this.#known.sets.numberOf(body, flow), apart: this.#known.aparts.numberOf(body, apart) }
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

  /** Whether the name from `start` to `end` is that of a label that tells apart what belongs to one flow. */
  #isApart(start: number, end: number): boolean {
    const name = APART_NAMES[end - start]
    if (name === undefined) return false
    for (let index = 0; index < name.length; index += 1) if (this.#body[start + index] !== name[index]) return false
    return true
  }
}

function namesByLength(names: readonly string[]): (Buffer | undefined)[] {
  const byLength: (Buffer | undefined)[] = []
  for (const name of names) {
    if (byLength[name.length] !== undefined) throw new Error(`${name} is as long as another`)
    byLength[name.length] = Buffer.from(name)
  }
  return byLength
}

function numberOf(text: string): number | null {
  const value = Number(text)
  // `Number` passes over white space, of which there is none in a number's text.
  if (!Number.isNaN(value)) return text.trim() === text && text !== '' ? value : null
  if (text === 'NaN') return Number.NaN
  if (text === '+Inf') return Number.POSITIVE_INFINITY
  return text === '-Inf' ? Number.NEGATIVE_INFINITY : null
}
