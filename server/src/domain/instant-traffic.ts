import { BucketColumns } from './bucket-columns.ts'
import type { Column } from './columns.ts'
import type { NativeColumn } from './native-column.ts'
import type { Counted, Rows } from './rows.ts'

/** So many flows share their columns, which live as long as any of them. */
const SHARED = 1_024

/** Of all flows that have none yet: nobody may add to it. */
const NO_BUCKETS = new BucketColumns(1, () => {
  throw new TypeError('buckets are added to what `bucketsToAdd` gives')
})

/**
 * A flow at one instant, of which nothing is known yet. Its four numbers lie in columns that it shares with other
 * flows: a snapshot of a fleet has tens of thousands of flows, which all live until the next one, and four columns and
 * a table of buckets for each of them are most of what the garbage collector has to carry.
 */
export class InstantTraffic implements Rows {
  readonly columns: Row['columns']
  readonly from: number
  /** Not to be added to: `ownBuckets` gives those that may. */
  buckets: BucketColumns = NO_BUCKETS
  bucketSeries: BucketColumns | undefined = undefined
  native: NativeColumn | undefined = undefined
  bucketsAgeSeconds: number | undefined = undefined

  constructor(row: Row = nextRow()) {
    this.columns = row.columns
    this.from = row.from
  }

  get within(): Rows {
    return this
  }

  get steps(): number {
    return 1
  }

  get success(): Column {
    return this.#view(this.columns.success)
  }

  get failures(): Column {
    return this.#view(this.columns.failures)
  }

  get latencySeconds(): Column {
    return this.#view(this.columns.latencySeconds)
  }

  get latencyCount(): Column {
    return this.#view(this.columns.latencyCount)
  }

  /** The buckets, to be added to. */
  ownBuckets(): BucketColumns {
    if (this.buckets === NO_BUCKETS) this.buckets = new BucketColumns(1)
    return this.buckets
  }

  /** The same numbers with the latencies of another flow: what is added to one of the two is seen in the other. */
  withLatencies({ buckets, bucketSeries, native }: Latencies, ageSeconds: number | undefined): InstantTraffic {
    const other = new InstantTraffic(this)
    other.buckets = buckets
    other.bucketSeries = bucketSeries
    other.native = native
    other.bucketsAgeSeconds = ageSeconds
    return other
  }

  #view(column: Column): Column {
    return column.subarray(this.from, this.from + 1)
  }
}

interface Row {
  readonly columns: Readonly<Record<Counted, Float64Array>>
  readonly from: number
}

interface Latencies {
  readonly buckets: BucketColumns
  readonly bucketSeries?: BucketColumns | undefined
  readonly native?: NativeColumn | undefined
}

let shared = sharedColumns()
let used = 0

function nextRow(): Row {
  if (used === SHARED) {
    shared = sharedColumns()
    used = 0
  }
  const from = used
  used += 1
  return { columns: shared, from }
}

function sharedColumns(): Row['columns'] {
  const all = new Float64Array(4 * SHARED).fill(Number.NaN)
  const column = (index: number) => all.subarray(index * SHARED, (index + 1) * SHARED)
  return { success: column(0), failures: column(1), latencySeconds: column(2), latencyCount: column(3) }
}
