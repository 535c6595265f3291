import { parseEdgeId, parseWorkloadId } from '../format/workload-name.ts'

/**
 * The address of a workload's page, as the router writes it: a table of thousands asks it for every row that comes into
 * view. For a way between two (`from~to`) that of its caller; null where nobody has a page.
 */
export function workloadPath(id: string): string | null {
  const target = parseWorkloadId(parseEdgeId(id)?.from ?? id)
  return target && `/d/${part(target.cluster)}/${part(target.namespace)}/${part(target.name)}`
}

function part(text: string): string {
  return encodeURIComponent(text).replace(/%(3A|40|5B|5D|5E|7C)/g, decodeURIComponent)
}
