import type { Contribution } from './own-time.ts'

/** Failures per second at one node and along its calls, each as now - usual, never below 0. */
export interface FailureGraph {
  /** Inbound failures of a node; null when it is not measured. */
  inbound(id: string): number | null
  calls(id: string): readonly FailingCall[]
}

export interface FailingCall {
  readonly id: string
  readonly to: string
  /** Failures the caller counts on this call. */
  readonly callerFailures: number
  /** Failures the callee counts for this caller (or for all); null when it cannot be seen into. */
  readonly calleeFailures: number | null
}

const DEPTH_LIMIT = 30

/**
 * Splits a node's failures over itself and what it calls. Own failures lie in [F - sum E, F] with F = inbound and
 * E = outbound failures; the low end counts. What callers count and the callee does not belongs to the link, or to a
 * callee that cannot answer: a dead callee reports nothing and still has to be named.
 */
export function decomposeFailures(graph: FailureGraph, focus: string): Contribution[] {
  const sums = new Map<string, Contribution>()
  const add = (kind: Contribution['kind'], id: string, seconds: number) => {
    if (seconds <= 0) return
    const key = `${kind} ${id}`
    sums.set(key, { id, kind, seconds: (sums.get(key)?.seconds ?? 0) + seconds })
  }
  const walk = (id: string, amount: number, path: readonly string[]) => {
    const calls = graph.calls(id).filter((call) => call.callerFailures > 0)
    const outbound = calls.reduce((sum, call) => sum + call.callerFailures, 0)
    const inbound = graph.inbound(id) ?? amount
    const ownShare = inbound > 0 ? Math.max(0, inbound - outbound) / inbound : 0
    if (outbound === 0 || path.length >= DEPTH_LIMIT) {
      add('workload', id, amount)
      return
    }
    add('workload', id, amount * ownShare)
    for (const call of calls) {
      const part = amount * (1 - ownShare) * (call.callerFailures / outbound)
      if (call.calleeFailures === null) {
        add('beyond', call.to, part)
        continue
      }
      const inside = Math.min(1, call.calleeFailures / call.callerFailures)
      add('link', call.id, part * (1 - inside))
      if (path.includes(call.to)) add('unexplained', call.to, part * inside)
      else if (part * inside > 0) walk(call.to, part * inside, [...path, call.to])
    }
  }
  walk(focus, graph.inbound(focus) ?? 0, [focus])
  return [...sums.values()]
}
