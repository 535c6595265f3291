import type { DrawnEdge } from './drawn.ts'
import type { Direction } from './geometry.ts'
import type { Layout } from './layout.ts'

/** The key for the same step where calls lead right. */
const TURNED: Readonly<Record<string, string>> = {
  ArrowDown: 'ArrowRight',
  ArrowUp: 'ArrowLeft',
  ArrowRight: 'ArrowDown',
  ArrowLeft: 'ArrowUp',
}

/** Where an arrow key leads: along calls in their direction, else within the column. */
export function neighbourOf(
  id: string,
  pressed: string,
  layout: Layout,
  edges: readonly DrawnEdge[],
  direction: Direction,
): string | null {
  const here = layout.places.get(id)
  if (here === undefined) return null
  const key = direction === 'lr' ? pressed : (TURNED[pressed] ?? pressed)
  if (key === 'ArrowRight' || key === 'ArrowLeft') {
    const forward = key === 'ArrowRight'
    const ends = edges
      .filter(({ edge }) => (forward ? edge.from : edge.to) === id)
      .sort((a, b) => Number(b.onPath) - Number(a.onPath))
      .map(({ edge }) => (forward ? edge.to : edge.from))
    return ends[0] ?? null
  }
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return null
  const lane = new Map(layout.lanes.map(({ name }, at) => [name, at]))
  const column = [...layout.places]
    .filter(([, place]) => place.column === here.column)
    .sort(([, a], [, b]) => (lane.get(a.lane) ?? 0) - (lane.get(b.lane) ?? 0) || a.row - b.row)
    .map(([other]) => other)
  return column[column.indexOf(id) + (key === 'ArrowDown' ? 1 : -1)] ?? null
}
