export interface WorkloadName {
  readonly cluster: string
  readonly namespace: string
  /** The last part of the id: the name, or `kind:name` for what is no deployment. */
  readonly name: string
}

/** What nobody measures has an id too: `outside/` and the host or address it is called by. */
const OUTSIDE = 'outside/'

/** Splits `cluster/namespace/name`; a name may itself hold slashes. Null for what is no workload id. */
export function parseWorkloadId(id: string): WorkloadName | null {
  if (id.startsWith(OUTSIDE)) return null
  const [cluster, namespace, ...rest] = id.split('/')
  const name = rest.join('/')
  return cluster && namespace && name ? { cluster, namespace, name } : null
}

/** `labs/api`: how a person calls a workload where its cluster stands beside it. */
export function shortName(id: string): string {
  const parsed = parseWorkloadId(id)
  return parsed ? `${parsed.namespace}/${parsed.name}` : plain(id)
}

export function lastName(id: string): string {
  return parseWorkloadId(id)?.name ?? plain(id)
}

/** `labs/api (west)`, for sentences. */
export function nameInSentence(id: string): string {
  const ends = parseEdgeId(id)
  if (ends) return `the way from ${shortName(ends.from)} to ${nameInSentence(ends.to)}`
  const parsed = parseWorkloadId(id)
  return parsed ? `${parsed.namespace}/${parsed.name} (${parsed.cluster})` : plain(id)
}

/**
 * Short names, with the cluster where several would read the same: two ingresses are often called alike. `beside`: others
 * that are named in the same view.
 */
export function namesApart(ids: readonly string[], beside: readonly string[] = []): string[] {
  const names = Array.from(new Set([...ids, ...beside]), shortName)
  return ids.map((id) => {
    const name = shortName(id)
    return names.indexOf(name) === names.lastIndexOf(name) ? name : nameInSentence(id)
  })
}

function plain(id: string): string {
  return id.startsWith(OUTSIDE) ? id.slice(OUTSIDE.length) : id
}

/** `from~to` names the way between two workloads. */
export function parseEdgeId(id: string): { from: string; to: string } | null {
  const at = id.indexOf('~')
  return at > 0 && at < id.length - 1 ? { from: id.slice(0, at), to: id.slice(at + 1) } : null
}
