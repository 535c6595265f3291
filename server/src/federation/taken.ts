import type { Picture } from '../domain/picture.ts'
import type { ClusterReading } from './cluster-reading.ts'
import type { Compared } from './compare.ts'
import type { Reading } from './reading.ts'
import type { Snapshot } from './snapshot.ts'
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

/** A live snapshot with what it was judged from, for as long as parts of it are still to come. */
export interface Live {
  readonly snapshot: Snapshot
  readonly takenAtSeconds: number
  readonly readings: readonly ClusterReading[]
  readonly reading: Reading
  readonly compared: Compared | null
  /** The picture as it was when calls were asked for. */
  readonly drawn: Picture
  /** Judges it anew with the readings that have come in since. */
  readonly again: Spaced
}
