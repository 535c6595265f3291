import type { BucketColumns } from './bucket-columns.ts'
import type { Column } from './columns.ts'
import type { NativeColumn } from './native-column.ts'
import { bothClues, NO_PARTS, type Observation, type Tcp } from './observation.ts'
import type { Signals } from './signals.ts'
import { onceEach, type Traffic } from './traffic.ts'

/** What becomes of a column when more of it is known; `before` is undefined where there was none. */
export interface ColumnWriter {
  column(before: Column | undefined, more: Column): Column
  buckets(before: BucketColumns | undefined, more: BucketColumns): BucketColumns
  native(before: NativeColumn | undefined, more: NativeColumn | undefined): NativeColumn | undefined
}

/** Puts what was measured into `long`, flow by flow; what is new there is put in. `measured` is not changed. */
export function writeInto(long: Observation, measured: Observation, writer: ColumnWriter): void {
  for (const [id, flow] of measured.inbound) {
    const before = long.inbound.get(id)
    long.inbound.set(id, {
      ...flow,
      total: trafficOf(before?.total, flow.total, writer),
      byHost: partsOf(before?.byHost, flow.byHost, writer),
      byClient: partsOf(before?.byClient, flow.byClient, writer),
      byCaller: partsOf(before?.byCaller, flow.byCaller, writer),
      addresses: union(before?.addresses, flow.addresses),
      tcp: tcpOf(before?.tcp ?? null, flow.tcp, writer),
    })
  }
  for (const [key, flow] of measured.outbound) {
    const before = long.outbound.get(key)
    long.outbound.set(key, {
      ...flow,
      traffic: trafficOf(before?.traffic, flow.traffic, writer),
      clues: before === undefined ? flow.clues : bothClues(before.clues, flow.clues),
      tcp: tcpOf(before?.tcp ?? null, flow.tcp, writer),
    })
  }
  for (const [key, route] of measured.routes) {
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

/** The one before where all of its columns have room for more: with each step the same thousands of flows come again. */
function trafficOf(before: Traffic | undefined, more: Traffic, writer: ColumnWriter): Traffic {
  const next = writtenOf(before, more, writer)
  if (before === undefined) return next
  const same =
    next.success === before.success &&
    next.failures === before.failures &&
    next.latencySeconds === before.latencySeconds &&
    next.latencyCount === before.latencyCount &&
    next.buckets === before.buckets &&
    next.bucketSeries === before.bucketSeries &&
    next.native === before.native
  return same ? before : next
}

function writtenOf(before: Traffic | undefined, more: Traffic, writer: ColumnWriter): Traffic {
  const native = writer.native(before?.native, more.native)
  const buckets = writer.buckets(before?.buckets, more.buckets)
  const counted = before?.bucketSeries !== undefined || more.bucketSeries !== undefined
  const bucketSeries = counted ? writer.buckets(before?.bucketSeries, more.bucketSeries ?? onceEach(more)) : undefined
  return {
    success: writer.column(before?.success, more.success),
    failures: writer.column(before?.failures, more.failures),
    latencySeconds: writer.column(before?.latencySeconds, more.latencySeconds),
    latencyCount: writer.column(before?.latencyCount, more.latencyCount),
    buckets,
    ...(bucketSeries === undefined ? {} : { bucketSeries }),
    ...(native === undefined ? {} : { native }),
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

function tcpOf(before: Tcp | null, more: Tcp | null, { column }: ColumnWriter): Tcp | null {
  if (more === null) return before
  return {
    bytesIn: column(before?.bytesIn, more.bytesIn),
    bytesOut: column(before?.bytesOut, more.bytesOut),
    openConnections: column(before?.openConnections, more.openConnections),
  }
}

function writeColumns<K>(before: Map<K, Column>, more: ReadonlyMap<K, Column>, { column }: ColumnWriter): void {
  for (const [key, one] of more) before.set(key, column(before.get(key), one))
}

/** With each snapshot the same comes again, for thousands of flows: a new set only where there is something new. */
function union<T>(before: Set<T> | undefined, more: ReadonlySet<T>): Set<T> {
  if (before === undefined) return new Set(more)
  for (const one of more) if (!before.has(one)) return new Set([...before, ...more])
  return before
}
