import type { Goal } from '../domain/goals.ts'
import type { StitchConfig } from '../domain/stitch/types.ts'
import type { ClusterReader } from './cluster-reader.ts'
import type { CompareWith } from './compare.ts'
import type { RateWindow } from './rate-window.ts'
import type { Roster } from './roster.ts'
import type { Snapshot } from './snapshot.ts'

export interface EngineOptions {
  /** Asked anew for each snapshot: clusters may come and go while the server runs. */
  readonly readers: () => readonly ClusterReader[]
  readonly stitchConfig: StitchConfig
  readonly refreshSeconds: number
  readonly rateWindow: RateWindow
  readonly goals: readonly Goal[]
  readonly softDeadlineSeconds: number
  /** Finds out which clusters there are; unset: they are known. */
  readonly roster?: Pick<Roster, 'look' | 'gaps' | 'tempered'>
  /** What snapshots of the past may hold in memory. */
  readonly pastSnapshotBytes: number
  /** Unix seconds. */
  readonly clock: () => number
  /** Whether answers are being made for those who wait: what nobody waits for begins after them. Unset: never. */
  readonly isAnswering?: () => boolean
  readonly onSnapshot?: (snapshot: Snapshot) => void
}

/** Which snapshot is wanted: the live one, or one of a past instant; with another rate window than the default. */
export interface Wanted {
  readonly atSeconds: number | null
  readonly windowSeconds: number | null
  /** Null: the calm stretch before the present deviation. */
  readonly compare: CompareWith | null
}
