import type { ClusterView } from '../domain/assess.ts'
import { emptyObservation } from '../domain/observation.ts'
import type { ClusterReading } from './cluster-reading.ts'
import type { Compared } from './compare.ts'
import type { Around } from './surroundings.ts'

/** What each cluster told, with what is known around it, and what it is to be compared with. */
export function viewsOf(
  readings: readonly ClusterReading[],
  compared: Compared | null,
  around: Around,
): readonly ClusterView[] {
  return readings.map(({ view }) => {
    const found = around.get(view.name)
    const other = compared?.observations.get(view.name)
    return {
      ...view,
      ...(found === undefined ? {} : { surroundings: found.surroundings }),
      // A cluster without that stretch has no usual values; its calm history would be another comparison.
      compare: compared === null ? null : (other?.observation ?? emptyObservation(view.name, 1)),
      ...(compared === null ? {} : { usualBuckets: other?.buckets ?? null }),
    }
  })
}
