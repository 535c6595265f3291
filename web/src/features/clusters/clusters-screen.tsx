import './clusters.css'
import type { ClusterStatus, Clusters } from '@goldseam/server/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { GapsNote } from '../../answers/gaps-note.tsx'
import { Loaded } from '../../answers/loaded.tsx'
import { ToolLinks } from '../../answers/tool-links.tsx'
import { clustersQuery } from '../../api/queries.ts'
import { age } from '../../format/age.ts'
import { clock } from '../../format/clock.ts'
import { printed } from '../../format/quantity.ts'
import { shortCount } from '../../format/rate.ts'
import { share } from '../../format/ratio.ts'
import { keepScope } from '../../scope/scope-search.ts'
import type { SearchText } from '../../scope/search-codec.ts'
import { toInstantMs } from '../../scope/time-range.ts'
import { useAsking } from '../../scope/use-asking.ts'
import { useScope } from '../../scope/use-scope.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Glyph } from '../../ui/glyph.tsx'
import { Metric } from '../../ui/metric.tsx'
import { TableDownload } from '../../ui/table-download.tsx'

const SAMPLE_CONFIG = `clusters:
  - name: east
    endpoints: [{ url: "http://127.0.0.1:9090" }]`

const MARKS = { ok: 'ok', stale: 'stale', partial: 'partial', down: 'unknown', pending: 'none' } as const

/** Goldseam's own eyesight: tells "the service is broken" from "we are blind". */
export function ClustersScreen() {
  const query = useQuery(clustersQuery(useAsking()))
  return (
    <>
      <h1 className="screen-title">Clusters</h1>
      <Loaded query={query} waiting={<p className="muted">Reading the clusters...</p>}>
        {(answer) => <Answer answer={answer} />}
      </Loaded>
    </>
  )
}

function Answer({ answer }: { readonly answer: Clusters }) {
  // None found yet is not none configured: then a gap says who could not be asked.
  if (answer.clusters.length === 0 && answer.gaps.length === 0) {
    return (
      <section>
        <p>No clusters are configured yet. The shortest config:</p>
        <pre className="snippet">{SAMPLE_CONFIG}</pre>
      </section>
    )
  }
  return (
    <div className="clusters-stack">
      <GapsNote clusters={answer.clusters} gaps={answer.gaps} />
      <p>
        <TableDownload file="goldseam-clusters" what="Clusters" />{' '}
        <Link to="/failover" search={(previous: SearchText) => keepScope(previous)} className="button no-print">
          If a cluster goes
        </Link>
      </p>
      <StatusTable clusters={answer.clusters} />
      <MeshList clusters={answer.clusters} />
      <UnresolvedList unresolved={answer.unresolved} />
    </div>
  )
}

function StatusTable({ clusters }: { readonly clusters: readonly ClusterStatus[] }) {
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

/** The window on screen, for other tools. */
function useWindow(): { fromMs: number; toMs: number } {
  const { from, to } = useScope()
  const nowMs = Date.now()
  return { fromMs: toInstantMs(from, nowMs) ?? nowMs, toMs: toInstantMs(to, nowMs) ?? nowMs }
}

function StatusRow({ cluster }: { readonly cluster: ClusterStatus }) {
  const { endpoints, ageSeconds, seriesRead } = cluster
  const { tz } = useScope()
  const window = useWindow()
  return (
    <tr>
      <th scope="row" data-label="Cluster">
        {cluster.name} <ToolLinks of={cluster.name} {...window} />
      </th>
      <td data-label="State">
        <span className="clusters-state">
          <Glyph mark={MARKS[cluster.state]} label={cluster.state} /> {cluster.state}
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

/** Which mesh's numbers are shown where, and what they cannot tell: once a mesh, for all clusters and screens. */
function MeshList({ clusters }: Pick<Clusters, 'clusters'>) {
  const meshes = clusters.flatMap(({ name: cluster, meshes: spoken }) => spoken.map((mesh) => ({ cluster, ...mesh })))
  if (meshes.length === 0) return null
  return (
    <section className="panel clusters-unresolved">
      <h2>What the metrics tell, and what they cannot</h2>
      <ul className="clusters-meshes">
        {[...new Set(meshes.map(({ name }) => name))].map((name) => {
          const spoken = meshes.filter((mesh) => mesh.name === name)
          const limits = [...new Set(spoken.flatMap((mesh) => mesh.limits.map(({ text }) => text)))]
          return (
            <li key={name}>
              <strong>{name}</strong>{' '}
              {spoken
                .map(
                  ({ cluster, workloads, alsoSeen }) =>
                    `${workloads} in ${cluster}${alsoSeen > 0 ? ` (${alsoSeen} more are shown by a richer mesh)` : ''}`,
                )
                .join(', ')}
              <ul className="muted">
                {limits.map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** How busy Goldseam keeps the cluster's Prometheus, of how busy it may. */
function LoadReading({ load }: Pick<ClusterStatus, 'load'>) {
  return (
    // One box: on a phone the parts of a cell are drawn apart.
    <div>
      <Metric kind="share" value={load.querySecondsPerSecond} label="load: part of each second that queries take" />
      <span className="muted"> of {printed(share(load.maxLoad))}</span>
      {load.stretched && <div className="muted">{load.stretched}</div>}
    </div>
  )
}

function UnresolvedList({ unresolved }: Pick<Clusters, 'unresolved'>) {
  if (unresolved.length === 0) return null
  return (
    <section className="panel clusters-unresolved">
      <h2>Destinations nobody answers for</h2>
      <p className="muted">
        Calls that leave a mesh and are seen by nobody on the other side. These lines in the config would join them.
      </p>
      <ul>
        {unresolved.map(({ from, destination, requestsPerSecond, candidates, suggestion }) => (
          <li key={`${from} ${destination}`}>
            <p>
              <WorkloadLink id={from} /> calls <code>{destination}</code>{' '}
              <Metric kind="rate" value={requestsPerSecond} label="rate" />
              {candidates.length > 0 && <span className="muted"> perhaps {candidates.join(' or ')}</span>}
            </p>
            <pre className="snippet">{suggestion}</pre>
            <CopyButton text={() => suggestion}>Copy these lines</CopyButton>
          </li>
        ))}
      </ul>
    </section>
  )
}
