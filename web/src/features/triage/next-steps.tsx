import { Link } from '@tanstack/react-router'
import { parseEdgeId, parseWorkloadId } from '../../format/workload-name.ts'
import { keepScope } from '../../scope/scope-search.ts'
import type { SearchText } from '../../scope/search-codec.ts'

const TABS = [
  { tab: 'pods', title: 'pods' },
  { tab: 'latency', title: 'heatmap' },
  { tab: 'events', title: 'events' },
  { tab: 'queries', title: 'PromQL' },
]

/** Where to look next: the pages that confirm or clear a suspect. */
export function NextSteps({ id }: { readonly id: string }) {
  const edge = parseEdgeId(id)
  const target = parseWorkloadId(edge?.from ?? id)
  return (
    <p className="suspect-fact no-print">
      <span className="muted">next</span>
      {target && (
        <>
          <Open target={target}>{edge ? 'open its caller' : 'open it'}</Open>
          {!edge &&
            TABS.map(({ tab, title }) => (
              <Open key={tab} target={target} tab={tab}>
                {title}
              </Open>
            ))}
        </>
      )}
      <Link to="/map" search={(previous: SearchText) => ({ ...keepScope(previous), sel: id })}>
        path on the map
      </Link>
    </p>
  )
}

interface OpenProps {
  readonly target: { readonly cluster: string; readonly namespace: string; readonly name: string }
  readonly tab?: string
  readonly children: string
}

function Open({ target: { cluster, namespace, name }, tab, children }: OpenProps) {
  return (
    <Link
      to="/d/$cluster/$ns/$name"
      params={{ cluster, ns: namespace, name }}
      search={(previous: SearchText) => ({ ...keepScope(previous), ...(tab === undefined ? {} : { tab }) })}
    >
      {children}
    </Link>
  )
}
