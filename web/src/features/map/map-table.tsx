import type { Edge, Workload } from '@goldseam/server/contract'
import type { CSSProperties } from 'react'
import { meanReading, rateReading, successReading, viewAge, viewOf } from '../../answers/edge-reading.ts'
import { StatusGlyph } from '../../answers/status-glyph.tsx'
import { plural } from '../../format/age.ts'
import { lastName, nameInSentence } from '../../format/workload-name.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'
import { Glyph } from '../../ui/glyph.tsx'
import { Metric } from '../../ui/metric.tsx'
import type { Reading } from '../../ui/metric-text.ts'
import type { DrawnNode } from './drawn.ts'
import { type MapTreeRow, mapTree } from './map-tree.ts'
import type { Picture } from './picture.ts'

/** The same picture as rows, for the ear, the phone and the ticket: callers, and below them what they call. */
export function MapTable({ picture }: { readonly picture: Picture }) {
  return (
    <div className="panel">
      <table className="plain-table map-tree">
        <caption className="sr-only">Calls between workloads, indented by depth</caption>
        <thead>
          <tr>
            <th scope="col">Caller, and what it calls</th>
            <th scope="col">Across</th>
            <th scope="col">Rate</th>
            <th scope="col">Mean</th>
            <th scope="col">Success</th>
          </tr>
        </thead>
        <tbody>
          {mapTree(picture).map((row) => (
            <Row key={row.key} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ row: { node, call, level, repeats } }: { readonly row: MapTreeRow }) {
  const { rate, mean, success } = call === null ? ofWorkload(node.workload) : ofCall(call.edge)
  return (
    <tr>
      <th scope="row" data-label="Workload">
        <span className="map-tree-name" style={{ '--level': level } as CSSProperties}>
          <span className="sr-only">level {level + 1}, </span>
          <NodeGlyph node={node} /> <WorkloadLink id={node.id}>{nameInSentence(node.id)}</WorkloadLink>
          {node.members.length > 0 && <span className="muted">{plural(node.members.length, 'workload')}</span>}
          {node.suspectRank !== null && <span className="muted">suspect {node.suspectRank}</span>}
          {repeats && <span className="muted">its calls stand above</span>}
        </span>
      </th>
      <td data-label="Across">
        {call?.edge.seam
          ? `seam, ${call.edge.confidence}, by ${call.edge.rule}${call.edge.via ? `, through ${lastName(call.edge.via)}` : ''}`
          : ''}
      </td>
      <td data-label="Rate">
        <Metric {...rate} />
      </td>
      <td data-label="Mean">
        <Metric {...mean} compact={mean.truth === 'stale'} />
      </td>
      <td data-label="Success">
        <Metric {...success} compact={success.truth === 'stale'} />
      </td>
    </tr>
  )
}

type Readings = Readonly<Record<'rate' | 'mean' | 'success', Reading>>

function ofCall(edge: Edge): Readings {
  const view = viewOf(edge)
  const age = viewAge(edge)
  return { rate: rateReading(view, age), mean: meanReading(view, age), success: successReading(view, age) }
}

function ofWorkload(workload: Workload | null): Readings {
  const { now, truths, ageSeconds } = workload ?? { now: null, truths: null, ageSeconds: null }
  const sampleCount = now?.sampleCount
  return {
    rate: {
      kind: 'rate',
      label: 'rate',
      value: now?.requestsPerSecond ?? null,
      truth: truths?.requestsPerSecond,
      ageSeconds,
    },
    mean: { kind: 'latency', label: 'mean', value: now?.latencySeconds.mean ?? null, truth: truths?.mean, ageSeconds },
    success: {
      kind: 'success',
      label: 'success',
      value: now?.successRatio ?? null,
      truth: truths?.successRatio,
      sampleCount,
      ageSeconds,
    },
  }
}

function NodeGlyph({ node: { workload, members } }: { readonly node: DrawnNode }) {
  const shown = workload ?? members[0]?.workload ?? null
  return shown ? <StatusGlyph workload={shown} /> : <Glyph mark="none" label="not measured" />
}
