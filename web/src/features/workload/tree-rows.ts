import type { DependencyNode, Edge } from '@goldseam/server/contract'
import type { Expand } from './tree-search.ts'

export type TreeNode = DependencyNode

/** More other calls than this are folded into one line; a single one takes no more room than its line would. */
const FOLD_FROM = 2
/** Without a suspect nothing guides the eye, so the first level is shown, up to here. */
const MOST_UNGUIDED = 8

export type TreeRow = NodeRow | LedgerRow | FoldRow

interface RowPlace {
  readonly key: string
  readonly level: number
  /** For each ancestor level, whether its line goes on below this row. */
  readonly rails: readonly boolean[]
  readonly last: boolean
}

export interface NodeRow extends RowPlace {
  readonly kind: 'node'
  readonly node: TreeNode
  /** Who calls whom from below the root down to it. */
  readonly way: readonly string[]
  readonly expandable: boolean
  readonly expanded: boolean
  readonly toggle: string
  readonly position: number
  readonly setSize: number
  readonly selected: boolean
}

export interface LedgerRow extends RowPlace {
  readonly kind: 'ledger'
  readonly edge: Edge
}

export interface FoldRow extends RowPlace {
  readonly kind: 'fold'
  readonly nodes: readonly TreeNode[]
  readonly toggle: string
}

/** What was opened by hand: an id, `-id` for closed by hand, `*id` for "all of its calls", `from~to` for a seam's ledger. */
export type OpenMarks = ReadonlySet<string>

export function readOpen(text: string): OpenMarks {
  return new Set(text.split(',').filter(Boolean))
}

export function toggleMark(marks: OpenMarks, mark: string): string {
  const next = new Set(marks)
  if (!next.delete(mark)) next.add(mark)
  return [...next].join(',')
}

export function edgeMark(edge: Edge): string {
  return `${edge.from}~${edge.to}`
}

/**
 * The tree as rows, from top to bottom: open as far as `expand` says, and down to what `sel` marks, unless somebody
 * opened or closed a row by hand.
 */
export function treeRows(root: DependencyNode, marks: OpenMarks, expand: Expand = 'suspects', sel = ''): TreeRow[] {
  const rows: TreeRow[] = []
  const top = { level: 0, rails: [], last: true, path: '', way: [], position: 1, setSize: 1 }
  addNode(rows, root, top, { marks, expand, reveal: sel === '' ? [] : wayTo(root, sel) })
  return rows
}

/** Whether `sel` means this row: its workload, or the one call that leads to it. */
export function isSelected({ id, edge }: TreeNode, sel: string): boolean {
  return sel !== '' && (sel === id || (edge !== null && sel === edgeMark(edge)))
}

/** From the root down to what is marked, as it is met first; none where it is not in the tree. */
function wayTo(node: TreeNode, sel: string): TreeNode[] {
  if (isSelected(node, sel)) return [node]
  for (const child of node.children) {
    const way = wayTo(child, sel)
    if (way.length > 0) return [node, ...way]
  }
  return []
}

interface Wish {
  readonly marks: OpenMarks
  readonly expand: Expand
  /** What has to be seen: the marked row, last, and those above it. */
  readonly reveal: readonly TreeNode[]
}

interface Place {
  readonly level: number
  readonly rails: readonly boolean[]
  readonly last: boolean
  readonly path: string
  readonly way: readonly string[]
  readonly position: number
  readonly setSize: number
}

function addNode(rows: TreeRow[], node: TreeNode, place: Place, wish: Wish): void {
  const { marks, expand, reveal } = wish
  const { level, rails, last, position, setSize } = place
  const key = `${place.path}>${node.id}`
  const expandable = node.children.length > 0
  const byItself = level === 0 || opensByItself(node, expand) || reveal.slice(0, -1).includes(node)
  const toggle = byItself ? `-${node.id}` : node.id
  const expanded = expandable && (byItself ? !marks.has(toggle) : marks.has(toggle))
  const way = level === 0 ? [] : [...place.way, node.id]
  const selected = reveal.at(-1) === node
  const drawn = { key, level, rails, last, position, setSize, selected }
  rows.push({ kind: 'node', ...drawn, node, way, expandable, expanded, toggle })
  if (node.edge && marks.has(edgeMark(node.edge))) {
    rows.push({ kind: 'ledger', key: `${key} ledger`, level, rails, last, edge: node.edge })
  }
  if (!expanded) return
  // By hand opened means all of it; opened by itself means what it was opened for.
  const whole = expand === 'all' || expand === 'calls' || !byItself || marks.has(`*${node.id}`)
  const { shown, folded } = splitChildren(node, whole, expand, reveal)
  const inner = level === 0 ? [] : [...rails, !last]
  for (const [index, child] of shown.entries()) {
    const lastChild = index === shown.length - 1 && folded.length === 0
    const at = {
      level: level + 1,
      rails: inner,
      last: lastChild,
      path: key,
      way,
      position: index + 1,
      setSize: node.children.length,
    }
    addNode(rows, child, at, wish)
  }
  if (folded.length > 0) {
    rows.push({
      kind: 'fold',
      key: `${key} fold`,
      level: level + 1,
      rails: inner,
      last: true,
      nodes: folded,
      toggle: `*${node.id}`,
    })
  }
}

function opensByItself({ onSuspectPath, children }: TreeNode, expand: Expand): boolean {
  switch (expand) {
    case 'suspects':
      return onSuspectPath && children.some((child) => child.onSuspectPath)
    case 'trouble':
      return children.some(hasTrouble)
    case 'all':
      return true
    case 'calls':
      return false
    default:
      return expand satisfies never
  }
}

interface Split {
  readonly shown: readonly TreeNode[]
  readonly folded: readonly TreeNode[]
}

function splitChildren(node: TreeNode, all: boolean, expand: Expand, reveal: readonly TreeNode[]): Split {
  // The server's order: the way to the suspect first, then the busiest. It does not move with every refresh.
  const { children } = node
  if (all) return { shown: children, folded: [] }
  const guided = children.some(({ onSuspectPath }) => onSuspectPath)
  const interesting = guided
    ? children.filter((child) => child.onSuspectPath || (expand === 'trouble' ? hasTrouble(child) : inTrouble(child)))
    : children.slice(0, MOST_UNGUIDED)
  const shown = children.filter((child) => interesting.includes(child) || reveal.includes(child))
  const folded = children.filter((child) => !shown.includes(child))
  return folded.length < FOLD_FROM ? { shown: children, folded: [] } : { shown, folded }
}

export function inTrouble({ workload }: TreeNode): boolean {
  return workload !== null && (workload.health === 'crit' || workload.health === 'warn')
}

/** In itself or anywhere below. */
function hasTrouble(node: TreeNode): boolean {
  return inTrouble(node) || node.children.some(hasTrouble)
}
