import type { Observation } from '../domain/observation.ts'
import type { Traffic } from '../domain/traffic.ts'
import type { Snapshot } from './snapshot.ts'

/** Snapshots of past instants: those looked at last are kept, as many as fit into so many bytes. */
export class PastSnapshots {
  readonly #mostBytes: number
  readonly #kept = new Map<string, { readonly snapshot: Snapshot; readonly bytes: number }>()
  #bytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  get(key: string): Snapshot | null {
    const found = this.#kept.get(key)
    if (found === undefined) return null
    this.#kept.delete(key)
    this.#kept.set(key, found)
    return found.snapshot
  }

  /** One that is larger than the budget alone is not kept. */
  put(key: string, snapshot: Snapshot): void {
    const bytes = bytesOf(snapshot)
    this.#kept.set(key, { snapshot, bytes })
    this.#bytes += bytes
    for (const [oldest, { bytes: freed }] of this.#kept) {
      if (this.#bytes <= this.#mostBytes) break
      this.#kept.delete(oldest)
      this.#bytes -= freed
    }
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
