import type { Picture } from '../domain/picture.ts'
import type { ClusterReading } from './cluster-reading.ts'
import type { Compared } from './compare.ts'
import type { Wanted } from './engine-options.ts'
import type { Reading } from './reading.ts'
import type { Gap, Snapshot } from './snapshot.ts'
import type { Spaced } from './spaced.ts'
import type { Around } from './surroundings.ts'

/** What was read for a snapshot. */
export interface Told {
  readonly readings: readonly ClusterReading[]
  readonly compared: Compared | null
  readonly around: Around
}

/** The same with the picture of it. */
export interface Taken extends Told {
  readonly picture: Picture
  /** The picture as it was when calls were asked for. */
  readonly drawn: Picture
}

/**
 * Whether nothing of it could be had later: what could not be read is missing in it, and so is a cluster that was not
 * found yet. `further`: what is known to be missing of the list of clusters.
 */
export function isWhole({ readings, compared, around }: Told, further: readonly Gap[]): boolean {
  const gaps = [...readings.flatMap((reading) => reading.gaps), ...(compared?.gaps ?? []), ...further]
  return (
    readings.length > 0 &&
    gaps.length === 0 &&
    [...around.values()].every(({ surroundings }) => surroundings.alerts !== null)
  )
}

/** A live snapshot with what it was judged from, for as long as parts of it are still to come. */
export interface Live {
  readonly snapshot: Snapshot
  readonly takenAtSeconds: number
  readonly wanted: Wanted
  readonly readings: readonly ClusterReading[]
  readonly reading: Reading
  readonly compared: Compared | null
  /** The picture as it was when calls were asked for. */
  readonly drawn: Picture
  /** Judges it anew with the readings that have come in since. */
  readonly again: Spaced
}
