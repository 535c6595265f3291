import type { ClusterStatus } from '@goldseam/server/contract'
import { Link } from '@tanstack/react-router'
import { ToolLinks } from '../../answers/tool-links.tsx'
import { age } from '../../format/age.ts'
import { clock } from '../../format/clock.ts'
import { shortCount } from '../../format/rate.ts'
import { keepScope } from '../../scope/scope-search.ts'
import type { SearchText } from '../../scope/search-codec.ts'
import { useScope } from '../../scope/use-scope.ts'
import { Glyph } from '../../ui/glyph.tsx'
import { Metric } from '../../ui/metric.tsx'
import { LoadReading } from './load-reading.tsx'
import { STATE_MARKS } from './state-marks.ts'
import { useWindow } from './use-window.ts'

export function StatusTable({ clusters }: { readonly clusters: readonly ClusterStatus[] }) {
  return (
    <div className="panel">
      <table className="plain-table">
        <caption className="sr-only">How each cluster answers</caption>
        <thead>
          <tr>
            <th scope="col">Cluster</th>
            <th scope="col">State</th>
            <th scope="col">Endpoint</th>
            <th scope="col">Data age</th>
            <th scope="col">Percentiles</th>
            <th scope="col">p95 query</th>
            <th scope="col">Load</th>
            <th scope="col">Scrape every</th>
            <th scope="col">Clock skew</th>
            <th scope="col">Series read</th>
            <th scope="col">Workloads</th>
            <th scope="col">Seams</th>
            <th scope="col">Meshes</th>
          </tr>
        </thead>
        <tbody>
          {clusters.map((cluster) => (
            <StatusRow key={cluster.name} cluster={cluster} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function StatusRow({ cluster }: { readonly cluster: ClusterStatus }) {
  const { endpoints, ageSeconds, seriesRead } = cluster
  const { tz } = useScope()
  const window = useWindow()
  return (
    <tr>
      <th scope="row" data-label="Cluster">
        <Link
          to="/clusters/$cluster"
          params={{ cluster: cluster.name }}
          search={(previous: SearchText) => keepScope(previous)}
        >
          {cluster.name}
        </Link>{' '}
        <ToolLinks of={cluster.name} {...window} />
      </th>
      <td data-label="State">
        <span className="clusters-state">
          <Glyph mark={STATE_MARKS[cluster.state]} label={cluster.state} /> {cluster.state}
        </span>
        {cluster.reason && <div className="muted">{cluster.reason}</div>}
      </td>
      <td data-label="Endpoint">
        {endpoints.map(({ url, state, reason, version, breaker }) => (
          <div key={url}>
            <code>{url}</code>{' '}
            <span className="muted">
              {state}
              {version ? `, ${version}` : ''}
              {reason ? `: ${reason}` : ''}
              {breaker.state === 'closed'
                ? ''
                : `; left alone${breaker.nextTryAt ? `, next try ${clock(breaker.nextTryAt, tz)}` : ''}`}
            </span>
          </div>
        ))}
        <WayThere cluster={cluster} />
      </td>
      <td data-label="Data age">{ageSeconds === null ? '--' : age(ageSeconds)}</td>
      <td data-label="Percentiles">
        {cluster.percentilesAgeSeconds === null ? '--' : age(cluster.percentilesAgeSeconds)}
      </td>
      <td data-label="p95 query">
        <Metric kind="latency" value={endpoints[0]?.querySecondsP95 ?? null} label="p95 query" />
      </td>
      <td data-label="Load">
        <LoadReading load={cluster.load} />
      </td>
      <td data-label="Scrape every">
        <Metric kind="latency" value={cluster.scrapeIntervalSeconds} label="scrape interval" />
      </td>
      <td data-label="Clock skew">
        <Metric kind="latencyDelta" value={cluster.clockSkewSeconds} label="clock skew" />
      </td>
      <td data-label="Series read">{seriesRead === null ? '--' : shortCount(seriesRead)}</td>
      <td data-label="Workloads">{cluster.workloads}</td>
      <td data-label="Seams">
        {cluster.seamsOut} out, {cluster.seamsIn} in
      </td>
      <td data-label="Meshes">{cluster.dialects.join(', ') || 'none found'}</td>
    </tr>
  )
}

/** How the cluster is known, where that is not the config; and who else holds one of its name. */
function WayThere({ cluster: { discoveredAt, alsoAt } }: { readonly cluster: ClusterStatus }) {
  return (
    <>
      {discoveredAt !== null && <div className="muted">found through {discoveredAt}</div>}
      {alsoAt.map((url) => (
        <div key={url} className="muted">
          {url} holds a cluster of this name too, which is not read
        </div>
      ))}
    </>
  )
}
