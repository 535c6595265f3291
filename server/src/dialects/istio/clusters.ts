import type { Listed } from '../../domain/listed.ts'
import type { SeriesColumn } from '../dialect.ts'
import type { Labels } from '../read-series.ts'
import type { ClusterOf } from './labels.ts'

export interface Naming {
  /** The configured name for what a label calls a cluster; another cluster's name stays as Istio writes it. */
  readonly clusterOf: ClusterOf
  /** Whether the proxy that reported a series runs in this cluster; federated Prometheus servers hold others' too. */
  isOwn(labels: Labels): boolean
  /** What Istio calls this cluster; null where no label says it. */
  readonly own: string | null
}

/**
 * Istio has names of its own for clusters ("Kubernetes" unless somebody chose one). The configured name if it is among
 * those that reporters show, else the one that most requests were reported under.
 */
export function namingOf(cluster: string, answers: readonly Listed<SeriesColumn>[]): Naming {
  const weights = new Map<string, number>()
  for (const answer of answers) {
    for (const { labels, values } of answer) {
      const name = reporterCluster(labels)
      if (name === null) continue
      let weight = 0
      for (const value of values) if (!Number.isNaN(value)) weight += Math.abs(value)
      weights.set(name, (weights.get(name) ?? 0) + weight)
    }
  }
  const [heaviest] = [...weights].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  const own = weights.has(cluster) ? cluster : (heaviest?.[0] ?? null)
  return {
    own,
    clusterOf: (label) =>
      label === undefined || label === '' || label === 'unknown' || label === own ? cluster : label,
    isOwn: (labels) => (reporterCluster(labels) ?? own) === own,
  }
}

function reporterCluster({
  reporter,
  source_cluster: source,
  destination_cluster: destination,
}: Labels): string | null {
  const name = reporter === 'source' ? source : destination
  return name === undefined || name === '' || name === 'unknown' ? null : name
}
