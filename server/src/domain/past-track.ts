import { type Axis, instantOf } from './baseline.ts'
import { BucketColumns } from './bucket-columns.ts'
import { type ColumnStock, type Precision, stockOf } from './column-stock.ts'
import { type Column, isAbsent } from './columns.ts'
import { type ColumnChange, mappingColumns } from './map-columns.ts'
import type { NativeColumn } from './native-column.ts'
import { emptyObservation, type Observation } from './observation.ts'
import type { Settled } from './rows.ts'
import type { Traffic } from './traffic.ts'
import { TrafficWindow } from './traffic-window.ts'
import { allAtOnce, type Turns } from './turns.ts'
import { writingInto } from './write-columns.ts'

/**
 * Room for so many more steps than are looked at, so that new ones are added without copying the old. While columns are
 * copied they are there twice: clusters have rooms of their own, so that they do not do it in one and the same moment.
 */
const [LEAST_ROOM, MOST_ROOM] = [0.05, 0.15]
const ROOMS = 8

function roomOf(cluster: string, steps: number): number {
  const letters = [...cluster].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0)
  const share = (letters % ROOMS) / (ROOMS - 1)
  return Math.ceil((LEAST_ROOM + share * (MOST_ROOM - LEAST_ROOM)) * steps)
}

/**
 * What a cluster was, growing at its newer end and forgotten at its older one. Columns are long; what is handed out are
 * views of them, which stay as they are: what is added lies behind them (or on steps that were not known when they were
 * handed out), and when the room is used up the columns are copied. Where nothing was ever measured there is one column for all.
 */
export class PastTrack {
  readonly #precision: Precision
  #long: Observation | null = null
  /** Of the long columns, those beyond the last known step included. */
  #axis: Axis = { fromSeconds: 0, stepSeconds: 1, steps: 0 }
  #absent: Column = new Float32Array(0)
  #knownTo: number | null = null
  /** Of the long columns. What is added behind them leaves what was there as it was. */
  #settled: Settled = { of: {}, end: 0 }
  #view: { readonly axis: Axis; readonly observation: Observation } | null = null
  /** What is being added in turns. */
  #under: Turns<void> | null = null
  #additions = 0

  #stock: ColumnStock<Float32Array> | ColumnStock<Float64Array>

  constructor(precision: Precision) {
    this.#precision = precision
    this.#stock = stockOf(precision)
  }

  /** The last instant of which anything was added, unix seconds. */
  get knownTo(): number | null {
    return this.#knownTo
  }

  /** The first instant that is still remembered, unix seconds. */
  get knownFrom(): number | null {
    return this.#long === null ? null : this.#axis.fromSeconds
  }

  clear(): void {
    this.#settle()
    this.#long = null
    this.#knownTo = null
    this.#settled = { of: {}, end: 0 }
    this.#view = null
  }

  /**
   * Adds what was measured on `part`, in steps of the same length; `whole` is the stretch to be remembered.
   * `ratesAlone`: without buckets and routes, and without bytes of workloads that more is told of.
   */
  add(part: Axis, measured: Observation, whole: Axis, ratesAlone = false): void {
    allAtOnce(this.adding(part, measured, whole, ratesAlone))
  }

  /** The same in turns. Whoever asks what is known in between is told of all of it: half a step would look like a dip. */
  *adding(part: Axis, measured: Observation, whole: Axis, ratesAlone = false): Turns<void> {
    this.#settle()
    const under = this.#addingTo(part, measured, whole, ratesAlone)
    this.#under = under
    while (this.#under === under) {
      if (under.next().done === true) this.#under = null
      else yield
    }
  }

  /** What is known on the axis, NaN elsewhere; null when nothing was ever added. Not to be changed. */
  on(axis: Axis): Observation | null {
    return allAtOnce(this.looking(axis))
  }

  /** The same in turns. */
  *looking(axis: Axis): Turns<Observation | null> {
    for (;;) {
      this.#settle()
      const long = this.#long
      if (long === null) return null
      const known = this.#view
      if (known !== null && known.axis.fromSeconds === axis.fromSeconds && known.axis.steps === axis.steps)
        return known.observation
      const additions = this.#additions
      const observation = yield* mappingColumns(long, this.#viewOf(axis))
      // More may have been added in between.
      if (additions !== this.#additions || this.#under !== null || long !== this.#long) continue
      this.#view = { axis, observation }
      return observation
    }
  }

  #viewOf(axis: Axis): ColumnChange {
    const from = stepOf(this.#axis, axis.fromSeconds)
    const inside = from >= 0 && from + axis.steps <= this.#axis.steps
    const long = this.#absent
    const absent = this.#newColumn(axis.steps)
    const { steps } = axis
    const window = {
      from,
      steps,
      absent: { long, short: absent },
      buckets: new BucketColumns(steps),
      settled: this.#settled,
    }
    return {
      steps,
      window: (traffic) => (inside && hasRatesAlone(traffic) ? new TrafficWindow(traffic, window) : null),
      column: (column) =>
        column === long
          ? absent
          : inside
            ? column.subarray(from, from + axis.steps)
            : this.#copied(column, from, axis.steps),
      buckets: (buckets) =>
        inside ? buckets.window(from, axis.steps) : buckets.copied(from, axis.steps, this.#newColumn),
      native: (column) => held(nativeSteps(column, from, axis.steps)),
      holds: (column) => column !== absent && !isAbsent(column),
    }
  }

  *#addingTo(part: Axis, measured: Observation, whole: Axis, ratesAlone: boolean): Turns<void> {
    const long = yield* this.#makingRoom(part, whole, measured)
    const at = stepOf(this.#axis, part.fromSeconds)
    yield* writingInto(long, measured, {
      column: (before, more, from, steps) => this.#written(before, more, from, steps, at),
      isSame: (one, other, from, steps) => isSame(one, other, from, steps, TOLERANCE[this.#precision]),
      copied: (known) => (known === this.#absent ? known : this.#copied(known, 0, known.length)),
      buckets: (before, more) => this.#writtenBuckets(before, more, at),
      native: (before, more) => nativeWritten(before, more, at, this.#axis.steps),
      ratesAlone,
    })
    this.#knownTo = Math.max(this.#knownTo ?? Number.NEGATIVE_INFINITY, instantOf(part, part.steps - 1))
    this.#settled = { of: at < this.#settled.end ? {} : this.#settled.of, end: stepOf(this.#axis, this.#knownTo) + 1 }
    this.#view = null
    this.#additions += 1
  }

  /** Ends what is being added. */
  #settle(): void {
    if (this.#under !== null) allAtOnce(this.#under)
    this.#under = null
  }

  *#makingRoom(part: Axis, whole: Axis, { cluster, dialect }: Observation): Turns<Observation> {
    const toStep = stepOf(this.#axis, instantOf(part, part.steps - 1))
    const before = this.#long
    if (before !== null && stepOf(this.#axis, part.fromSeconds) >= 0 && toStep < this.#axis.steps) return before
    const steps = whole.steps + roomOf(cluster, whole.steps)
    const axis = this.#axis
    this.#axis = { ...whole, steps }
    this.#settled = { of: {}, end: 0 }
    // What is copied now is all that is left of what was before.
    this.#stock = stockOf(this.#precision)
    const absent = this.#newColumn(steps)
    if (before === null) this.#long = emptyObservation(cluster, steps, dialect)
    else {
      const from = stepOf(axis, whole.fromSeconds)
      const change: ColumnChange = {
        steps,
        column: (column) => {
          const copy = column === this.#absent ? absent : this.#copied(column, from, steps)
          return isAbsent(copy) ? absent : copy
        },
        buckets: (buckets) => buckets.copied(from, steps, this.#newColumn),
        native: (column) => held(nativeSteps(column, from, steps)),
        holds: (column) => column !== absent,
      }
      this.#long = yield* mappingColumns(before, change)
    }
    this.#absent = absent
    return this.#long
  }

  #written(before: Column | undefined, more: Column, from: number, steps: number, at: number): Column {
    if (isAbsent(more, from, from + steps)) return before ?? this.#absent
    const column = before === undefined || before === this.#absent ? this.#newColumn(this.#axis.steps) : before
    for (let step = 0; step < steps; step += 1) column[at + step] = more[from + step] as number
    return column
  }

  #writtenBuckets(before: BucketColumns | undefined, more: BucketColumns, at: number): BucketColumns {
    const buckets = before ?? new BucketColumns(this.#axis.steps, this.#newColumn)
    for (const [bound, column] of more) if (!isAbsent(column)) buckets.column(bound).set(column, at)
    return buckets
  }

  #copied(column: Column, from: number, steps: number): Column {
    const copy = this.#newColumn(steps)
    const first = Math.max(0, from)
    const kept = column.subarray(Math.min(first, column.length), Math.max(0, Math.min(column.length, from + steps)))
    if (kept.length > 0) copy.set(kept, first - from)
    return copy
  }

  readonly #newColumn = (steps: number): Column => this.#stock.take(steps)
}

function hasRatesAlone({ buckets, bucketSeries, native }: Traffic): boolean {
  return buckets.size === 0 && bucketSeries === undefined && native === undefined
}

/** Of the larger number: below what single precision tells apart. */
const TOLERANCE = { single: 1e-7, double: 0 } as const

function isSame(one: Column, other: Column, from: number, steps: number, tolerance: number): boolean {
  for (let step = from; step < from + steps; step += 1) {
    const [a, b] = [one[step] as number, other[step] as number]
    if (Number.isNaN(a) ? !Number.isNaN(b) : !(Math.abs(a - b) <= tolerance * Math.abs(a))) return false
  }
  return true
}

function stepOf(axis: Axis, atSeconds: number): number {
  return Math.round((atSeconds - axis.fromSeconds) / axis.stepSeconds)
}

function nativeSteps(column: NativeColumn, from: number, steps: number): NativeColumn {
  return Array.from({ length: steps }, (_, step) => column[step + from] ?? null)
}

function held(column: NativeColumn): NativeColumn | undefined {
  return column.some((one) => one !== null) ? column : undefined
}

function nativeWritten(
  before: NativeColumn | undefined,
  more: NativeColumn | undefined,
  at: number,
  steps: number,
): NativeColumn | undefined {
  if (more === undefined) return before
  const column: NativeColumn = before ?? new Array(steps).fill(null)
  more.forEach((one, step) => {
    if (one !== null) column[step + at] = one
  })
  return column
}
