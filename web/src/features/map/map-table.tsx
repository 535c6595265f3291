import { viewOf } from '../../answers/edge-reading.ts'
import { lastName, shortName } from '../../format/workload-name.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'
import { Glyph } from '../../ui/glyph.tsx'
import { Metric } from '../../ui/metric.tsx'
import type { EdgeHealth } from './drawn.ts'
import type { Picture } from './picture.ts'

/** Filled only where the callee is the suspect: whose fault it is must not read alike on every row. */
const MARKS = { ok: 'ok', warn: 'warnVia', crit: 'critVia', none: 'none' } as const satisfies Record<EdgeHealth, string>
const RANK: Record<EdgeHealth, number> = { crit: 0, warn: 1, ok: 2, none: 3 }

/** The same picture as rows, for the ear, the phone and the ticket: the calls in trouble first. */
export function MapTable({ picture }: { readonly picture: Picture }) {
  const edges = [...picture.edges].sort(
    (a, b) =>
      Number(b.onPath) - Number(a.onPath) ||
      RANK[a.health] - RANK[b.health] ||
      (a.edge.from + a.edge.to < b.edge.from + b.edge.to ? -1 : 1),
  )
  const suspects = new Set(picture.suspects.map(({ id }) => id))
  const markOf = (to: string, health: EdgeHealth) =>
    suspects.has(to) && (health === 'crit' || health === 'warn') ? health : MARKS[health]
  return (
    <div className="panel">
      <table className="plain-table">
        <caption className="sr-only">Calls between workloads</caption>
        <thead>
          <tr>
            <th scope="col">Caller</th>
            <th scope="col">Calls</th>
            <th scope="col">Across</th>
            <th scope="col">Rate</th>
            <th scope="col">Mean</th>
            <th scope="col">Success</th>
          </tr>
        </thead>
        <tbody>
          {edges.map(({ edge, health }) => {
            const view = viewOf(edge)
            return (
              <tr key={`${edge.from}~${edge.to} ${edge.destination ?? ''}`}>
                <th scope="row" data-label="Caller">
                  <span>
                    <Glyph mark={markOf(edge.to, health)} /> <WorkloadLink id={edge.from} />
                  </span>
                </th>
                <td data-label="Calls">
                  <WorkloadLink id={edge.to}>{shortName(edge.to)}</WorkloadLink>
                </td>
                <td data-label="Across">
                  {edge.seam
                    ? `seam, ${edge.confidence}, by ${edge.rule}${edge.via ? `, through ${lastName(edge.via)}` : ''}`
                    : ''}
                </td>
                <td data-label="Rate">
                  <Metric kind="rate" value={view?.requestsPerSecond ?? null} label="rate" />
                </td>
                <td data-label="Mean">
                  <Metric kind="latency" value={view?.latencySeconds.mean ?? null} label="mean" />
                </td>
                <td data-label="Success">
                  <Metric
                    kind="success"
                    value={view?.successRatio ?? null}
                    sampleCount={view?.sampleCount}
                    label="success"
                  />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
