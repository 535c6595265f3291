import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { lastName, parseWorkloadId } from '../../format/workload-name.ts'
import { keepScope } from '../../scope/scope-search.ts'
import type { SearchText } from '../../scope/search-codec.ts'

/** How one came here along calls: ids from the first page to this one. Part of the visit, not of the link. */
export function useWay(here: string): readonly string[] {
  const { state } = useLocation()
  const { way } = state as { way?: unknown }
  if (!Array.isArray(way) || way.at(-1) !== here) return [here]
  return way.filter((id) => typeof id === 'string' && parseWorkloadId(id) !== null)
}

interface WayLinkProps {
  /** Of workloads that call each other; the last one is where the link leads. */
  readonly way: readonly string[]
  readonly children: ReactNode
}

/** A link to a workload's page that remembers the calls that led there. */
export function WayLink({ way, children }: WayLinkProps) {
  const target = parseWorkloadId(way.at(-1) ?? '')
  if (!target) return <span>{children}</span>
  const { cluster, namespace: ns, name } = target
  return (
    <Link
      to="/d/$cluster/$ns/$name"
      params={{ cluster, ns, name }}
      search={(previous: SearchText) => keepScope(previous)}
      state={(before) => ({ ...before, way })}
    >
      {children}
    </Link>
  )
}

/** `X > A > C >`: back to any of those one came past. */
export function Way({ here }: { readonly here: string }) {
  const way = useWay(here)
  if (way.length < 2) return null
  return (
    <nav className="workload-way" aria-label="The calls that led here">
      {way.slice(0, -1).map((id, at) => (
        <span key={id}>
          <WayLink way={way.slice(0, at + 1)}>{lastName(id)}</WayLink> <span aria-hidden="true">›</span>
        </span>
      ))}
    </nav>
  )
}
