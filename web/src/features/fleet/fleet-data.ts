import { statusOf } from '../../answers/status.ts'
import type { TableData } from '../../ui/table-download.tsx'
import type { FleetRow } from './fleet-order.ts'

/** The rows on screen, in their order, in base units; absent is empty, never 0. */
export function tableOfFleet(rows: readonly FleetRow[]): TableData {
  return {
    head: [
      ...['id', 'cluster', 'namespace', 'kind', 'name', 'status', 'truth', 'success_ratio', 'requests_per_second'],
      ...['mean_seconds', 'p50_seconds', 'p95_seconds', 'p99_seconds', 'p999_seconds', 'in_flight'],
      ...['own_seconds', 'own_share', 'own_of', 'change_ratio', 'onset', 'via'],
    ],
    rows: rows.flatMap((row) => {
      if (row.kind !== 'workload') return []
      const { id, cluster, namespace, kind, name, truth, now, own, changeRatio, onset, via } = row.workload
      const { mean, p50, p95, p99, p999 } = now.latencySeconds
      return [
        [
          ...[id, cluster, namespace, kind, name, statusOf(row.workload), truth],
          ...[now.successRatio, now.requestsPerSecond, mean, p50, p95, p99, p999, now.inFlight],
          ...[own.seconds, own.share, own.of, changeRatio, onset, via],
        ],
      ]
    }),
  }
}
