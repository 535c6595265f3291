/** What one end of the call graph measured over one window. */
export interface NodeFlow {
  /** Requests into the node per second. */
  readonly requestsPerSecond: number
  readonly meanSeconds: number
}

export interface EdgeFlow {
  /** Calls per second along the edge, as the caller counts them. */
  readonly requestsPerSecond: number
  /** C_e: the caller's mean for these calls. */
  readonly callerMeanSeconds: number
  /** The callee's mean for this caller's requests; null: not separable, the callee's overall mean stands in. */
  readonly calleeMeanSeconds: number | null
  /** Calls per second that failed for the caller and did not fail at the callee: given up on, or never answered. */
  readonly unansweredPerSecond?: number
  /** Calls per second that failed for the caller. */
  readonly failuresPerSecond?: number
}

/**
 * A node of the graph that own time is computed on. `reportAs` is the workload it is shown as: an ingress is split
 * into one node a host, so that one host's slowness is not blamed on another's callers.
 * `now`/`usual` are null where nothing (current) was measured: a callee that cannot be seen into.
 */
export interface CallNode {
  readonly id: string
  readonly reportAs: string
  readonly now: NodeFlow | null
  readonly usual: NodeFlow | null
  /** `now` is what its callers waited: it answers nobody, so that it counts nothing itself. */
  readonly answersNobody?: boolean
  /** Its own time began to grow after that of its calls. */
  readonly afterItsCalls?: boolean
}

export interface CallEdge {
  readonly id: string
  /** The edge it is shown as, where that is another: an ingress is split into one node a host. */
  readonly reportAs?: string
  readonly from: string
  readonly to: string
  readonly now: EdgeFlow | null
  readonly usual: EdgeFlow | null
}

export interface CallGraph {
  readonly nodes: ReadonlyMap<string, CallNode>
  readonly outgoing: ReadonlyMap<string, readonly CallEdge[]>
  /** Links that more than one call may be shown as. */
  readonly sharedLinks: ReadonlySet<string>
}

/** Builds the graph; self calls are left out, and edges whose ends are unknown nodes get a dark node to end in. */
export function callGraph(nodes: readonly CallNode[], edges: readonly CallEdge[]): CallGraph {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const outgoing = new Map<string, CallEdge[]>()
  const sharedLinks = new Set<string>()
  for (const edge of edges) {
    if (edge.from === edge.to) continue
    if (edge.reportAs !== undefined) sharedLinks.add(edge.reportAs)
    for (const id of [edge.from, edge.to]) {
      if (!byId.has(id)) byId.set(id, { id, reportAs: id, now: null, usual: null })
    }
    const list = outgoing.get(edge.from)
    if (list === undefined) outgoing.set(edge.from, [edge])
    else list.push(edge)
  }
  return { nodes: byId, outgoing, sharedLinks }
}
