import type { Observation } from '../domain/observation.ts'
import type { Traffic } from '../domain/traffic.ts'
import type { Snapshot } from './snapshot.ts'

interface Kept {
  readonly snapshot: Snapshot
  readonly bytes: number
  /** Unix seconds. */
  readonly untilSeconds: number
}

/** Snapshots of past instants: those looked at last are kept, as many as fit into so many bytes. */
export class PastSnapshots {
  readonly #mostBytes: number
  readonly #kept = new Map<string, Kept>()
  #bytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  get(key: string, nowSeconds: number): Snapshot | null {
    const found = this.#kept.get(key)
    if (found === undefined) return null
    this.#drop(key)
    if (nowSeconds >= found.untilSeconds) return null
    this.#hold(key, found)
    return found.snapshot
  }

  /**
   * One that is larger than the budget alone is not kept, and takes no other's place. `untilSeconds` (unix): how long it may stand, where something is
   * missing in it that may be had later.
   */
  put(key: string, snapshot: Snapshot, untilSeconds = Number.POSITIVE_INFINITY): void {
    this.#drop(key)
    const bytes = bytesOf(snapshot)
    if (bytes > this.#mostBytes) return
    this.#hold(key, { snapshot, bytes, untilSeconds })
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#mostBytes) break
      this.#drop(oldest)
    }
  }

  #hold(key: string, kept: Kept): void {
    this.#kept.set(key, kept)
    this.#bytes += kept.bytes
  }

  #drop(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0
    this.#kept.delete(key)
  }
}

/** An object with its strings and maps, about; measured on heaps of snapshots. */
const OBJECT_BYTES = 600
/** A typed array's own overhead. */
const COLUMN_BYTES = 120

/** What a snapshot holds in memory, by the numbers it is made of; what is derived from them is about as much again. */
export function bytesOf({ situation }: Snapshot): number {
  let bytes = 0
  for (const { now, history, compare, usualBuckets } of situation.clusters.values()) {
    for (const observation of [now, history, compare, usualBuckets?.observation]) {
      if (observation) bytes += observationBytes(observation)
    }
  }
  return 2 * bytes
}

function observationBytes({ inbound, outbound, steps }: Observation): number {
  const columnBytes = COLUMN_BYTES + 8 * steps
  const trafficBytes = ({ buckets, native }: Traffic) =>
    OBJECT_BYTES + columnBytes * (4 + buckets.size) + (native === undefined ? 0 : OBJECT_BYTES * steps)
  let bytes = 0
  for (const { total, byHost, byClient, byCaller } of inbound.values()) {
    bytes += OBJECT_BYTES + trafficBytes(total)
    for (const parts of [byHost, byClient, byCaller]) for (const part of parts.values()) bytes += trafficBytes(part)
  }
  for (const { traffic } of outbound.values()) bytes += OBJECT_BYTES + trafficBytes(traffic)
  return bytes
}
