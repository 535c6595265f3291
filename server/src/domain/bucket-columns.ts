import { addInto, type Column, emptyColumn, isAbsent, meanIn, measuredIn } from './columns.ts'
import type { Stretch } from './step-mask.ts'

/** Linkerd has 26 bounds, which is the most of any mesh. */
const USUAL_BOUNDS = 26

/**
 * The buckets of one flow over time: upper bound in seconds -> cumulative requests per second by step. All columns of
 * a flow lie in one piece, bound after bound: as arrays and map entries of their own the buckets of a fleet are
 * hundreds of thousands of objects, and most of what the garbage collector has to walk.
 */
export class BucketColumns implements Iterable<readonly [boundSeconds: number, column: Column]> {
  readonly steps: number
  readonly #make: (length: number) => Column
  /** In the order in which they were met. Views share it: what lies beyond `#size` is another's. */
  #bounds: number[] = NO_BOUNDS
  #size = 0
  /** So many bounds there is room for. */
  #capacity = 0
  /** Bound i has its first step at `#from + i * #stride`. */
  #values: Column
  #from = 0
  #stride: number
  /** Bounds come in the same order for each flow, mostly. */
  #lastMet = -1

  /** `make` gives a column of NaN of a length. */
  constructor(steps: number, make: (length: number) => Column = emptyColumn) {
    this.steps = steps
    this.#make = make
    this.#stride = steps
    this.#values = NOTHING
  }

  /** The number of bounds. */
  get size(): number {
    return this.#size
  }

  has(boundSeconds: number): boolean {
    return this.#indexOf(boundSeconds) >= 0
  }

  get(boundSeconds: number): Column | undefined {
    const index = this.#indexOf(boundSeconds)
    return index < 0 ? undefined : this.#columnAt(index)
  }

  /** The column of a bound, made when it is first asked for. */
  column(boundSeconds: number): Column {
    return this.#columnAt(this.#madeAt(boundSeconds))
  }

  /** Adds to a bound's column as `addInto` does. */
  add(boundSeconds: number, values: ArrayLike<number>): void {
    const index = this.#madeAt(boundSeconds)
    if (this.steps > 1) {
      addInto(this.#columnAt(index), values)
      return
    }
    const value = values[0]
    if (value === undefined || !Number.isFinite(value)) return
    const at = this.#from + index * this.#stride
    const before = this.#values[at] ?? Number.NaN
    this.#values[at] = Number.isNaN(before) ? value : before + value
  }

  bounds(): readonly number[] {
    return this.#bounds.slice(0, this.#size)
  }

  /** The bounds from low to high, and where each of them is. */
  ascending(): Ascending {
    return ascendingOf(this.#bounds, this.#size)
  }

  /** What was measured of the bound at an index at one step; NaN where nothing was. */
  at(index: number, step: number): number {
    return this.#values[this.#from + index * this.#stride + step] ?? Number.NaN
  }

  /** Mean of the bound at an index over a stretch; NaN where nothing was measured. */
  meanIn(index: number, stretch: Stretch): number {
    return meanIn(this.#values, this.#from + index * this.#stride, stretch)
  }

  /** Measured steps of the bound at an index. */
  measuredIn(index: number, stretch: Stretch): number {
    return measuredIn(this.#values, this.#from + index * this.#stride, stretch)
  }

  *[Symbol.iterator](): Iterator<readonly [boundSeconds: number, column: Column]> {
    for (let index = 0; index < this.#size; index += 1) yield [this.#bounds[index] as number, this.#columnAt(index)]
  }

  /** The same bounds with other values. */
  map(change: (value: number) => number): BucketColumns {
    const changed = new BucketColumns(this.steps)
    for (const [bound, column] of this) {
      const to = changed.column(bound)
      for (let step = 0; step < column.length; step += 1) to[step] = change(column[step] as number)
    }
    return changed
  }

  /**
   * Some of the steps, without bounds that hold nothing there. Shares the values where it can: what is written to the
   * steps afterwards is seen.
   */
  window(fromStep: number, steps: number): BucketColumns {
    const view = new BucketColumns(steps, this.#make)
    view.#bounds = this.#bounds
    view.#size = this.#size
    view.#capacity = this.#size
    view.#values = this.#values
    view.#from = this.#from + fromStep
    view.#stride = this.#stride
    for (let index = 0; index < this.#size; index += 1)
      if (isAbsent(view.#columnAt(index))) return view.copied(0, steps, this.#make)
    return view
  }

  /**
   * A copy that begins at a step of this one (before its first for a negative one) and is as long as told, without
   * bounds that hold nothing there.
   */
  copied(fromStep: number, steps: number, make: (length: number) => Column): BucketColumns {
    const copy = new BucketColumns(steps, make)
    const [first, end] = [Math.max(0, fromStep), Math.max(0, Math.min(this.steps, fromStep + steps))]
    for (const [bound, column] of this) {
      const kept = column.subarray(Math.min(first, end), end)
      if (!isAbsent(kept)) copy.column(bound).set(kept, first - fromStep)
    }
    return copy
  }

  #columnAt(index: number): Column {
    const at = this.#from + index * this.#stride
    return this.#values.subarray(at, at + this.steps)
  }

  #indexOf(boundSeconds: number): number {
    const next = this.#lastMet + 1
    const index = next < this.#size && this.#bounds[next] === boundSeconds ? next : this.#searched(boundSeconds)
    if (index >= 0) this.#lastMet = index
    return index
  }

  #searched(boundSeconds: number): number {
    const index = this.#bounds.indexOf(boundSeconds)
    return index < this.#size ? index : -1
  }

  #madeAt(boundSeconds: number): number {
    const known = this.#indexOf(boundSeconds)
    if (known >= 0) return known
    const index = this.#size
    if (index >= this.#capacity) this.#grow()
    if (this.#bounds.length > index || index === 0) this.#bounds = this.#bounds.slice(0, index)
    this.#bounds.push(boundSeconds)
    this.#size += 1
    this.#lastMet = index
    return index
  }

  #grow(): void {
    this.#capacity = this.#size === 0 ? USUAL_BOUNDS : 2 * this.#size
    const values = this.#make(this.#capacity * this.steps)
    for (let index = 0; index < this.#size; index += 1) values.set(this.#columnAt(index), index * this.steps)
    this.#values = values
    this.#from = 0
    this.#stride = this.steps
  }
}

const NOTHING = new Float64Array(0)
/** Of all that have no bounds yet. */
const NO_BOUNDS: number[] = []

/** Bounds in ascending order, and the index of each. */
export interface Ascending {
  readonly bounds: readonly number[]
  readonly indices: readonly number[]
}

/** The flows of a mesh have the same bounds, in the same order: sorted once for all of them. */
let lastSorted: Ascending & { readonly given: readonly number[] } = { given: [], bounds: [], indices: [] }

function ascendingOf(bounds: readonly number[], size: number): Ascending {
  const { given } = lastSorted
  let same = given.length === size
  for (let index = 0; same && index < size; index += 1) same = given[index] === bounds[index]
  if (same) return lastSorted
  const indices = Array.from({ length: size }, (_, index) => index)
  indices.sort((a, b) => (bounds[a] as number) - (bounds[b] as number))
  lastSorted = { given: bounds.slice(0, size), bounds: indices.map((index) => bounds[index] as number), indices }
  return lastSorted
}
