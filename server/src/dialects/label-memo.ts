import { remembered } from '../domain/remembered.ts'
import type { Labels } from './read-series.ts'

/**
 * Remembers what a cluster's label sets say for as long as these live: the answers of a refresh have the very objects
 * of the last one's. Several clusters behind one endpoint may share a set, which then says something else of each: what
 * is made tells of which it is.
 */
export function labelMemo<V extends { readonly cluster: string }>(
  make: (cluster: string, labels: Labels) => V,
): (cluster: string, labels: Labels) => V {
  const said = remembered(
    (labels: Labels, cluster: string) => make(cluster, labels),
    (known, cluster) => known.cluster === cluster,
  )
  return (cluster, labels) => said(labels, cluster)
}
