import type { BucketColumns } from './bucket-columns.ts'
import type { Column } from './columns.ts'
import type { Traffic } from './traffic.ts'

/** Which steps of long columns are looked at. */
export interface Window {
  readonly from: number
  readonly steps: number
  /** Stands for columns of which nothing is known, and what is handed out for it. */
  readonly absent: { readonly long: Column; readonly short: Column }
  /** None. */
  readonly buckets: BucketColumns
}

/**
 * Some steps of a flow that is known for longer, but for buckets. Its columns are made when they are read: a fleet has
 * tens of thousands of flows, whose past moves on by a step every few seconds, and four views of each that live as long
 * as a snapshot are most of what the garbage collector has to carry.
 */
export class TrafficWindow implements Traffic {
  readonly buckets: BucketColumns
  readonly #long: Traffic
  readonly #window: Window

  constructor(long: Traffic, window: Window) {
    this.buckets = window.buckets
    this.#long = long
    this.#window = window
  }

  get success(): Column {
    return columnIn(this.#long.success, this.#window)
  }

  get failures(): Column {
    return columnIn(this.#long.failures, this.#window)
  }

  get latencySeconds(): Column {
    return columnIn(this.#long.latencySeconds, this.#window)
  }

  get latencyCount(): Column {
    return columnIn(this.#long.latencyCount, this.#window)
  }
}

function columnIn(column: Column, { from, steps, absent }: Window): Column {
  return column === absent.long ? absent.short : column.subarray(from, from + steps)
}
