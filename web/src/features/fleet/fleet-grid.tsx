import './fleet-grid.css'
import type { Workload } from '@goldseam/server/contract'
import { useMemo } from 'react'
import { markOf, statusOf } from '../../answers/status.ts'
import { statusText } from '../../answers/status-text.ts'
import { latency } from '../../format/latency.ts'
import { printed } from '../../format/quantity.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'
import { Glyph } from '../../ui/glyph.tsx'

/**
 * Every deployment as a cell in a place of its own: by cluster, namespace and name, never by how it is. Whoever looks
 * often knows where to look; order that follows trouble is the table's.
 */
export function FleetGrid({ workloads }: { readonly workloads: readonly Workload[] }) {
  const bands = useMemo(() => bandsOf(workloads), [workloads])
  return (
    <div className="fleet-grid">
      {bands.map(({ cluster, namespaces, count }) => (
        <section key={cluster} className="panel" aria-label={`${cluster}, ${count} workloads`}>
          <div className="panel-head">
            <h2>{cluster}</h2>
            <span className="muted">{count}</span>
          </div>
          {namespaces.map(({ namespace, members }) => (
            <div key={namespace} className="grid-space">
              <span className="grid-space-name muted">{namespace}</span>
              <ul>
                {members.map((workload) => (
                  <li key={workload.id}>
                    <Cell workload={workload} />
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </section>
      ))}
    </div>
  )
}

function Cell({ workload }: { readonly workload: Workload }) {
  const { id, name, now, suspectRank } = workload
  const status = statusOf(workload)
  const p99 = now.latencySeconds.p99
  const words = `${statusText(workload)}${p99 === null ? '' : `; p99 ${printed(latency(p99))}`}`
  return (
    <span className="grid-cell" data-status={status} data-suspect={suspectRank !== null} title={`${name}: ${words}`}>
      <Glyph mark={markOf(workload)} size={11} label={words} />
      <WorkloadLink id={id}>{name}</WorkloadLink>
    </span>
  )
}

interface Band {
  readonly cluster: string
  readonly count: number
  readonly namespaces: readonly { readonly namespace: string; readonly members: readonly Workload[] }[]
}

/** In the order of names, whatever the order they come in. */
export function bandsOf(workloads: readonly Workload[]): Band[] {
  const sorted = [...workloads].sort(
    (a, b) =>
      a.cluster.localeCompare(b.cluster) || a.namespace.localeCompare(b.namespace) || a.name.localeCompare(b.name),
  )
  const clusters = [...new Set(sorted.map(({ cluster }) => cluster))]
  return clusters.map((cluster) => {
    const mine = sorted.filter((workload) => workload.cluster === cluster)
    const names = [...new Set(mine.map(({ namespace }) => namespace))]
    return {
      cluster,
      count: mine.length,
      namespaces: names.map((namespace) => ({
        namespace,
        members: mine.filter((workload) => workload.namespace === namespace),
      })),
    }
  })
}
