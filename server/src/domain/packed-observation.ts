import { BucketColumns } from './bucket-columns.ts'
import { type Column, isAbsent } from './columns.ts'
import { InstantTraffic } from './instant-traffic.ts'
import type { NativeColumn } from './native-column.ts'
import {
  type Inbound,
  NO_PARTS,
  noTcp,
  type Observation,
  type Outbound,
  type RouteFlow,
  type Tcp,
} from './observation.ts'
import { COUNTED, type Counted } from './rows.ts'
import type { SignalName } from './signals.ts'
import type { Traffic } from './traffic.ts'
import { allAtOnce, Pieces, type Turns } from './turns.ts'

/** A column: of one step its value, of several its place among all columns, below zero where nothing was measured. */
type Packed = number

/** Upper bounds in seconds, and what each bucket holds. */
type PackedBuckets = readonly (readonly [boundSeconds: number, column: Packed])[]

interface PackedTraffic {
  readonly counted: Readonly<Record<Counted, Packed>>
  readonly buckets: PackedBuckets
  readonly bucketSeries: PackedBuckets | null
  readonly native: NativeColumn | null
  readonly bucketsAgeSeconds: number | null
}

type PackedParts = readonly (readonly [string, PackedTraffic])[]
type PackedTcp = Readonly<Record<keyof Tcp, Packed>> | null

type Parts = 'byHost' | 'byClient' | 'byCaller'

type PackedInbound = Omit<Inbound, 'total' | Parts | 'tcp'> & {
  readonly total: PackedTraffic
  readonly tcp: PackedTcp
} & {
  readonly [part in Parts]: PackedParts
}
type PackedOutbound = Omit<Outbound, 'traffic' | 'tcp'> & { readonly traffic: PackedTraffic; readonly tcp: PackedTcp }
type PackedRoute = Omit<RouteFlow, 'effective' | 'actual'> & {
  readonly effective: PackedTraffic
  readonly actual: PackedTraffic
}

/** An observation in numbers, texts, lists, sets and maps alone: what can be written down and read again. */
export type PackedObservation = Pick<Observation, 'cluster' | 'dialect' | 'steps' | 'aliases' | 'passing'> & {
  /** All columns of several steps, one after the other; empty where there is one step. */
  readonly columns: Float32Array
  readonly inbound: ReadonlyMap<string, PackedInbound>
  readonly outbound: ReadonlyMap<string, PackedOutbound>
  readonly pods: ReadonlyMap<string, Packed>
  readonly signals: ReadonlyMap<string, readonly (readonly [SignalName, Packed])[]>
  readonly routes: ReadonlyMap<string, PackedRoute>
}

/** One instant to the last digit; several steps in single precision, as they are held. */
export function packObservation(observation: Observation): PackedObservation {
  return allAtOnce(packing(observation))
}

/** The same in turns. */
export function* packing(observation: Observation): Turns<PackedObservation> {
  const { cluster, dialect, steps, aliases, passing } = observation
  const packer = new Packer(steps)
  const traffic = (one: Traffic) => packer.traffic(one)
  const inbound = yield* mapping(observation.inbound, ({ total, byHost, byClient, byCaller, tcp, ...rest }) => ({
    ...rest,
    total: traffic(total),
    byHost: [...mapped(byHost, traffic)],
    byClient: [...mapped(byClient, traffic)],
    byCaller: [...mapped(byCaller, traffic)],
    tcp: packer.tcp(tcp),
  }))
  const outbound = yield* mapping(observation.outbound, ({ traffic: calls, tcp, ...rest }) => ({
    ...rest,
    traffic: traffic(calls),
    tcp: packer.tcp(tcp),
  }))
  const pods = yield* mapping(observation.pods, (column) => packer.column(column))
  const signals = yield* mapping(observation.signals, (of) =>
    [...of].map(([name, column]) => [name, packer.column(column)] as const),
  )
  const routes = yield* mapping(observation.routes, ({ effective, actual, ...rest }) => ({
    ...rest,
    effective: traffic(effective),
    actual: traffic(actual),
  }))
  const columns = yield* packer.columns()
  return { cluster, dialect, steps, aliases, passing, inbound, outbound, pods, signals, routes, columns }
}

/** What was packed. */
export function unpackObservation(from: PackedObservation): Observation {
  const { cluster, dialect, steps, aliases, passing } = from
  const unpacker = new Unpacker(steps, from.columns)
  const traffic = (one: PackedTraffic) => unpacker.traffic(one)
  return {
    cluster,
    dialect,
    steps,
    aliases,
    passing,
    inbound: mapped(from.inbound, ({ total, byHost, byClient, byCaller, tcp, ...rest }) => ({
      ...rest,
      total: traffic(total),
      byHost: unpacker.parts(byHost),
      byClient: unpacker.parts(byClient),
      byCaller: unpacker.parts(byCaller),
      tcp: unpacker.tcp(tcp),
    })),
    outbound: mapped(from.outbound, ({ traffic: calls, tcp, ...rest }) => ({
      ...rest,
      traffic: traffic(calls),
      tcp: unpacker.tcp(tcp),
    })),
    pods: mapped(from.pods, (column) => unpacker.column(column)),
    signals: mapped(
      from.signals,
      (signals) => new Map(signals.map(([name, column]) => [name, unpacker.column(column)])),
    ),
    routes: mapped(from.routes, ({ effective, actual, ...rest }) => ({
      ...rest,
      effective: traffic(effective),
      actual: traffic(actual),
    })),
  }
}

const ABSENT = -1

class Packer {
  readonly #steps: number
  readonly #met: Column[] = []

  constructor(steps: number) {
    this.#steps = steps
  }

  column(column: Column): Packed {
    if (this.#steps === 1) return column[0] ?? Number.NaN
    return isAbsent(column) ? ABSENT : this.#met.push(column) - 1
  }

  traffic(traffic: Traffic): PackedTraffic {
    const { success, failures, latencySeconds, latencyCount, buckets, bucketSeries, native, bucketsAgeSeconds } =
      traffic
    return {
      counted: {
        success: this.column(success),
        failures: this.column(failures),
        latencySeconds: this.column(latencySeconds),
        latencyCount: this.column(latencyCount),
      },
      buckets: this.#buckets(buckets),
      bucketSeries: bucketSeries === undefined ? null : this.#buckets(bucketSeries),
      native: native ?? null,
      bucketsAgeSeconds: bucketsAgeSeconds ?? null,
    }
  }

  tcp(tcp: Tcp | null): PackedTcp {
    if (tcp === null) return null
    return {
      bytesIn: this.column(tcp.bytesIn),
      bytesOut: this.column(tcp.bytesOut),
      openConnections: this.column(tcp.openConnections),
    }
  }

  *columns(): Turns<Float32Array> {
    const all = new Float32Array(this.#met.length * this.#steps)
    const pieces = new Pieces()
    for (const [place, column] of this.#met.entries()) {
      all.set(column, place * this.#steps)
      if (pieces.ended) yield
    }
    return all
  }

  #buckets(buckets: BucketColumns): PackedBuckets {
    return [...buckets].map(([bound, column]) => [bound, this.column(column)])
  }
}

class Unpacker {
  readonly #steps: number
  readonly #columns: Float32Array
  readonly #absent: Column

  constructor(steps: number, columns: Float32Array) {
    this.#steps = steps
    this.#columns = columns
    this.#absent = new Float32Array(steps).fill(Number.NaN)
  }

  /** Of several steps a view: not to be changed. */
  column(packed: Packed): Column {
    if (this.#steps === 1) return Float64Array.of(packed)
    return packed < 0 ? this.#absent : this.#columns.subarray(packed * this.#steps, (packed + 1) * this.#steps)
  }

  traffic({ counted, buckets, bucketSeries, native, bucketsAgeSeconds }: PackedTraffic): Traffic {
    const traffic = this.#counted(counted)
    if (buckets.length > 0) {
      const into = traffic instanceof InstantTraffic ? traffic.ownBuckets() : traffic.buckets
      this.#fill(into, buckets)
    }
    if (bucketSeries !== null) traffic.bucketSeries = this.#fill(new BucketColumns(this.#steps), bucketSeries)
    if (native !== null) traffic.native = native
    if (bucketsAgeSeconds !== null) traffic.bucketsAgeSeconds = bucketsAgeSeconds
    return traffic
  }

  parts(parts: PackedParts): ReadonlyMap<string, Traffic> {
    return parts.length === 0 ? NO_PARTS : mapped(new Map(parts), (one) => this.traffic(one))
  }

  tcp(from: PackedTcp): Tcp | null {
    if (from === null) return null
    const tcp = noTcp(this.#steps)
    tcp.bytesIn.set(this.column(from.bytesIn))
    tcp.bytesOut.set(this.column(from.bytesOut))
    tcp.openConnections.set(this.column(from.openConnections))
    return tcp
  }

  #counted(counted: PackedTraffic['counted']): Traffic {
    if (this.#steps > 1) {
      const { success, failures, latencySeconds, latencyCount } = counted
      return {
        success: this.column(success),
        failures: this.column(failures),
        latencySeconds: this.column(latencySeconds),
        latencyCount: this.column(latencyCount),
        buckets: new BucketColumns(this.#steps, (length) => new Float32Array(length).fill(Number.NaN)),
      }
    }
    const traffic = new InstantTraffic()
    for (const name of COUNTED) traffic.columns[name][traffic.from] = counted[name]
    return traffic
  }

  #fill(columns: BucketColumns, buckets: PackedBuckets): BucketColumns {
    for (const [bound, packed] of buckets) columns.column(bound).set(this.column(packed))
    return columns
  }
}

function* mapping<A, B>(map: ReadonlyMap<string, A>, make: (value: A) => B): Turns<Map<string, B>> {
  const pieces = new Pieces()
  const made = new Map<string, B>()
  for (const [key, value] of map) {
    made.set(key, make(value))
    if (pieces.ended) yield
  }
  return made
}

function mapped<A, B>(map: ReadonlyMap<string, A>, make: (value: A) => B): Map<string, B> {
  const made = new Map<string, B>()
  for (const [key, value] of map) made.set(key, make(value))
  return made
}
