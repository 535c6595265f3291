import type { Entry } from './entry.ts'
import type { Contribution } from './own-time.ts'
import type { Situation } from './situation.ts'

/**
 * The way from the affected entry to the suspect, along the calls that carry most of the slowdown. Nodes are named as
 * they are reported; a link's path ends at its far end.
 */
export function pathTo(situation: Situation, entry: Entry, suspect: Contribution): string[] {
  const goal = suspect.kind === 'link' ? (suspect.id.split('~')[1] ?? suspect.id) : suspect.id
  const { graph } = situation
  const carried = entry.decomposition?.carriedSeconds ?? new Map<string, number>()
  const reportAs = (id: string) => graph.nodes.get(id)?.reportAs ?? id
  // Widest path: of all ways, the one whose thinnest call carries the most.
  const best = new Map<string, { width: number; from: string | null }>([
    [entry.id, { width: Number.POSITIVE_INFINITY, from: null }],
  ])
  const open = [entry.id]
  const done = new Set<string>()
  while (open.length > 0) {
    open.sort((a, b) => (best.get(a)?.width ?? 0) - (best.get(b)?.width ?? 0))
    const id = open.pop() ?? ''
    if (done.has(id)) continue
    done.add(id)
    if (reportAs(id) === goal) {
      // An ingress that only passes the call on belongs to the seam, not to the way; unless it is the suspect.
      const doors = situation.stitched.ingressIds
      return namesBack(id, best, reportAs).filter((name) => name === goal || name === entry.id || !doors.has(name))
    }
    for (const edge of graph.outgoing.get(id) ?? []) {
      const width = Math.min(best.get(id)?.width ?? 0, carried.get(edge.id) ?? 0)
      const known = best.get(edge.to)
      if (known !== undefined && known.width >= width) continue
      best.set(edge.to, { width, from: id })
      open.push(edge.to)
    }
  }
  return [...new Set([entry.id, goal])]
}

function namesBack(
  last: string,
  best: ReadonlyMap<string, { from: string | null }>,
  reportAs: (id: string) => string,
): string[] {
  const path: string[] = []
  for (let id: string | null = last; id !== null; id = best.get(id)?.from ?? null) path.unshift(reportAs(id))
  return path.filter((id, index) => id !== path[index - 1])
}
