import type { Cluster, Edge, Workload } from '@goldseam/server/contract'
import {
  agesOf,
  boundsOnly,
  changeOf,
  onlyBytes,
  percentileReading,
  rateReading,
  viewAge,
  viewOf,
} from '../../answers/edge-reading.ts'
import { StatusGlyph } from '../../answers/status-glyph.tsx'
import { lasting } from '../../format/age.ts'
import { bucketRange, latency } from '../../format/latency.ts'
import { printed } from '../../format/quantity.ts'
import { lastName } from '../../format/workload-name.ts'
import { Glyph } from '../../ui/glyph.tsx'
import { Metric } from '../../ui/metric.tsx'
import { OwnBar } from '../../ui/own-bar.tsx'
import { TreeLines } from './tree-lines.tsx'
import { edgeMark, type NodeRow, type TreeNode } from './tree-rows.ts'
import { useWay, WayLink } from './way-link.tsx'

interface DependencyRowProps {
  readonly row: NodeRow
  readonly root: Workload
  readonly ledgerOpen: boolean
  readonly toggle: (mark: string) => void
  /** Marks the row, so that a link says which one is meant; once more takes the mark away. */
  readonly select: (row: NodeRow) => void
  readonly silent: readonly Cluster[]
}

export function DependencyRow({ row, root, ledgerOpen, toggle, select, silent }: DependencyRowProps) {
  const { node, level, rails, last, selected } = row
  const { edge } = node
  return (
    <tr
      data-suspect={node.suspect}
      data-seam={edge?.seam ?? false}
      data-stale={edge !== null && viewAge(edge) !== null}
      data-selected={selected}
    >
      <th scope="row">
        <span className="tree-cell">
          <TreeLines level={level} rails={rails} last={last} seam={edge?.seam ?? false} />
          {edge?.seam && (
            <button
              type="button"
              className="seam-mark"
              data-confidence={edge.confidence}
              aria-expanded={ledgerOpen}
              title={`This call crosses clusters (${edge.confidence}). Show both ends.`}
              onClick={() => toggle(edgeMark(edge))}
            >
              seam
            </button>
          )}
          <Twist row={row} toggle={toggle} />
          <NodeMark node={node} />
          <NodeName row={row} root={root.id} />
          <Asides node={node} silent={silent} />
          <button
            type="button"
            className="button-link tree-pick no-print"
            aria-pressed={selected}
            aria-label={`Mark ${node.namespace ? `${node.namespace}/` : ''}${node.name} in the link`}
            title="Mark this row: a link to this page opens on it"
            onClick={() => select(row)}
          >
            {selected ? 'marked' : 'mark'}
          </button>
        </span>
      </th>
      <Numbers node={node} root={root} level={level} />
    </tr>
  )
}

function Twist({
  row: { expandable, expanded, node, toggle: mark },
  toggle,
}: Pick<DependencyRowProps, 'row' | 'toggle'>) {
  if (!expandable) return <span className="tree-twist" />
  return (
    <button
      type="button"
      className="tree-twist"
      aria-expanded={expanded}
      aria-label={`${expanded ? 'Close' : 'Open'} the calls of ${node.name}`}
      onClick={() => toggle(mark)}
    >
      <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
        <path d={expanded ? 'M1 3l4 4 4-4' : 'M3 1l4 4-4 4'} fill="none" stroke="currentColor" strokeWidth="1.6" />
      </svg>
    </button>
  )
}

function NodeMark({ node }: { readonly node: TreeNode }) {
  if (node.suspect) return <Glyph mark="crit" size={13} label="prime suspect" />
  if (node.workload) return <StatusGlyph workload={node.workload} size={12} />
  return (
    <Glyph
      mark="none"
      size={12}
      label={node.kind === 'outside' ? 'outside, nobody measures it' : 'not seen from the inside'}
    />
  )
}

function NodeName({ row: { node, level, way }, root }: { readonly row: NodeRow; readonly root: string }) {
  const { id, kind, cluster, namespace, name } = node
  const cameBy = useWay(root)
  return (
    <span className="tree-name">
      <span className="sr-only">level {level + 1}, </span>
      {kind === 'outside' || level === 0 ? (
        <span className={kind === 'outside' ? 'tree-outside' : undefined}>
          {kind === 'outside' ? `outside: ${name}` : `${namespace}/${name}`}
        </span>
      ) : (
        <WayLink way={[...cameBy, ...way]}>{namespace ? `${namespace}/${name}` : lastName(id)}</WayLink>
      )}
      {cluster && <span className="muted"> ({cluster})</span>}
    </span>
  )
}

function Asides({ node, silent }: { readonly node: TreeNode; readonly silent: readonly Cluster[] }) {
  const { edge } = node
  const away = silent.find(({ name, state }) => name === node.cluster && state !== 'partial')
  const asides = [
    edge?.via && `via ${lastName(edge.via)}`,
    node.repeats && node.workload !== null && 'same as above, its calls are shown there',
    node.cycle && '↺ calls back into its callers',
    node.truncated && 'deeper calls: open it to go on',
    edge && onlyBytes(edge),
    edge?.seenFrom === 'callee' && 'seen from its own side only',
    node.kind === 'outside' && 'not meshed: slow inside it or beyond',
    node.kind !== 'outside' &&
      node.workload === null &&
      `no view from the inside${away ? ` (${away.name} does not answer)` : ''}`,
    node.workload?.truth === 'noTraffic' && 'no traffic',
    edge && oldText(edge),
  ].filter((aside): aside is string => typeof aside === 'string')
  return (
    <>
      {node.suspect && <span className="tree-suspect">suspect</span>}
      {asides.map((aside) => (
        <span key={aside} className="tree-aside" title={aside}>
          {aside}
        </span>
      ))}
    </>
  )
}

/** How old the row's numbers are; where those are of now, how old is what the callee itself says. */
function oldText(edge: Edge): string | null {
  const shown = viewAge(edge)
  if (shown !== null) return `${lasting(shown)} ago`
  const { callee } = agesOf(edge)
  return callee === null ? null : `its own side as of ${lasting(callee)} ago`
}

function Numbers({ node, root, level }: { readonly node: TreeNode; readonly root: Workload; readonly level: number }) {
  const { edge, share } = node
  const view = edge ? viewOf(edge) : null
  const change = edge ? changeOf(view, edge.usual) : root.changeRatio
  const ageSeconds = edge ? viewAge(edge) : null
  return (
    <>
      <td className="number tree-calls" data-label="calls/req">
        {edge && <Metric kind="callsPerRequest" value={edge.callsPerRequest} label="calls per request" />}
      </td>
      <td className="number" data-label="rps">
        {level === 0 ? (
          <Metric
            kind="rate"
            value={root.now.requestsPerSecond}
            truth={root.truths.requestsPerSecond}
            ageSeconds={root.ageSeconds}
            compact
          />
        ) : (
          <Metric {...rateReading(view, ageSeconds)} compact={ageSeconds !== null} />
        )}
      </td>
      <td className="number" data-label="p99 here">
        <PercentileHere node={node} root={root} ageSeconds={ageSeconds} />
      </td>
      <td className="number tree-change" data-label="change">
        {change !== null && <Metric kind="ratio" value={change} label="against usual" />}
      </td>
      <td className="number" data-label="mean +ms">
        {node.deltaSeconds !== null && <Metric kind="latencyDelta" value={node.deltaSeconds} label="mean changed by" />}
      </td>
      <td className="tree-own" data-label="own">
        <Unexplained node={node} root={root} />
        {share !== null && (
          <>
            <OwnBar share={share} strong={node.suspect} />
            <Metric kind="share" value={share} label="own share" />
            {node.linkShare !== null && Math.abs(node.linkShare) >= 0.05 && (
              <span className="tree-aside">
                way here <Metric kind="share" value={node.linkShare} label="share lost on the way here" />
              </span>
            )}
          </>
        )}
      </td>
    </>
  )
}

/**
 * Of a callee whose own cluster does not tell, only the caller's side is known: anything from none to all of what its
 * calls gained may be its own.
 */
function Unexplained({ node, root }: { readonly node: TreeNode; readonly root: Workload }) {
  const { kind, workload, edge, share, deltaSeconds } = node
  const dark = kind !== 'outside' && (workload === null || workload.ageSeconds !== null)
  const affected = root.health === 'crit' || root.health === 'warn'
  if (!dark || !affected || share !== null || edge === null || agesOf(edge).caller !== null) return null
  if (deltaSeconds === null || deltaSeconds <= 0) return null
  return (
    <span title={`As ${lastName(edge.from)} sees it, a call: what is inside or behind ${node.name} nobody tells now`}>
      <span className="hatched tree-range">0-{printed(latency(deltaSeconds))}</span>{' '}
      <span className="tree-aside">unexplained</span>
    </span>
  )
}

interface PercentileHereProps {
  readonly node: TreeNode
  readonly root: Workload
  readonly ageSeconds: number | null
}

function PercentileHere({ node: { edge }, root, ageSeconds }: PercentileHereProps) {
  if (!edge) {
    return (
      <Metric
        kind="latency"
        label="p99"
        value={root.now.latencySeconds.p99}
        truth={root.truths.p99}
        bucket={root.bounds.p99}
        sampleCount={root.now.sampleCount}
        ageSeconds={root.ageSeconds}
        compact
      />
    )
  }
  const view = viewOf(edge)
  if (!view) return <Metric kind="latency" value={null} label="p99" />
  const bounds = boundsOnly(view, 'p99')
  if (bounds) {
    const range = bucketRange(bounds[0], bounds[1])
    return (
      <span className="tree-bounds" title={`p99 lies in ${printed(range)}: several hosts share the finer series`}>
        {printed(range)}
      </span>
    )
  }
  return <Metric {...percentileReading(view, 'p99', ageSeconds)} compact={ageSeconds !== null} />
}
