import type { Cluster } from '@goldseam/server/contract'
import { statusOf } from '../../answers/status.ts'
import { lasting } from '../../format/age.ts'
import type { FleetRow, Lane } from './fleet-order.ts'
import type { Grouping } from './fleet-search.ts'

const TROUBLE = ['crit', 'via', 'warn']

/**
 * Puts the rows under headings, by cluster (in the order of the config) or by namespace (where the worst comes first
 * comes first); within a heading the order stays. A suspect that is no workload stays above all headings.
 */
export function inLanes(rows: readonly FleetRow[], by: Grouping, clusters: readonly Cluster[]): FleetRow[] {
  if (by === '') return [...rows]
  const lanes = new Map<string, FleetRow[]>(by === 'cluster' ? clusters.map(({ name }) => [name, []]) : [])
  const others: FleetRow[] = []
  for (const row of rows) {
    if (row.kind !== 'workload') {
      others.push(row)
      continue
    }
    const name = by === 'cluster' ? row.workload.cluster : row.workload.namespace
    const lane = lanes.get(name)
    if (lane) lane.push(row)
    else lanes.set(name, [row])
  }
  const silent = new Set(clusters.filter(({ state }) => state !== 'ok').map(({ name }) => name))
  const silences = new Map(by === 'cluster' ? clusters.map((cluster) => [cluster.name, silenceOf(cluster)]) : [])
  return [
    ...others,
    ...[...lanes].flatMap(([name, members]): FleetRow[] =>
      members.length === 0
        ? []
        : [
            {
              kind: 'lane',
              id: `lane:${name}`,
              suspect: null,
              lane: { ...laneOf(name, members, silent), silence: silences.get(name) ?? null },
            },
            ...members,
          ],
    ),
  ]
}

/** "no answer for 40 s (timeout after 5 s)"; null while it answers. */
function silenceOf({ state, ageSeconds, reason }: Cluster): string | null {
  if (state !== 'stale' && state !== 'down') return null
  return `no answer${ageSeconds === null ? '' : ` for ${lasting(ageSeconds)}`}${reason === null ? '' : ` (${reason})`}`
}

function laneOf(name: string, rows: readonly FleetRow[], silent: ReadonlySet<string>): Omit<Lane, 'silence'> {
  const workloads = rows.flatMap((row) => (row.kind === 'workload' ? [row.workload] : []))
  const rates = workloads.flatMap(({ now }) => now.requestsPerSecond ?? [])
  // Of those whose failures are counted: the requests of others say nothing of success.
  const judged = workloads.flatMap(({ now: { requestsPerSecond: rate, failuresPerSecond: failures } }) =>
    rate === null || failures === null ? [] : [{ rate, failures }],
  )
  const judgedRate = sum(judged.map(({ rate }) => rate))
  return {
    name,
    count: workloads.length,
    inTrouble: workloads.filter((workload) => TROUBLE.includes(statusOf(workload))).length,
    requestsPerSecond: rates.length === 0 ? null : sum(rates),
    // Of counts, never an average of ratios.
    successRatio: judgedRate > 0 ? 1 - sum(judged.map(({ failures }) => failures)) / judgedRate : null,
    partial: workloads.some(({ cluster, truth }) => silent.has(cluster) || truth === 'stale'),
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
