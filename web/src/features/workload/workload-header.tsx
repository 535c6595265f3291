import type { WorkloadDetail } from '@goldseam/server/contract'
import { Link } from '@tanstack/react-router'
import { StatusGlyph } from '../../answers/status-glyph.tsx'
import { ToolLinks } from '../../answers/tool-links.tsx'
import { lasting, plural } from '../../format/age.ts'
import { parseWorkloadId } from '../../format/workload-name.ts'
import { keepScope } from '../../scope/scope-search.ts'
import type { SearchText } from '../../scope/search-codec.ts'
import { useReadersZone } from '../../scope/spoken-times.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'
import { Glyph } from '../../ui/glyph.tsx'
import { Way } from './way-link.tsx'

const MOST_CALLERS = 3

interface WorkloadHeaderProps {
  readonly cluster: string
  readonly namespace: string
  readonly name: string
  readonly detail: WorkloadDetail | undefined
}

/** The name stands at once, out of the address; what the server knows is added as it comes. */
export function WorkloadHeader({ cluster, namespace, name, detail }: WorkloadHeaderProps) {
  const workload = detail?.workload
  const explore = detail?.explore
  const say = useReadersZone()
  // Who calls by several names has a row for each, and is one caller all the same.
  const callers = [...new Map(detail?.callers.map((edge) => [edge.from, edge])).values()]
  // Silence about pods would read as if they were all alike.
  const untold = workload?.pods === null ? detail?.limits.find(({ about }) => about === 'pods') : undefined
  return (
    <div className="workload-header">
      <Link to="/fleet" search={(previous: SearchText) => keepScope(previous)} className="workload-up">
        ‹ Fleet
      </Link>
      <Way here={`${cluster}/${namespace}/${name}`} />
      {workload ? <StatusGlyph workload={workload} size={15} /> : <Glyph mark="none" size={15} label="loading" />}
      <h1>
        <span className="muted">{namespace}/</span>
        {name}
      </h1>
      <span>{cluster}</span>
      {workload?.pods != null && <span className="muted">{plural(workload.pods, 'pod')}</span>}
      {untold && (
        <span className="muted" title={untold.text}>
          pods not told apart
        </span>
      )}
      {workload?.ageSeconds != null && (
        <span className="hatched workload-stale">stale, {lasting(workload.ageSeconds)} ago</span>
      )}
      {workload?.notes.map((note) => (
        <span key={note} className="muted">
          {say(note)}
        </span>
      ))}
      {callers.length > 0 && (
        <span className="workload-callers">
          <span className="muted">called by</span>
          {callers.slice(0, MOST_CALLERS).map(({ from, seam }) => (
            <span key={from}>
              <WorkloadLink id={from} />
              {seam && <span className="muted"> ({parseWorkloadId(from)?.cluster})</span>}
            </span>
          ))}
          {callers.length > MOST_CALLERS && <a href="#callers">and {callers.length - MOST_CALLERS} more</a>}
        </span>
      )}
      <span className="workload-actions no-print">
        <Link
          to="/compare"
          search={(previous: SearchText) => ({ ...keepScope(previous), a: `${cluster}/${namespace}/${name}` })}
        >
          Compare
        </Link>
        {/* The key "e" follows it. */}
        <Link
          to="/explore"
          search={(previous: SearchText) => ({
            ...keepScope(previous),
            ...(explore ? { e1: explore, on: cluster } : {}),
          })}
          aria-keyshortcuts="e"
        >
          Explore
        </Link>
      </span>
      {detail && (
        <ToolLinks
          of={`${cluster}/${namespace}/${name}`}
          fromMs={Date.parse(detail.series.from)}
          toMs={Date.parse(detail.series.to)}
        />
      )}
    </div>
  )
}
