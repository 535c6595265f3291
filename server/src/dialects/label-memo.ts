import type { Labels } from './read-series.ts'

/**
 * Remembers what a cluster's label sets say for as long as these live: the answers of a refresh have the very objects
 * of the last one's. Several clusters behind one endpoint may share a set, which then says something else of each.
 */
export function labelMemo<V>(make: (cluster: string, labels: Labels) => V): (cluster: string, labels: Labels) => V {
  const made = new WeakMap<Labels, { readonly cluster: string; readonly value: V }>()
  // The buckets of one histogram come one after the other.
  let last: { readonly labels: Labels; readonly cluster: string; readonly value: V } | null = null
  return (cluster, labels) => {
    if (last !== null && last.labels === labels && last.cluster === cluster) return last.value
    const known = made.get(labels)
    const value = known !== undefined && known.cluster === cluster ? known.value : make(cluster, labels)
    if (known?.cluster !== cluster) made.set(labels, { cluster, value })
    last = { labels, cluster, value }
    return value
  }
}
