import { onceEach } from './add-traffic.ts'
import { BucketColumns } from './bucket-columns.ts'
import type { Column } from './columns.ts'
import type { NativeColumn } from './native-column.ts'
import { bothClues, type Inbound, NO_PARTS, type Observation, type Outbound, type Tcp } from './observation.ts'
import type { Signals } from './signals.ts'
import { isCounted, rowsOf, type Traffic } from './traffic.ts'
import { Pieces, type Turns } from './turns.ts'

const FLOWS_A_PIECE = 128

/** What becomes of a column when more of it is known; `before` is undefined where there was none. */
export interface ColumnWriter {
  /** More is `steps` of a column, from one on. */
  column(before: Column | undefined, more: Column, from: number, steps: number): Column
  /** Whether so many steps of two columns, from one on, are the same as far as they are held. */
  isSame(one: Column, other: Column, from: number, steps: number): boolean
  /** A column of its own that holds what is known of another. */
  copied(known: Column): Column
  buckets(before: BucketColumns | undefined, more: BucketColumns): BucketColumns
  native(before: NativeColumn | undefined, more: NativeColumn | undefined): NativeColumn | undefined
  /** Buckets and routes are left out, and bytes of workloads that more is told of. */
  readonly ratesAlone: boolean
}

/**
 * Puts what was measured into `long`, flow by flow; what is new there is put in. `measured` is not changed. With each
 * step the same thousands of flows come again: those of which nothing but their columns' contents changes stay. In turns.
 */
export function* writingInto(long: Observation, measured: Observation, writer: ColumnWriter): Turns<void> {
  const pieces = new Pieces(FLOWS_A_PIECE)
  for (const [id, flow] of measured.inbound) {
    if (pieces.ended) yield
    const before = long.inbound.get(id)
    const total = trafficOf(before?.total, flow.total, writer)
    const byHost = partsOf(before?.byHost, flow.byHost, writer)
    const byClient = partsOf(before?.byClient, flow.byClient, writer)
    const byCaller = partsOf(before?.byCaller, flow.byCaller, writer)
    const addresses = union(before?.addresses, flow.addresses)
    const tcp = tcpOf(before?.tcp ?? null, writer.ratesAlone ? tcpIfAlone(flow) : flow.tcp, writer)
    const written = { total, byHost, byClient, byCaller, addresses, tcp }
    if (before === undefined || !isSameInbound(before, flow, written))
      long.inbound.set(id, { ...flow, total, byHost, byClient, byCaller, addresses, tcp })
  }
  for (const [key, flow] of measured.outbound) {
    if (pieces.ended) yield
    const before = long.outbound.get(key)
    const traffic = trafficOf(before?.traffic, flow.traffic, writer)
    const clues = before === undefined ? flow.clues : bothClues(before.clues, flow.clues)
    const tcp = tcpOf(before?.tcp ?? null, flow.tcp, writer)
    const written = { traffic, clues, tcp }
    if (before === undefined || !isSameOutbound(before, flow, written))
      long.outbound.set(key, { ...flow, traffic, clues, tcp })
  }
  for (const [key, route] of writer.ratesAlone ? [] : measured.routes) {
    if (pieces.ended) yield
    const before = long.routes.get(key)
    const effective = trafficOf(before?.effective, route.effective, writer)
    long.routes.set(key, { ...route, effective, actual: trafficOf(before?.actual, route.actual, writer) })
  }
  writeColumns(long.pods, measured.pods, writer)
  for (const [key, more] of measured.signals) {
    const signals: Signals = long.signals.get(key) ?? new Map()
    long.signals.set(key, signals)
    writeColumns(signals, more, writer)
  }
  for (const alias of measured.aliases) long.aliases.add(alias)
}

/**
 * Bytes and connections tell that a workload is there at all; of those whose requests are counted nobody looks at those
 * of the past, which are as many columns as the rest.
 */
export function tcpIfAlone({ total, tcp }: Pick<Inbound, 'total' | 'tcp'>): Tcp | null {
  return tcp === null || !isCounted(total) ? tcp : null
}

type WrittenInbound = Pick<Inbound, 'total' | 'byHost' | 'byClient' | 'byCaller' | 'addresses' | 'tcp'>

function isSameInbound(before: Inbound, flow: Inbound, written: WrittenInbound): boolean {
  return (
    before.workload === flow.workload &&
    before.total === written.total &&
    before.byHost === written.byHost &&
    before.byClient === written.byClient &&
    before.byCaller === written.byCaller &&
    before.addresses === written.addresses &&
    before.tcp === written.tcp &&
    before.measure === flow.measure &&
    before.attempts === flow.attempts &&
    before.passesOn === flow.passesOn &&
    before.assumed === flow.assumed &&
    before.seenBy.length === flow.seenBy.length &&
    before.seenBy.every((one, index) => one === flow.seenBy[index])
  )
}

type WrittenOutbound = Pick<Outbound, 'traffic' | 'clues' | 'tcp'>

function isSameOutbound(before: Outbound, flow: Outbound, written: WrittenOutbound): boolean {
  return (
    before.from === flow.from &&
    before.destination === flow.destination &&
    before.traffic === written.traffic &&
    before.clues === written.clues &&
    before.tcp === written.tcp &&
    before.measure === flow.measure &&
    before.attempts === flow.attempts &&
    before.serverId === flow.serverId
  )
}

/** Without buckets. */
const RATES_ALONE: Buckets = { buckets: new BucketColumns(0), bucketSeries: undefined, native: undefined }

/**
 * The one before where all of its columns have room for more. While nothing fails, the requests that were timed are those
 * that succeeded, and are most of what is counted: one column is both for as long as they are the same.
 */
function trafficOf(before: Traffic | undefined, more: Traffic, writer: ColumnWriter): Traffic {
  const { columns, from, steps } = rowsOf(more)
  const oneForBoth = before === undefined || before.latencyCount === before.success
  const isOne = oneForBoth && writer.isSame(columns.success, columns.latencyCount, from, steps)
  // Before the step is written to what was one column so far.
  const countBefore =
    oneForBoth && !isOne && before !== undefined ? writer.copied(before.success) : before?.latencyCount
  const success = writer.column(before?.success, columns.success, from, steps)
  const failures = writer.column(before?.failures, columns.failures, from, steps)
  const latencySeconds = writer.column(before?.latencySeconds, columns.latencySeconds, from, steps)
  const latencyCount = isOne ? success : writer.column(countBefore, columns.latencyCount, from, steps)
  const sameRates =
    before !== undefined &&
    success === before.success &&
    failures === before.failures &&
    latencySeconds === before.latencySeconds &&
    latencyCount === before.latencyCount
  const { buckets, bucketSeries, native } = writer.ratesAlone
    ? (before ?? RATES_ALONE)
    : bucketsOf(before, more, writer)
  const same =
    sameRates && buckets === before.buckets && bucketSeries === before.bucketSeries && native === before.native
  // Spelled out: V8 gives what is spread upon a fuller object a hidden class of its own, and there are tens of thousands.
  return same ? before : { success, failures, latencySeconds, latencyCount, buckets, bucketSeries, native }
}

type Buckets = Pick<Traffic, 'buckets' | 'bucketSeries' | 'native'>

function bucketsOf(before: Traffic | undefined, more: Traffic, writer: ColumnWriter): Buckets {
  const counted = before?.bucketSeries !== undefined || more.bucketSeries !== undefined
  return {
    buckets: writer.buckets(before?.buckets, more.buckets),
    bucketSeries: counted ? writer.buckets(before?.bucketSeries, more.bucketSeries ?? onceEach(more)) : undefined,
    native: writer.native(before?.native, more.native),
  }
}

function partsOf(
  before: ReadonlyMap<string, Traffic> | undefined,
  more: ReadonlyMap<string, Traffic>,
  writer: ColumnWriter,
): ReadonlyMap<string, Traffic> {
  let parts: Map<string, Traffic> | null = null
  for (const [key, traffic] of more) {
    const known = before?.get(key)
    const next = trafficOf(known, traffic, writer)
    if (next === known) continue
    parts ??= new Map(before)
    parts.set(key, next)
  }
  return parts ?? before ?? NO_PARTS
}

function tcpOf(before: Tcp | null, more: Tcp | null, writer: ColumnWriter): Tcp | null {
  if (more === null) return before
  const whole = (known: Column | undefined, column: Column) => writer.column(known, column, 0, column.length)
  return {
    bytesIn: whole(before?.bytesIn, more.bytesIn),
    bytesOut: whole(before?.bytesOut, more.bytesOut),
    openConnections: whole(before?.openConnections, more.openConnections),
  }
}

function writeColumns<K>(before: Map<K, Column>, more: ReadonlyMap<K, Column>, { column }: ColumnWriter): void {
  for (const [key, one] of more) before.set(key, column(before.get(key), one, 0, one.length))
}

/** With each snapshot the same comes again, for thousands of flows: a new set only where there is something new. */
function union<T>(before: Set<T> | undefined, more: ReadonlySet<T>): Set<T> {
  if (before === undefined) return new Set(more)
  for (const one of more) if (!before.has(one)) return new Set([...before, ...more])
  return before
}
