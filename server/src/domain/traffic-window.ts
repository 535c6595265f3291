import type { BucketColumns } from './bucket-columns.ts'
import { type Column, isAbsent } from './columns.ts'
import type { Rows, Settled } from './rows.ts'
import type { Traffic } from './traffic.ts'

/** Which steps of long columns are looked at. */
export interface Window {
  readonly from: number
  readonly steps: number
  /** Stands for columns of which nothing is known, and what is handed out for it. */
  readonly absent: { readonly long: Column; readonly short: Column }
  /** None. */
  readonly buckets: BucketColumns
  readonly settled: Settled
}

/**
 * Some steps of a flow that is known for longer, but for buckets. Its columns are made when they are asked for: a fleet
 * has tens of thousands of flows, whose past moves on by a step every few seconds, and four views of each that live as
 * long as a snapshot are most of what the garbage collector has to carry. Averages are taken of the long ones.
 */
export class TrafficWindow implements Traffic, Rows {
  readonly buckets: BucketColumns
  readonly columns: Traffic
  readonly #window: Window
  #success: Column | null = null
  #failures: Column | null = null
  #latencySeconds: Column | null = null
  #latencyCount: Column | null = null

  constructor(long: Traffic, window: Window) {
    this.buckets = window.buckets
    this.columns = long
    this.#window = window
  }

  get within(): Rows {
    return this
  }

  get from(): number {
    return this.#window.from
  }

  get steps(): number {
    return this.#window.steps
  }

  get settled(): Settled {
    return this.#window.settled
  }

  /** Asked for again and again, mostly in turns of all steps, where they are asked for at all. */
  get success(): Column {
    this.#success ??= this.#view(this.columns.success)
    return this.#success
  }

  get failures(): Column {
    this.#failures ??= this.#view(this.columns.failures)
    return this.#failures
  }

  get latencySeconds(): Column {
    this.#latencySeconds ??= this.#view(this.columns.latencySeconds)
    return this.#latencySeconds
  }

  get latencyCount(): Column {
    this.#latencyCount ??= this.#view(this.columns.latencyCount)
    return this.#latencyCount
  }

  /** Whether anything was measured at any of the steps. */
  get holds(): boolean {
    const { success, failures, latencySeconds, latencyCount } = this.columns
    const { from, steps, absent } = this.#window
    const holds = (column: Column) => column !== absent.long && !isAbsent(column, from, from + steps)
    return holds(success) || holds(failures) || holds(latencySeconds) || holds(latencyCount)
  }

  #view(column: Column): Column {
    const { from, steps, absent } = this.#window
    return column === absent.long ? absent.short : column.subarray(from, from + steps)
  }
}
