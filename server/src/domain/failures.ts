import { Decomposition } from './decomposition.ts'
import type { Account, FlowNet } from './flow-net.ts'
import { FlowNetBuilder } from './flow-net-builder.ts'

/** Failures per second at one node and along its calls, each as now - usual, never below 0. */
export interface FailureGraph {
  readonly nodes: readonly string[]
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
  /** A callee that is too slow to be waited for: what its slowness consists of, in shares that add up to 1. */
  readonly slowedBy?: readonly (Account & { readonly share: number })[]
}

/**
 * How failures pass along calls, per failure of the caller. Own failures lie in [F - sum E, F] with F = inbound and
 * E = outbound failures; the low end counts. What callers count and the callee does not belongs to the link, or to a
 * callee that cannot answer: a dead callee reports nothing and still has to be named.
 */
export function failureNet(graph: FailureGraph): FlowNet {
  const builder = new FlowNetBuilder(graph.nodes)
  for (const id of graph.nodes) {
    const calls = graph.calls(id).filter(({ to, callerFailures }) => callerFailures > 0 && to !== id)
    const outbound = calls.reduce((sum, call) => sum + call.callerFailures, 0)
    const inbound = graph.inbound(id) ?? 0
    const own = outbound === 0 ? 1 : inbound > 0 ? Math.max(0, inbound - outbound) / inbound : 0
    builder.node(1)
    builder.part('workload', id, own)
    for (const call of calls) {
      const part = (1 - own) * (call.callerFailures / outbound)
      if (part === 0) continue
      if (call.calleeFailures === null) {
        builder.part('beyond', call.to, part)
        builder.call(call.id, call.to, 0, part)
        continue
      }
      const inside = Math.min(1, call.calleeFailures / call.callerFailures)
      for (const { kind, id: to, share } of call.slowedBy ?? [{ kind: 'link', id: call.id, share: 1 } as const]) {
        builder.part(kind, to, part * (1 - inside) * share)
      }
      builder.call(call.id, call.to, part * inside, part * (1 - inside))
    }
  }
  return builder.build((id) => id)
}

/** Splits a node's failures over itself and what it calls; undefined for a node that is not in the graph. */
export function decomposeFailures(graph: FailureGraph, net: FlowNet, focus: string): Decomposition | undefined {
  return Decomposition.of(net, focus, graph.inbound(focus) ?? 0)
}
