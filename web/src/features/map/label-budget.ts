import type { DrawnNode } from './drawn.ts'
import { inTroubleOf } from './groups.ts'
import type { Picture } from './picture.ts'

/** So many have their names beside them; and of those that are well always so many, as landmarks. */
const MOST_CARDS = 60
const LEAST_LANDMARKS = 12

/**
 * Who is drawn as a dot, with its name on demand, where there are more than names can be read of: those that are well,
 * but for the ones with the most neighbours. By neighbours and not by rates, so that new numbers swap no names.
 */
export function dotsOf({ nodes, edges }: Pick<Picture, 'nodes' | 'edges'>, selected: string): ReadonlySet<string> {
  if (nodes.length <= MOST_CARDS) return new Set()
  const well = nodes.filter((drawn) => !stands(drawn) && !holds(drawn, selected))
  const neighbours = new Map<string, number>()
  for (const { edge } of edges) for (const id of [edge.from, edge.to]) neighbours.set(id, (neighbours.get(id) ?? 0) + 1)
  const landmarks = Math.max(LEAST_LANDMARKS, MOST_CARDS - (nodes.length - well.length))
  const count = ({ id }: DrawnNode) => neighbours.get(id) ?? 0
  const sorted = [...well].sort((a, b) => count(b) - count(a) || (a.id < b.id ? -1 : 1))
  return new Set(sorted.slice(landmarks).map(({ id }) => id))
}

/** In trouble, on the way to a suspect, or holding somebody who is. */
function stands({ workload, suspectRank, onPath, members }: DrawnNode): boolean {
  const health = workload?.health
  return suspectRank !== null || onPath || health === 'warn' || health === 'crit' || inTroubleOf(members) > 0
}

/** The chosen one, whatever it is in. */
function holds({ id, members }: DrawnNode, selected: string): boolean {
  return id === selected || members.some((member) => member.id === selected)
}
