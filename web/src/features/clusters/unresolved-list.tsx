import type { Unresolved } from '@goldseam/server/contract'
import { WorkloadLink } from '../../scope/workload-link.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Metric } from '../../ui/metric.tsx'

/** Calls that nobody answers for, each with the lines that would join it: the to-do list of who runs this. */
export function UnresolvedList({ unresolved }: { readonly unresolved: readonly Unresolved[] }) {
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
