import { ColumnStock } from './column-stock.ts'
import { isKept, type StepMask, type Stretch, stretchOf } from './step-mask.ts'

/**
 * Numbers over time steps: one value a step, NaN where nothing was measured. An instant is a column of length 1, so
 * that history and present are read and added by the same code. Long histories are held in single precision.
 */
export type Column = Float64Array | Float32Array

/** Numbers by time step that are read once and not kept. Of a single step a plain array costs a fifth of a column. */
export type Values = Column | readonly number[]

export function emptyColumn(length: number): Float64Array {
  return length > SHORT ? new Float64Array(length).fill(Number.NaN) : shortOnes.take(length)
}

/** Longer ones are few. */
const SHORT = 64

const shortOnes = new ColumnStock((length) => new Float64Array(length))

/**
 * Adds `values` into `target`, step by step; absent + x = x, so that "no series" never turns a sum into "unknown". A
 * measured NaN or infinity is no number of anything, and absent too.
 */
export function addInto(target: Column, values: ArrayLike<number>): void {
  addStepsInto(target, 0, values, 0, target.length, 1)
}

/** Adds `factor` times `values` into `target`, as `addInto` does. */
export function addScaledInto(target: Column, values: ArrayLike<number>, factor: number): void {
  addStepsInto(target, 0, values, 0, target.length, factor)
}

/**
 * Adds `factor` times so many steps of `values`, from one on, to those of `target` from another on, as `addInto` does.
 * Steps that `values` does not have are absent.
 */
export function addStepsInto(
  target: Column,
  targetFrom: number,
  values: ArrayLike<number>,
  from: number,
  steps: number,
  factor: number,
): void {
  for (let step = 0; step < steps; step += 1) {
    const value = values[from + step]
    if (value === undefined || !Number.isFinite(value)) continue
    const sum = target[targetFrom + step] as number
    target[targetFrom + step] = Number.isNaN(sum) ? value * factor : sum + value * factor
  }
}

/** Whether no step was measured, of all or from one to before another. */
export function isAbsent(column: Column, from = 0, end = column.length): boolean {
  for (let step = from; step < end; step += 1) if (!Number.isNaN(column[step])) return false
  return true
}

export function valueAt(column: Column, step: number): number | null {
  const value = column[step]
  return value === undefined || Number.isNaN(value) ? null : value
}

/** Mean over the kept steps that have a value; null when none has. */
export function averageOver(column: Column, keep: StepMask): number | null {
  const mean = meanIn(column, 0, stretchOf(keep, column.length))
  return Number.isNaN(mean) ? null : mean
}

/** The number of kept steps that have a value. */
export function measuredSteps(column: Column, keep: StepMask): number {
  return measuredIn(column, 0, stretchOf(keep, column.length))
}

/** Mean over the steps of a stretch that have a value; NaN when none has. Step 0 is the value at `offset`. */
export function meanIn(values: Column, offset: number, { from, end, keep }: Stretch): number {
  let sum = 0
  let count = 0
  for (let step = from; step < end; step += 1) {
    const value = values[offset + step] ?? Number.NaN
    if (Number.isNaN(value) || !isKept(keep, step)) continue
    sum += value
    count += 1
  }
  return sum / count
}

/** The number of steps of a stretch that have a value. Step 0 is the value at `offset`. */
export function measuredIn(values: Column, offset: number, { from, end, keep }: Stretch): number {
  let count = 0
  for (let step = from; step < end; step += 1)
    if (!Number.isNaN(values[offset + step] ?? Number.NaN) && isKept(keep, step)) count += 1
  return count
}

/** The value below which a share `q` of the values lie (nearest rank); null for no values. */
export function quantileOf(values: ArrayLike<number>, q: number): number | null {
  return quantileWithin(Float64Array.from(values), values.length, q)
}

/** The same of the first `count` of the values, which are reordered. */
export function quantileWithin(values: Float64Array, count: number, q: number): number | null {
  if (count === 0) return null
  return ranked(values, count, Math.min(count - 1, Math.max(0, Math.round(q * (count - 1)))))
}

/** The value that would stand at `rank` if the first `count` were sorted (Hoare's selection); reorders these. */
function ranked(values: Float64Array, count: number, rank: number): number {
  let [low, high] = [0, count - 1]
  while (low < high) {
    const pivot = values[(low + high) >> 1] as number
    let [left, right] = [low, high]
    while (left <= right) {
      while ((values[left] as number) < pivot) left += 1
      while ((values[right] as number) > pivot) right -= 1
      if (left > right) break
      const swapped = values[left] as number
      values[left] = values[right] as number
      values[right] = swapped
      left += 1
      right -= 1
    }
    if (rank <= right) high = right
    else if (rank >= left) low = left
    else break
  }
  return values[rank] as number
}
