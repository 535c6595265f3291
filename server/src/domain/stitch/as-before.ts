import { Pieces, type Turns } from '../turns.ts'
import type { StitchedEdge } from './types.ts'

/** Gives edges that say what they said in the picture before, as they were there. */
export type AsBefore = (edge: StitchedEdge) => StitchedEdge

/**
 * Nearly all edges of a fleet are those of the picture before. Tens of thousands that say the same once more would have to
 * be carried by the garbage collector beside the old ones, for as long as both pictures are there.
 */
export function* edgesBefore(before: readonly StitchedEdge[]): Turns<AsBefore> {
  const pieces = new Pieces()
  const byId = new Map<string, StitchedEdge>()
  for (const edge of before) {
    if (pieces.ended) yield
    byId.set(edge.id, edge)
  }
  return (edge) => {
    const known = byId.get(edge.id)
    return known !== undefined && saysTheSame(known, edge) ? known : edge
  }
}

function saysTheSame(one: StitchedEdge, other: StitchedEdge): boolean {
  return (
    one.from === other.from &&
    one.to === other.to &&
    one.seam === other.seam &&
    one.rule === other.rule &&
    one.confidence === other.confidence &&
    one.destination === other.destination &&
    one.via === other.via &&
    one.host === other.host &&
    one.callerCluster === other.callerCluster &&
    one.measure === other.measure &&
    one.attempts === other.attempts &&
    one.outside === other.outside &&
    sameSingledOut(one.calleeBy, other.calleeBy) &&
    sameGuess(one.guess, other.guess) &&
    sameList(one.callerFlows, other.callerFlows, (a, b) => a.key === b.key && a.share === b.share) &&
    sameList(one.evidence, other.evidence, (a, b) => a === b)
  )
}

function sameGuess(one: StitchedEdge | undefined, other: StitchedEdge | undefined): boolean {
  return one === undefined || other === undefined ? one === other : saysTheSame(one, other)
}

export function sameSingledOut(one: StitchedEdge['calleeBy'], other: StitchedEdge['calleeBy']): boolean {
  if (one === null || other === null) return one === other
  const [a, b]: Record<string, string | undefined>[] = [one, other]
  return a?.host === b?.host && a?.client === b?.client && a?.caller === b?.caller
}

function sameList<T>(one: readonly T[], other: readonly T[], same: (a: T, b: T) => boolean): boolean {
  return one.length === other.length && one.every((item, place) => same(item, other[place] as T))
}
