import type { Account } from './flow-net.ts'
import type { MeasuredEdge } from './graph-of.ts'
import { isAffected, type Situation } from './situation.ts'
import type { Judgement } from './suspects.ts'

/** A row of the dependency tree; `edge` leads to it from its parent (null at the root). */
export interface TreeNode {
  readonly id: string
  readonly edge: MeasuredEdge | null
  readonly deltaSeconds: number | null
  /** Part of the root's slowdown (or failures) that is this node's own, and that is lost on the way to it. */
  readonly share: number | null
  readonly linkShare: number | null
  readonly onSuspectPath: boolean
  readonly suspect: boolean
  readonly repeats: boolean
  readonly cycle: boolean
  readonly truncated: boolean
  readonly children: readonly TreeNode[]
}

const DEPTH_LIMIT = 6

/**
 * What a workload calls, as a tree: a node met again refers to where it is shown in full, a cycle ends where it
 * closes. `judgement` is the one with this workload as its focus.
 */
export function dependencyTree(situation: Situation, judgement: Judgement, root: string): TreeNode {
  // Of its failures where it is not slow: a mean that moved by chance explains nothing.
  const decomposition = isAffected(situation.assessment.workloads.get(root))
    ? judgement.entries.find(({ id }) => id === root)?.decomposition
    : undefined
  const total = decomposition?.totalSeconds ?? 0
  const shareOf = (kind: Account['kind'], id: string): number | null => {
    if (decomposition === undefined || total <= 0) return null
    const part = decomposition.secondsOf(kind, id)
    return part === null ? null : part / total
  }
  const suspects = new Set(judgement.suspects.map((suspect) => suspect.id))
  const leading = leadsTo(situation, suspects)
  const shown = new Set<string>()

  const build = (id: string, edge: MeasuredEdge | null, above: readonly string[]): TreeNode => {
    const cycle = above.includes(id)
    const repeats = !cycle && shown.has(id)
    const depth = above.length
    const calls = cycle || repeats ? [] : (situation.callsOf.get(id) ?? []).filter(({ edge: call }) => call.to !== id)
    const truncated = calls.length > 0 && depth >= DEPTH_LIMIT
    // Cut off here it is not shown in full: met again nearer to the root, it is.
    if (!truncated) shown.add(id)
    const children = truncated ? [] : ordered(calls, leading).map((call) => build(call.edge.to, call, [...above, id]))
    return {
      id,
      edge,
      deltaSeconds: deltaOf(situation, id, edge),
      share: shareOf('workload', id) ?? shareOf('beyond', id),
      linkShare: edge === null ? null : shareOf('link', edge.edge.id),
      onSuspectPath: leading.has(id) || suspects.has(edge?.edge.id ?? '') || suspects.has(edge?.edge.via ?? ''),
      suspect: suspects.has(id),
      repeats,
      cycle,
      truncated,
      children,
    }
  }
  return build(root, null, [])
}

/** The way to the suspect first, then the usually busiest: an order that does not move with every refresh. */
function ordered(calls: readonly MeasuredEdge[], leading: ReadonlySet<string>): MeasuredEdge[] {
  const rate = (call: MeasuredEdge) =>
    call.flows.callerUsual.requestsPerSecond ?? call.flows.callerNow.requestsPerSecond ?? 0
  const first = (call: MeasuredEdge) => (leading.has(call.edge.to) ? 0 : 1)
  return [...calls].sort((a, b) => first(a) - first(b) || rate(b) - rate(a) || (a.edge.to < b.edge.to ? -1 : 1))
}

/** Every node from which a suspect can be reached. */
function leadsTo(situation: Situation, suspects: ReadonlySet<string>): Set<string> {
  const found = new Set<string>()
  const work = [...suspects].flatMap((id) => id.split('~').slice(-1))
  for (let id = work.pop(); id !== undefined; id = work.pop()) {
    if (found.has(id)) continue
    found.add(id)
    for (const { edge } of situation.callersOf.get(id) ?? []) work.push(edge.from)
  }
  return found
}

function deltaOf(situation: Situation, id: string, edge: MeasuredEdge | null): number | null {
  const workload = situation.assessment.workloads.get(id)
  const now = edge === null ? workload?.now.meanSeconds : edge.flows.callerNow.meanSeconds
  const usual = edge === null ? workload?.usual.meanSeconds : edge.flows.callerUsual.meanSeconds
  return now == null || usual == null ? null : now - usual
}
