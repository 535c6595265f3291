import type { Inventory } from '../domain/stitch/inventory.ts'
import type { Surroundings } from '../domain/surroundings.ts'
import type { ClusterReader } from './cluster-reader.ts'
import type { ClusterReading } from './cluster-reading.ts'
import type { Reading } from './reading.ts'
import type { Gap, Snapshot } from './snapshot.ts'

/** Of one cluster: `inventory` is for joining calls, `surroundings` a part of its view. */
interface One {
  readonly surroundings: Surroundings
  readonly inventory: Inventory | null
}

export type Around = ReadonlyMap<string, One>

/** What the clusters tell beside their golden signals: live, what is known by now; of the past, asked for that instant. */
export async function surroundingsOf(
  readers: readonly ClusterReader[],
  readings: readonly ClusterReading[],
  { live, atSeconds }: Reading,
  signal: AbortSignal,
): Promise<Around> {
  if (live) return knownSurroundings(readers, atSeconds)
  const asked = readers.map(async ({ name, side, detection, clockSkewSeconds }, index): Promise<[string, One]> => {
    const view = readings[index]?.view
    if (view?.state !== 'current') {
      // It does not answer, and would be waited for once more.
      const { goals, alerts } = side.known(atSeconds)
      return [name, { surroundings: { goals, alerts, clockSkewSeconds }, inventory: detection.inventory }]
    }
    const [told, inventory] = await Promise.all([
      side.at(view.now?.inbound.keys() ?? [], atSeconds, signal),
      detection.inventoryAt(atSeconds, signal),
    ])
    return [name, { surroundings: { ...told, clockSkewSeconds }, inventory }]
  })
  return new Map(await Promise.all(asked))
}

export function knownSurroundings(readers: readonly ClusterReader[], atSeconds: number): Around {
  return new Map(
    readers.map(({ name, side, detection: { inventory }, clockSkewSeconds }) => {
      return [name, { surroundings: { ...side.known(atSeconds), clockSkewSeconds }, inventory }]
    }),
  )
}

/** A live snapshot went out: asks on, for those clusters that answered. Nobody waits for it; `leaving` ends it. */
export function askOn(
  readers: readonly ClusterReader[],
  readings: readonly ClusterReading[],
  { judgement }: Snapshot,
  nowSeconds: number,
  leaving: AbortSignal,
): void {
  const suspects = judgement.suspects.map(({ id }) => id)
  readers.forEach(({ detection, side }, index) => {
    const view = readings[index]?.view
    if (view?.state === 'current') {
      // One after the other: nobody waits for either, and the cluster is asked less at a time.
      void side
        .tick(view.now?.inbound.keys() ?? [], suspects, nowSeconds)
        .then(() => detection.lookAgain(nowSeconds, leaving))
    } else side.clusterFailed()
  })
}

/**
 * Of the past, who is suspected is known only once it is judged: then what had happened to them is asked for, where a
 * cluster answers.
 */
export async function withSuspects(
  around: Around,
  readers: readonly ClusterReader[],
  readings: readonly ClusterReading[],
  { judgement }: Pick<Snapshot, 'judgement'>,
  atSeconds: number,
  signal: AbortSignal,
): Promise<Around> {
  const ids = judgement.suspects.map(({ id }) => id)
  const answering = readers.filter((_, index) => readings[index]?.view.state === 'current')
  const asked = answering.map(async ({ name, side }) => [name, await side.suspectsAt(ids, atSeconds, signal)] as const)
  const suspects = new Map(await Promise.all(asked))
  return new Map(
    [...around].map(([name, { surroundings, inventory }]) => {
      const found = suspects.get(name) ?? new Map()
      return [name, { surroundings: { ...surroundings, suspects: found }, inventory }]
    }),
  )
}

/** What they could not tell; where a cluster does not answer at all, that is said already. */
export function surroundingGaps(
  readers: readonly ClusterReader[],
  readings: readonly ClusterReading[],
): readonly Gap[] {
  return readings.flatMap(({ view }) =>
    view.state === 'current' ? (readers.find(({ name }) => name === view.name)?.side.gaps() ?? []) : [],
  )
}
