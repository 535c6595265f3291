/** Where each workload of a cluster stands on a wall: eyes remember places, so nobody who is there moves. */

export interface Place {
  readonly id: string
  /** Unix seconds. */
  readonly seenAtSeconds: number
}

/** Who is gone keeps a place for this long, in case it comes back. */
export const KEPT_SECONDS = 86_400

/**
 * The places after one more look. `ids`: who is there, in the order for a first sight. Who is new stands at the end; who
 * is gone keeps its place for a day; then the cluster is laid out anew, at most once a day. While the cluster does not
 * answer (`answers` false) nobody is gone.
 */
export function nextPlaces(
  places: readonly Place[],
  ids: readonly string[],
  answers: boolean,
  nowSeconds: number,
): readonly Place[] {
  const there = new Set(ids)
  const known = new Set(places.map(({ id }) => id))
  const isOver = places.some(({ id, seenAtSeconds }) => !there.has(id) && nowSeconds - seenAtSeconds > KEPT_SECONDS)
  const seen = (id: string): Place => ({ id, seenAtSeconds: nowSeconds })
  if (answers && isOver) return ids.map(seen)
  const kept = places.map((place) => (there.has(place.id) || !answers ? seen(place.id) : place))
  return [...kept, ...ids.filter((id) => !known.has(id)).map(seen)]
}
