import type { z } from 'zod'
import { tableJson } from './write-table.ts'

/** A list of an answer whose items are made one by one, as often as it is asked for them. */
export class Listed<Item> {
  readonly items: () => Iterable<Item>

  constructor(items: () => Iterable<Item>) {
    this.items = items
  }

  json(): Generator<string> {
    return listJson(this.items())
  }
}

/** The same, written as columns (`Table`); as a whole it has rows all the same. */
export class Tabled<Item> extends Listed<Item> {
  readonly #row: RowOf<Item>

  constructor(row: RowOf<Item>, items: () => Iterable<Item>) {
    super(items)
    this.#row = row
  }

  override json(): Generator<string> {
    return tableJson(this.#row, this.items())
  }
}

type RowOf<Item> = z.ZodObject & z.ZodType<Item>

type Parts<Answer extends object> = {
  readonly [Name in keyof Answer]:
    | Answer[Name]
    | (NonNullable<Answer[Name]> extends readonly (infer Item)[] ? Listed<Item> : never)
}

/**
 * An answer with lists of thousands. They are made while it is written, an item at a time, so that nobody has to hold
 * them, and the event loop goes on in between.
 */
export class Written<Answer extends object> {
  readonly #parts: Parts<Answer>

  constructor(parts: Parts<Answer>) {
    this.#parts = parts
  }

  /** The answer itself, for who looks into it. */
  whole(): Answer {
    const made = Object.entries(this.#parts).map(([name, part]) => [
      name,
      part instanceof Listed ? [...part.items()] : part,
    ])
    return Object.fromEntries(made) as Answer
  }

  /** Its JSON, piece by piece: what `JSON.stringify` makes of the whole, but for tables. Some pieces are empty. */
  *json(): Generator<string> {
    let before = '{'
    for (const [name, part] of Object.entries(this.#parts)) {
      if (part === undefined) continue
      yield `${before}${JSON.stringify(name)}:`
      before = ','
      if (part instanceof Listed) yield* part.json()
      else yield JSON.stringify(part)
    }
    yield before === '{' ? '{}' : '}'
  }
}

/** The answer itself, however it is held. */
export function wholeOf<Answer extends object>(answer: Answer | Written<Answer>): Answer {
  return answer instanceof Written ? answer.whole() : answer
}

function* listJson(items: Iterable<unknown>): Generator<string> {
  let before = '['
  for (const item of items) {
    yield `${before}${JSON.stringify(item)}`
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}
