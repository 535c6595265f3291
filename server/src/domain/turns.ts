/**
 * Long work in short pieces, each `yield` the end of one: whoever does it may let others have a turn there. What it works
 * on must not change meanwhile.
 */
export type Turns<T> = Generator<undefined, T, undefined>

/** The result, with nobody having a turn. */
export function allAtOnce<T>(work: Turns<T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}

/** As `flatMap` does, each item a piece. */
export function* flatMapping<T, U>(items: readonly T[], change: (item: T, index: number) => readonly U[]): Turns<U[]> {
  const all: U[] = []
  for (const [index, item] of items.entries()) {
    all.push(...change(item, index))
    yield
  }
  return all
}

/** So many workloads or calls are a piece: a millisecond or two. */
const PIECE = 64

/** Counts what a loop has done. */
export class Pieces {
  readonly #size: number
  #count = 0

  constructor(size = PIECE) {
    this.#size = size
  }

  /** Whether a piece has ended; to be asked once for each item. */
  get ended(): boolean {
    this.#count += 1
    if (this.#count < this.#size) return false
    this.#count = 0
    return true
  }
}
