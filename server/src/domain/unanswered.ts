import type { CallEdge, CallNode, EdgeFlow, NodeFlow } from './call-graph.ts'

/**
 * A workload that answers nobody any more counts nothing, although its callers still wait for it. What they wait
 * stands in for its own numbers, as long as its cluster is heard; and calls of its own that it used to make and of
 * which none has come back are what it may be waiting for itself. `heard` says of whom silence would be noticed.
 */
export function withUnanswered(
  nodes: readonly CallNode[],
  calls: readonly CallEdge[],
  heard: (node: CallNode) => boolean,
): { nodes: CallNode[]; calls: CallEdge[] } {
  const silent: CallNode[] = []
  for (const node of nodes) if (node.now === null && node.usual !== null && heard(node)) silent.push(node)
  if (silent.length === 0) return { nodes: [...nodes], calls: [...calls] }
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const edges = new Map(calls.map((call) => [call.id, call]))
  const into = groupBy(calls, ({ to }) => to)
  const outOf = groupBy(calls, ({ from }) => from)
  const work = [...silent]
  for (let node = work.pop(); node !== undefined; node = work.pop()) {
    if (byId.get(node.id)?.now !== null) continue
    const now = waitedFor((into.get(node.id) ?? []).flatMap(({ id }) => edges.get(id)?.now ?? []))
    if (now === null) continue
    byId.set(node.id, { ...node, now, answersNobody: true })
    for (const call of outOf.get(node.id) ?? []) {
      const { usual } = call
      if (call.now !== null || usual === null) continue
      const hanging = { ...usual, callerMeanSeconds: Math.max(now.meanSeconds, usual.callerMeanSeconds) }
      edges.set(call.id, { ...call, now: { ...hanging, calleeMeanSeconds: null } })
      const callee = byId.get(call.to)
      if (callee !== undefined && callee.now === null && callee.usual !== null && heard(callee)) work.push(callee)
    }
  }
  return { nodes: [...byId.values()], calls: [...edges.values()] }
}

/** All that callers have made, and how long they waited on average. */
function waitedFor(flows: readonly EdgeFlow[]): NodeFlow | null {
  const requestsPerSecond = flows.reduce((sum, flow) => sum + flow.requestsPerSecond, 0)
  if (!(requestsPerSecond > 0)) return null
  const waited = flows.reduce((sum, flow) => sum + flow.requestsPerSecond * flow.callerMeanSeconds, 0)
  return { requestsPerSecond, meanSeconds: waited / requestsPerSecond }
}

function groupBy(calls: readonly CallEdge[], keyOf: (call: CallEdge) => string): Map<string, CallEdge[]> {
  const groups = new Map<string, CallEdge[]>()
  for (const call of calls) {
    const group = groups.get(keyOf(call))
    if (group === undefined) groups.set(keyOf(call), [call])
    else group.push(call)
  }
  return groups
}
