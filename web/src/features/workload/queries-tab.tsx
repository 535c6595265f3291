import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { WorkloadAddress } from '../../api/queries.ts'
import { queriesQuery } from '../../api/workload-parts.ts'
import { plural } from '../../format/age.ts'
import { latency } from '../../format/latency.ts'
import { printed } from '../../format/quantity.ts'
import { keepScope } from '../../scope/scope-search.ts'
import type { SearchText } from '../../scope/search-codec.ts'
import { useAsking } from '../../scope/use-asking.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { PartPanel } from './part-panel.tsx'

const NAMES: Readonly<Record<string, string>> = {
  inbound: 'Requests and success',
  inboundTime: 'Mean latency and requests in flight',
  inboundBuckets: 'Percentiles',
}

/** The PromQL that made the numbers of this page, as it can be pasted anywhere. */
export function QueriesTab({ address }: { readonly address: WorkloadAddress }) {
  const query = useQuery(queriesQuery(address, useAsking()))
  return (
    <PartPanel
      title="Queries"
      about="the PromQL behind the numbers, asked once more for its size and time"
      query={query}
    >
      {({ queries }) =>
        queries.length === 0 ? (
          <p className="muted">Its cluster speaks no mesh that Goldseam knows, so nothing was asked.</p>
        ) : (
          <div className="queries-list">
            {queries.map(({ name, dialect, cluster, promql, series, seconds, failure }) => (
              <section key={`${dialect} ${name}`}>
                <div className="queries-head">
                  <h3>{NAMES[name] ?? name}</h3>
                  <span className="muted">
                    {dialect} in {cluster}
                    {failure === null && series !== null && `, ${plural(series, 'series', 'series')}`}
                    {seconds !== null && `, ${printed(latency(seconds))}`}
                  </span>
                  <span className="queries-actions no-print">
                    <CopyButton text={() => promql}>Copy</CopyButton>
                    <Link
                      to="/explore"
                      className="button"
                      search={(previous: SearchText) => ({ ...keepScope(previous), e1: promql, on: cluster })}
                    >
                      Open in Explore
                    </Link>
                  </span>
                </div>
                {failure !== null && <p role="alert">{failure}</p>}
                <pre className="snippet">{promql}</pre>
              </section>
            ))}
          </div>
        )
      }
    </PartPanel>
  )
}
