import { ColumnStock } from './column-stock.ts'
import type { Column } from './columns.ts'

const numbers = new ColumnStock((length) => new Float64Array(length))

/**
 * Bytes and connections at one instant, of which nothing is known yet. A snapshot of a fleet holds thousands: three
 * numbers in one piece instead of three columns that all live until the next snapshot.
 */
export class InstantTcp {
  readonly values = numbers.take(3)

  get bytesIn(): Column {
    return this.values.subarray(0, 1)
  }

  get bytesOut(): Column {
    return this.values.subarray(1, 2)
  }

  get openConnections(): Column {
    return this.values.subarray(2, 3)
  }
}
