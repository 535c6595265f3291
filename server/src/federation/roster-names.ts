import type { Found } from './discovery.ts'
import type { Gap } from './snapshot.ts'

/** A cluster that was found, and behind which endpoint. */
export interface Place {
  readonly url: string
  readonly found: Pick<Found, 'name' | 'value' | 'goneSinceSeconds'>
}

/** Whose name is another's. */
export interface Collision {
  readonly name: string
  readonly url: string
  /** Whether it is there, and not read; else nothing is lost by that. */
  readonly isThere: boolean
  readonly gap: Omit<Gap, 'sinceSeconds'>
}

/**
 * Which of several with one name is read: the first, unless it has been gone for so long that its last good values are, and
 * another is there. A cluster that has moved, or was renamed, would else be hidden by what it was.
 */
export function readOf<P extends Place>(places: readonly P[], nowSeconds: number, holdsSeconds: number): P | undefined {
  const isHeld = ({ found: { goneSinceSeconds: since } }: P) => since === null || nowSeconds - since <= holdsSeconds
  return places.find(isHeld) ?? places[0]
}

/** What is to be said of those that are not read; `read` null: a cluster is listed that has the name. */
export function collisionsOf(places: readonly Place[], read: Place | null): readonly Collision[] {
  const first = read === null ? -1 : places.indexOf(read)
  return places.flatMap((place, index): Collision[] => {
    const { url, found } = place
    const { name, goneSinceSeconds } = found
    if (place === read) return []
    const said = (what: string, detail: string): Collision[] => [
      { name, url, isThere: goneSinceSeconds === null, gap: { cluster: name, what, why: 'name taken', detail } },
    ]
    if (goneSinceSeconds === null) return said('second cluster of this name', notRead(place, read))
    // It was read before, and the other may be another cluster.
    return read !== null && index < first ? said('cluster that is gone', replaced(place, read)) : []
  })
}

function notRead({ url, found: { name, value } }: Place, read: Place | null): string {
  const apart = `rename: { ${JSON.stringify(value)}: another-name }`
  const held = `${url} holds a cluster named ${name} too, which is not read`
  if (read !== null && read.found.goneSinceSeconds !== null)
    return `${held} yet; ${label(read)} is gone, and gives it its name soon. Add ${apart} there if they are two clusters`
  const shown = read === null ? 'the one listed under clusters' : `the one behind ${read.url}`
  const same = `exclude: [${JSON.stringify(value)}]`
  return `${held}; ${shown} is shown. Add ${same} there if it is the same cluster, ${apart} if not`
}

function replaced(gone: Place, read: Place): string {
  const apart = `rename: { ${JSON.stringify(read.found.value)}: another-name }`
  const taken = `${label(read)} has its name ${read.found.name} now and is read`
  return `${label(gone)} is gone; ${taken}. Add ${apart} there if they are two clusters`
}

function label({ url, found }: Place): string {
  return `${JSON.stringify(found.value)} behind ${url}`
}
