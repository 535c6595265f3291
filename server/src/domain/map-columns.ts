import type { BucketColumns } from './bucket-columns.ts'
import type { Column } from './columns.ts'
import type { NativeColumn } from './native-column.ts'
import { type Inbound, NO_PARTS, type Observation, type Outbound, type RouteFlow, type Tcp } from './observation.ts'
import type { Traffic } from './traffic.ts'
import { TrafficWindow } from './traffic-window.ts'
import { Pieces, type Turns } from './turns.ts'

const FLOWS_A_PIECE = 128

/** What becomes of the columns of an observation. `native` gives undefined where nothing is left. */
export interface ColumnChange {
  /** Length of the columns that come out. */
  readonly steps: number
  /** A flow as a whole, where that can be; else it is changed column by column. */
  window?(traffic: Traffic): TrafficWindow | null
  column(column: Column): Column
  /** Without bounds that hold nothing. */
  buckets(buckets: BucketColumns): BucketColumns
  native(column: NativeColumn): NativeColumn | undefined
  /** Whether a changed column holds anything; what holds nothing in any of its columns is left out. */
  holds(column: Column): boolean
}

/**
 * The same observation with other columns, in turns. Neither its maps nor its objects are shared; workloads, names and
 * clues are.
 */
export function* mappingColumns(observation: Observation, change: ColumnChange): Turns<Observation> {
  const pieces = new Pieces(FLOWS_A_PIECE)
  const part = (traffic: Traffic) => change.window?.(traffic) ?? changed(traffic, change)
  const inbound = new Map<string, Inbound>()
  for (const [id, flow] of observation.inbound) {
    if (pieces.ended) yield
    const next: Inbound = {
      ...flow,
      total: part(flow.total),
      byHost: kept(flow.byHost, part, change),
      byClient: kept(flow.byClient, part, change),
      byCaller: kept(flow.byCaller, part, change),
      seenBy: [...flow.seenBy],
      tcp: flow.tcp === null ? null : changedTcp(flow.tcp, change),
    }
    const parts = next.byHost.size + next.byClient.size + next.byCaller.size
    if (parts > 0 || holdsTraffic(next.total, change) || holdsTcp(next.tcp, change)) inbound.set(id, next)
  }
  const outbound = new Map<string, Outbound>()
  for (const [key, flow] of observation.outbound) {
    if (pieces.ended) yield
    const tcp = flow.tcp === null ? null : changedTcp(flow.tcp, change)
    const next: Outbound = { ...flow, traffic: part(flow.traffic), tcp }
    if (holdsTraffic(next.traffic, change) || holdsTcp(tcp, change)) outbound.set(key, next)
  }
  const routes = new Map<string, RouteFlow>()
  for (const [key, route] of observation.routes) {
    if (pieces.ended) yield
    const next: RouteFlow = { ...route, effective: part(route.effective), actual: part(route.actual) }
    if (holdsTraffic(next.effective, change) || holdsTraffic(next.actual, change)) routes.set(key, next)
  }
  const signals = new Map([...observation.signals].map(([key, of]) => [key, columns(of, change)]))
  for (const [key, of] of signals) if (of.size === 0) signals.delete(key)
  return {
    ...observation,
    steps: change.steps,
    inbound,
    outbound,
    pods: columns(observation.pods, change),
    aliases: new Set(observation.aliases),
    signals,
    routes,
  }
}

function changed(traffic: Traffic, change: ColumnChange): Traffic {
  const { native: before, bucketSeries, bucketsAgeSeconds } = traffic
  const native = before === undefined ? undefined : change.native(before)
  const success = change.column(traffic.success)
  return {
    bucketsAgeSeconds,
    success,
    failures: change.column(traffic.failures),
    latencySeconds: change.column(traffic.latencySeconds),
    // One column may be both.
    latencyCount: traffic.latencyCount === traffic.success ? success : change.column(traffic.latencyCount),
    buckets: change.buckets(traffic.buckets),
    bucketSeries: bucketSeries && change.buckets(bucketSeries),
    native,
  }
}

function changedTcp({ bytesIn, bytesOut, openConnections }: Tcp, { column }: ColumnChange): Tcp {
  return { bytesIn: column(bytesIn), bytesOut: column(bytesOut), openConnections: column(openConnections) }
}

function columns<K>(before: ReadonlyMap<K, Column>, { column, holds }: ColumnChange): Map<K, Column> {
  const after = new Map<K, Column>()
  for (const [key, one] of before) {
    const next = column(one)
    if (holds(next)) after.set(key, next)
  }
  return after
}

function kept(
  parts: ReadonlyMap<string, Traffic>,
  part: (traffic: Traffic) => Traffic,
  change: ColumnChange,
): ReadonlyMap<string, Traffic> {
  if (parts.size === 0) return NO_PARTS
  const after = new Map<string, Traffic>()
  for (const [key, traffic] of parts) {
    const next = part(traffic)
    if (holdsTraffic(next, change)) after.set(key, next)
  }
  return after
}

function holdsTraffic(traffic: Traffic, { holds }: ColumnChange): boolean {
  if (traffic instanceof TrafficWindow) return traffic.holds
  const { success, failures, latencySeconds, latencyCount, buckets, native } = traffic
  const held = holds(success) || holds(failures) || holds(latencySeconds) || holds(latencyCount)
  return held || buckets.size > 0 || native !== undefined
}

function holdsTcp(tcp: Tcp | null, { holds }: ColumnChange): boolean {
  return tcp !== null && (holds(tcp.bytesIn) || holds(tcp.bytesOut) || holds(tcp.openConnections))
}
