import type { WorkloadDetail } from '@goldseam/server/contract'
import { tcpTexts } from '../../format/bytes.ts'
import { Metric } from '../../ui/metric.tsx'

/** What else its proxies count, what they cannot, and the routes that somebody wrote. */
export function MeshNotes({ detail }: { readonly detail: WorkloadDetail }) {
  const { workload, limits, routes } = detail
  const [dialect, ...others] = workload.seenBy
  const facts = [...workload.signals.map(({ text }) => text), ...tcpTexts(workload.tcp)]
  if (dialect === undefined && routes.length === 0 && facts.length === 0) return null
  return (
    <section className="panel mesh-notes" aria-labelledby="mesh-notes-title">
      <div className="panel-head">
        <h2 id="mesh-notes-title">As its proxies tell it</h2>
        {dialect !== undefined && (
          <span className="muted">
            numbers of {dialect}
            {others.length > 0 && `; ${others.join(', ')} sees it too`}
          </span>
        )}
      </div>
      {facts.length > 0 && (
        <ul>
          {facts.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {routes.length > 0 && <RouteTable routes={routes} />}
      {limits.length > 0 && (
        <>
          <p className="muted">What these metrics cannot tell:</p>
          <ul className="muted">
            {limits.map(({ text }) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function RouteTable({ routes }: Pick<WorkloadDetail, 'routes'>) {
  return (
    <table className="plain-table">
      <caption className="sr-only">Routes, after retries and each attempt</caption>
      <thead>
        <tr>
          <th scope="col">Route</th>
          <th scope="col">Service</th>
          <th scope="col">Success</th>
          <th scope="col">RPS</th>
          <th scope="col">Success of attempts</th>
          <th scope="col">Attempts</th>
        </tr>
      </thead>
      <tbody>
        {routes.map(({ direction, service, route, effective, actual }) => (
          <tr key={`${direction} ${service} ${route}`}>
            <th scope="row" data-label="Route">
              {route === '' ? 'default' : route}
            </th>
            <td data-label="Service">
              {direction === 'outbound' ? 'calls ' : 'serves '}
              {service}
            </td>
            <td data-label="Success">
              <Metric kind="success" value={effective.successRatio} label="success after retries" />
            </td>
            <td data-label="RPS">
              <Metric kind="rate" value={effective.requestsPerSecond} label="rate after retries" />
            </td>
            <td data-label="Success of attempts">
              <Metric kind="success" value={actual?.successRatio ?? null} label="success of attempts" />
            </td>
            <td data-label="Attempts">
              <Metric kind="rate" value={actual?.requestsPerSecond ?? null} label="attempts" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
