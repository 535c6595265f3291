import type { Contribution } from './decomposition.ts'
import type { Entry } from './entry.ts'
import type { Situation } from './situation.ts'

/**
 * The way from the affected entry to the suspect, along the calls that carry most of the slowdown. Nodes are named as
 * they are reported; a link's path ends at its far end.
 */
export function pathTo(situation: Situation, entry: Entry, suspect: Contribution): string[] {
  const goal = suspect.kind === 'link' ? (suspect.id.split('~')[1] ?? suspect.id) : suspect.id
  const { graph } = situation
  const reportAs = (id: string) => graph.nodes.get(id)?.reportAs ?? id
  // Widest path: of all ways, the one whose thinnest call carries the most.
  const best = new Map<string, { width: number; from: string | null }>([
    [entry.id, { width: Number.POSITIVE_INFINITY, from: null }],
  ])
  const open = new WidestFirst()
  open.push(entry.id, Number.POSITIVE_INFINITY)
  const done = new Set<string>()
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (done.has(id)) continue
    done.add(id)
    if (reportAs(id) === goal) {
      // An ingress that only passes the call on belongs to the seam, not to the way; unless it is the suspect.
      const doors = situation.stitched.ingressIds
      return namesBack(id, best, reportAs).filter((name) => name === goal || name === entry.id || !doors.has(name))
    }
    for (const edge of graph.outgoing.get(id) ?? []) {
      const width = Math.min(best.get(id)?.width ?? 0, entry.decomposition.carriedSeconds(edge.id))
      const known = best.get(edge.to)
      if (known !== undefined && known.width >= width) continue
      best.set(edge.to, { width, from: id })
      open.push(edge.to, width)
    }
  }
  return [...new Set([entry.id, goal])]
}

/** A binary heap: of all that is open, the widest comes out first. */
class WidestFirst {
  readonly #items: { id: string; width: number }[] = []

  push(id: string, width: number): void {
    const items = this.#items
    items.push({ id, width })
    for (let at = items.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1
      if ((items[parent]?.width ?? 0) >= (items[at]?.width ?? 0)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  pop(): string | undefined {
    const items = this.#items
    this.#swap(0, items.length - 1)
    const top = items.pop()
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      const width = (index: number) => items[index]?.width ?? Number.NEGATIVE_INFINITY
      const widest = width(right) > width(left) ? right : left
      if (width(widest) <= width(at)) return top?.id
      this.#swap(at, widest)
      at = widest
    }
  }

  #swap(a: number, b: number): void {
    const [first, second] = [this.#items[a], this.#items[b]]
    if (first === undefined || second === undefined) return
    this.#items[a] = second
    this.#items[b] = first
  }
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
