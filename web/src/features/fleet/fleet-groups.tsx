import './fleet-groups.css'
import type { WorkloadGroup } from '@goldseam/server/contract'
import { latency } from '../../format/latency.ts'
import { printed } from '../../format/quantity.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'
import { Metric } from '../../ui/metric.tsx'

const PERCENTILES = ['p50', 'p95', 'p99', 'p999'] as const

/** Workloads that somebody put together: one row of sums each, with a way to its parts. */
export function FleetGroups({ groups }: { readonly groups: readonly WorkloadGroup[] }) {
  if (groups.length === 0) return null
  return (
    <table className="fleet-groups">
      <caption>Groups: summed over clusters, percentiles from merged buckets</caption>
      <thead>
        <tr>
          <th scope="col">Group</th>
          {['Success', 'RPS', ...PERCENTILES].map((title) => (
            <th key={title} scope="col" data-align="end">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => (
          <GroupRow key={`${group.by} ${group.namespace} ${group.kind} ${group.name}`} group={group} />
        ))}
      </tbody>
    </table>
  )
}

function GroupRow({ group }: { readonly group: WorkloadGroup }) {
  const { name, clusters, ids, absent, now, truths, bounds, ageSeconds, lostBoundsSeconds } = group
  return (
    <tr data-group={name} className={group.truth === 'stale' ? 'hatched' : undefined}>
      <th scope="row">
        {name}{' '}
        <span className="muted">{`in ${clusters.length} ${clusters.length === 1 ? 'cluster' : 'clusters'}`}</span>
        <span className="fleet-group-parts">
          {ids.map((id) => (
            <WorkloadLink key={id} id={id}>
              {id}
            </WorkloadLink>
          ))}
          {absent.map((id) => (
            <span key={id} className="fleet-aside">
              {id}: not seen
            </span>
          ))}
          {lostBoundsSeconds.length > 0 && (
            <span className="fleet-aside">
              not every cluster has the buckets {lostBoundsSeconds.map((bound) => printed(latency(bound))).join(', ')}
            </span>
          )}
        </span>
      </th>
      <td data-align="end">
        <Metric
          kind="success"
          label="success"
          value={now.successRatio}
          truth={truths.successRatio}
          sampleCount={now.sampleCount}
          ageSeconds={ageSeconds}
          compact
        />
      </td>
      <td data-align="end">
        <Metric
          kind="rate"
          label="rate"
          value={now.requestsPerSecond}
          truth={truths.requestsPerSecond}
          ageSeconds={ageSeconds}
          compact
        />
      </td>
      {PERCENTILES.map((percentile) => (
        <td key={percentile} data-align="end">
          <Metric
            kind="latency"
            label={percentile}
            value={now.latencySeconds[percentile]}
            truth={truths[percentile]}
            bucket={bounds[percentile]}
            sampleCount={now.percentiles?.sampleCount ?? now.sampleCount}
            olderSeconds={now.percentiles?.ageSeconds}
            ageSeconds={ageSeconds}
            compact
          />
        </td>
      ))}
    </tr>
  )
}
