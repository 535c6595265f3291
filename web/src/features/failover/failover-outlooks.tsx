import type { Outlook, Outlooks } from '@goldseam/server/contract'
import { GapsNote } from '../../answers/gaps-note.tsx'
import { printed } from '../../format/quantity.ts'
import { perSecond } from '../../format/rate.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'
import { Glyph } from '../../ui/glyph.tsx'
import { Metric } from '../../ui/metric.tsx'

interface FailoverOutlooksProps {
  readonly answer: Outlooks
  readonly choose: (cluster: string) => void
}

/** For each cluster in a few numbers: whoever asks does not know yet which of them to be afraid for. */
export function FailoverOutlooks({ answer: { outlooks, left, clusters, gaps }, choose }: FailoverOutlooksProps) {
  return (
    <>
      <GapsNote clusters={clusters} gaps={gaps} />
      <section className="panel" aria-label="What would land where">
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">If it goes</th>
              <th scope="col">Lands on</th>
              <th scope="col">Nowhere to go</th>
              <th scope="col">Grows most</th>
              <th scope="col">Has it been carried before?</th>
            </tr>
          </thead>
          <tbody>
            {outlooks.map((outlook) => (
              <Row key={outlook.cluster} outlook={outlook} choose={choose} />
            ))}
          </tbody>
        </table>
      </section>
      {left.length > 0 && <p className="muted">Choose one of the others for its numbers: {left.join(', ')}.</p>}
      <p className="muted failover-notes">
        As requests are routed now, rates only. Choose a cluster to hold them against what each workload has carried
        within its goals, or to state another split.
      </p>
    </>
  )
}

function Row({ outlook, choose }: { readonly outlook: Outlook; readonly choose: (cluster: string) => void }) {
  const { cluster, lands, nowhere, gaining, most } = outlook
  return (
    <tr data-row={cluster}>
      <th scope="row" data-label="If it goes">
        {cluster}
      </th>
      <td data-label="Lands on">
        {lands.length === 0 ? (
          <span className="muted">nobody else</span>
        ) : (
          lands.map(({ cluster: name, requestsPerSecond }) => (
            <div key={name}>
              {name} <Metric kind="rate" value={requestsPerSecond} label={`lands on ${name}`} />
            </div>
          ))
        )}
      </td>
      <td data-label="Nowhere to go">
        {nowhere.workloads === 0 ? (
          <span className="muted">nothing</span>
        ) : (
          <>
            <span className="failover-word">
              <Glyph mark="crit" size={11} label="critical" />{' '}
              <Metric kind="rate" value={nowhere.requestsPerSecond} label="nowhere to go" />
            </span>
            <div className="muted">
              {nowhere.ids.slice(0, 2).map((id, at) => (
                <span key={id}>
                  {at > 0 && ', '}
                  <WorkloadLink id={id} />
                </span>
              ))}
              {nowhere.workloads > 2 && ` and ${nowhere.workloads - 2} more`}
            </div>
          </>
        )}
      </td>
      <td data-label="Grows most">
        {most === null ? (
          <span className="muted">nobody</span>
        ) : (
          <>
            <WorkloadLink id={most.id} />
            <div className="muted">
              {printed(perSecond(most.now))} to {printed(perSecond(most.after))}
              {gaining > 1 && `, and ${gaining - 1} more get more`}
            </div>
          </>
        )}
      </td>
      <td data-label="Has it been carried before?">
        <button type="button" className="button" onClick={() => choose(cluster)}>
          If {cluster} goes
        </button>
      </td>
    </tr>
  )
}
