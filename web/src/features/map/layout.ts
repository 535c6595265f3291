/** Who is drawn: its lane (a cluster) is a horizontal band, its column follows from who calls whom. */
export interface LayoutNode {
  readonly id: string
  readonly lane: string
}

export interface LayoutEdge {
  readonly from: string
  readonly to: string
}

export interface Place {
  readonly column: number
  /** Position within the lane and column, from the top. */
  readonly row: number
  readonly lane: string
}

export interface Lane {
  readonly name: string
  readonly rows: number
}

export interface Layout {
  readonly places: ReadonlyMap<string, Place>
  readonly lanes: readonly Lane[]
  readonly columns: number
  /** Edges that lead back against the order of the columns, as `from~to`. */
  readonly back: ReadonlySet<string>
}

const SWEEPS = 4
/** Whoever has no call stands below the others, at least so many side by side. */
const LONE_COLUMNS = 5

/**
 * Callers left, callees right: the column is the longest way from an entry, with the calls that close a circle left
 * out. Within a lane and column the order follows the neighbours' mean position (barycentre; Sugiyama, Tagawa, Toda
 * 1981), ties by name, so that the same graph is always the same picture. Those without a call fill rows of their own.
 */
export function layOut(
  nodes: readonly LayoutNode[],
  edges: readonly LayoutEdge[],
  laneOrder: readonly string[],
  /** Lanes that are there with nobody in them as well. */
  always: readonly string[] = [],
): Layout {
  const byId = new Map([...nodes].sort(byName).map((node) => [node.id, node]))
  const known = edges.filter(({ from, to }) => from !== to && byId.has(from) && byId.has(to))
  const sorted = [...known].sort((a, b) => compare(a.from, b.from) || compare(a.to, b.to))
  const back = backEdges([...byId.keys()], sorted)
  const forward = sorted.filter((edge) => !back.has(edgeKey(edge)))
  const column = columnsOf([...byId.keys()], forward)
  const lanes = lanesOf([...byId.values()], laneOrder, always)
  const called = new Set(known.flatMap(({ from, to }) => [from, to]))
  const alone = [...byId.values()].filter(({ id }) => !called.has(id))
  const cells = cellsOf(
    [...byId.values()].filter(({ id }) => called.has(id)),
    column,
  )
  order(cells, forward)
  const places = new Map<string, Place>()
  for (const { lane, column: at, ids } of cells) {
    ids.forEach((id, row) => {
      places.set(id, { column: at, row, lane })
    })
  }
  const lonely = groupBy(alone, ({ lane }) => lane)
  const most = Math.max(0, ...[...lonely.values()].map(({ length }) => length))
  const columns = Math.max(1, Math.min(LONE_COLUMNS, most), ...[...column.values()].map((at) => at + 1))
  return {
    places,
    lanes: lanes.map((lane) => {
      const rows = Math.max(0, ...cells.filter((cell) => cell.lane === lane).map(({ ids }) => ids.length))
      const rest = lonely.get(lane) ?? []
      rest.forEach(({ id }, at) => {
        places.set(id, { column: at % columns, row: rows + Math.floor(at / columns), lane })
      })
      return { name: lane, rows: Math.max(1, rows + Math.ceil(rest.length / columns)) }
    }),
    columns,
    back,
  }
}

export function edgeKey({ from, to }: LayoutEdge): string {
  return `${from}~${to}`
}

function byName(a: LayoutNode, b: LayoutNode): number {
  return compare(a.id, b.id)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const list = groups.get(keyOf(item))
    if (list) list.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

/** Calls that close a circle, found by walking from the entries first; iterative, because chains may be long. */
function backEdges(ids: readonly string[], edges: readonly LayoutEdge[]): Set<string> {
  const calls = groupBy(edges, ({ from }) => from)
  const called = new Set(edges.map(({ to }) => to))
  const roots = [...ids.filter((id) => !called.has(id)), ...ids]
  const state = new Map<string, 'open' | 'done'>()
  const back = new Set<string>()
  for (const root of roots) {
    if (state.has(root)) continue
    const work = [{ id: root, next: 0 }]
    state.set(root, 'open')
    for (let top = work.at(-1); top !== undefined; top = work.at(-1)) {
      const edge = calls.get(top.id)?.[top.next]
      top.next += 1
      if (edge === undefined) {
        state.set(top.id, 'done')
        work.pop()
      } else if (state.get(edge.to) === 'open') back.add(edgeKey(edge))
      else if (!state.has(edge.to)) {
        state.set(edge.to, 'open')
        work.push({ id: edge.to, next: 0 })
      }
    }
  }
  return back
}

function columnsOf(ids: readonly string[], forward: readonly LayoutEdge[]): Map<string, number> {
  const waiting = new Map(ids.map((id) => [id, 0]))
  for (const { to } of forward) waiting.set(to, (waiting.get(to) ?? 0) + 1)
  const calls = groupBy(forward, ({ from }) => from)
  const column = new Map(ids.map((id) => [id, 0]))
  const ready = ids.filter((id) => waiting.get(id) === 0)
  for (let id = ready.shift(); id !== undefined; id = ready.shift()) {
    for (const { to } of calls.get(id) ?? []) {
      column.set(to, Math.max(column.get(to) ?? 0, (column.get(id) ?? 0) + 1))
      const left = (waiting.get(to) ?? 0) - 1
      waiting.set(to, left)
      if (left === 0) ready.push(to)
    }
  }
  return column
}

function lanesOf(nodes: readonly LayoutNode[], laneOrder: readonly string[], always: readonly string[]): string[] {
  const used = new Set([...nodes.map(({ lane }) => lane), ...always])
  return [
    ...laneOrder.filter((lane) => used.has(lane)),
    ...[...used].filter((lane) => !laneOrder.includes(lane)).sort(),
  ]
}

interface Cell {
  readonly lane: string
  readonly column: number
  ids: string[]
}

function cellsOf(nodes: readonly LayoutNode[], column: ReadonlyMap<string, number>): Cell[] {
  const cells = new Map<string, Cell>()
  for (const { id, lane } of nodes) {
    const at = column.get(id) ?? 0
    const key = `${at} ${lane}`
    const cell = cells.get(key) ?? { lane, column: at, ids: [] }
    cell.ids.push(id)
    cells.set(key, cell)
  }
  return [...cells.values()].sort((a, b) => a.column - b.column || compare(a.lane, b.lane))
}

function order(cells: readonly Cell[], forward: readonly LayoutEdge[]): void {
  const callers = groupBy(forward, ({ to }) => to)
  const callees = groupBy(forward, ({ from }) => from)
  const row = new Map<string, number>()
  const note = (cell: Cell) => {
    cell.ids.forEach((id, at) => {
      row.set(id, cell.ids.length === 1 ? 0.5 : at / (cell.ids.length - 1))
    })
  }
  cells.forEach(note)
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const down = sweep % 2 === 0
    for (const cell of down ? cells : [...cells].reverse()) {
      const neighbours = (id: string) =>
        down ? (callers.get(id) ?? []).map(({ from }) => from) : (callees.get(id) ?? []).map(({ to }) => to)
      const centre = new Map(
        cell.ids.map((id) => {
          const places = neighbours(id).map((other) => row.get(other) ?? 0.5)
          return [id, places.length === 0 ? (row.get(id) ?? 0.5) : places.reduce((a, b) => a + b, 0) / places.length]
        }),
      )
      cell.ids = [...cell.ids].sort((a, b) => (centre.get(a) ?? 0) - (centre.get(b) ?? 0) || compare(a, b))
      note(cell)
    }
  }
}
