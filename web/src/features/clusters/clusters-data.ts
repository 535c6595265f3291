import type { ClusterStatus } from '@goldseam/server/contract'
import type { TableData } from '../../ui/table-download.tsx'

/** Every cluster in base units; absent is empty, never 0. */
export function tableOfClusters(clusters: readonly ClusterStatus[]): TableData {
  return {
    head: [
      ...[
        'cluster',
        'state',
        'reason',
        'last_answer_at',
        'query_p95_seconds',
        'age_seconds',
        'percentiles_age_seconds',
        'calls_age_seconds',
      ],
      ...['load', 'load_limit', 'scrape_interval_seconds', 'series_read', 'workloads', 'clock_skew_seconds'],
      'clock_skew_within_seconds',
      ...['meshes', 'kube_state_metrics', 'seams_out', 'seams_in', 'endpoints'],
    ],
    rows: clusters.map((cluster) => [
      ...[cluster.name, cluster.state, cluster.reason, lastAnswerAt(cluster), p95Of(cluster), cluster.ageSeconds],
      ...[cluster.percentilesAgeSeconds, cluster.callsAgeSeconds ?? null],
      ...[cluster.load.querySecondsPerSecond, cluster.load.maxLoad],
      ...[cluster.scrapeIntervalSeconds, cluster.seriesRead, cluster.workloads, cluster.clockSkewSeconds],
      cluster.clockSkewWithinSeconds ?? null,
      ...[cluster.dialects.join(' '), kubeWord(cluster), cluster.seamsOut, cluster.seamsIn],
      cluster.endpoints.map(({ url }) => url).join(' '),
    ]),
  }
}

/** Of all its endpoints the newest; null before the first. */
export function lastAnswerAt({ endpoints }: ClusterStatus): string | null {
  return endpoints.reduce<string | null>(
    (newest, { lastAnswerAt: at }) => (at !== null && (newest === null || at > newest) ? at : newest),
    null,
  )
}

/** Of the endpoint that is asked first. */
export function p95Of({ endpoints }: ClusterStatus): number | null {
  return endpoints[0]?.querySecondsP95 ?? null
}

export function kubeWord({ kubeState }: ClusterStatus): 'found' | 'none' | null {
  return kubeState == null ? null : kubeState ? 'found' : 'none'
}

/** Nothing new comes from it: what is shown of it was so when it last answered. */
export function isOld({ state }: Pick<ClusterStatus, 'state'>): boolean {
  return state === 'stale' || state === 'down'
}
