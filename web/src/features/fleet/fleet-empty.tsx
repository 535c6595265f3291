import type { Cluster } from '@goldseam/server/contract'
import { Link } from '@tanstack/react-router'
import { keepScope } from '../../scope/scope-search.ts'
import type { SearchText } from '../../scope/search-codec.ts'
import { isLive, livened } from '../../scope/time-range.ts'
import { useChangeSearch, useScope } from '../../scope/use-scope.ts'
import type { FleetFilter } from './fleet-filter.ts'

/** What the meshes that are read count requests with: how many series of each there are. */
const LOOK_FOR =
  'count by (__name__) ({__name__=~"response_total|response_latency_ms_bucket|istio_requests_total|envoy_cluster_upstream_rq_total|http_server_request_duration_seconds_count|hubble_http_requests_total"})'

const SAMPLE_CONFIG = `clusters:
  - name: east
    endpoints: [{ url: "http://127.0.0.1:9090" }]`

export function NothingConfigured() {
  return (
    <section className="empty">
      <h2>No clusters yet</h2>
      <p>Name the Prometheus of each cluster in the config file:</p>
      <pre className="snippet">{SAMPLE_CONFIG}</pre>
      <ToClusters />
    </section>
  )
}

export function NothingMeasured({ clusters }: { readonly clusters: readonly Cluster[] }) {
  const { to } = useScope()
  // Nobody answered, so nothing can be said about metrics; who and why stands in the notes above.
  if (clusters.every(({ state }) => state === 'down' || state === 'pending')) {
    return (
      <section className="empty">
        <h2>{clusters.some(({ state }) => state === 'pending') ? 'Reading the clusters' : 'No cluster answers'}</h2>
        <p>The table fills by itself as soon as one does.</p>
        <ToClusters />
      </section>
    )
  }
  if (!isLive(to)) return <NothingKept />
  return (
    <section className="empty">
      <h2>No service metrics found</h2>
      <p>
        The clusters were asked for a mesh's request metrics (Linkerd: <code>response_total</code>,{' '}
        <code>response_latency_ms_bucket</code>).
      </p>
      <ul>
        {clusters.map(({ name, state, workloads, dialects, reason }) => (
          <li key={name}>
            <strong>{name}</strong>: {state}, {workloads} workloads, {dialects.join(', ') || 'no mesh recognised'}
            {reason ? ` (${reason})` : ''}
          </li>
        ))}
      </ul>
      <p>
        <Link
          to="/explore"
          search={(previous: SearchText) => ({ ...keepScope(previous), e1: LOOK_FOR, view: 'table' })}
        >
          Look for them in Explore
        </Link>
      </p>
      <ToClusters />
    </section>
  )
}

/** The clusters answer, and none has anything of a moment that has passed. */
function NothingKept() {
  const { from, to } = useScope()
  const change = useChangeSearch()
  return (
    <section className="empty">
      <h2>Nothing is known of this window</h2>
      <p>
        The clusters answer, and hold no service metrics of it: either they no longer keep data that old, or there was
        none then. Saved evidence (<code>/s/CODE</code>) stays readable after that.
      </p>
      <p className="empty-actions">
        <button type="button" className="button" onClick={() => change(livened(from, to, Date.now()))}>
          Go live
        </button>
      </p>
      <ToClusters />
    </section>
  )
}

export function FilteredToNothing({ filter, total }: { readonly filter: FleetFilter; readonly total: number }) {
  const change = useChangeSearch()
  const parts = [
    ['q', filter.q],
    ['st', filter.st.join(',')],
    ['c', filter.c.join(',')],
    ['ns', filter.ns.join(',')],
  ].filter(([, text]) => text !== '')
  return (
    <section className="empty">
      <h2>
        0 of {total} match <code>{parts.map(([key, text]) => `${key}=${text}`).join(' ')}</code>
      </h2>
      <p className="empty-actions">
        {parts.map(([key = '', text]) => (
          <button key={key} type="button" className="button" onClick={() => change({ [key]: undefined })}>
            clear {key}={text}
          </button>
        ))}
      </p>
    </section>
  )
}

function ToClusters() {
  return (
    <Link to="/clusters" search={(previous: SearchText) => keepScope(previous)}>
      How each cluster answers
    </Link>
  )
}
