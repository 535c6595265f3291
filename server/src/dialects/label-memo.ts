import { remembered } from '../domain/remembered.ts'
import type { Labels } from './read-series.ts'

/**
 * Remembers what a cluster's label sets say for as long as these live: the answers of a refresh have the very objects
 * of the last one's. Several clusters behind one endpoint may share a set, which then says something else of each.
 */
export function labelMemo<V>(make: (cluster: string, labels: Labels) => V): (cluster: string, labels: Labels) => V {
  const said = remembered((labels: Labels, cluster: string) => ({ cluster, value: make(cluster, labels) }))
  return (cluster, labels) => {
    const known = said(labels, cluster)
    if (known.cluster !== cluster) Object.assign(known, { cluster, value: make(cluster, labels) })
    return known.value
  }
}
