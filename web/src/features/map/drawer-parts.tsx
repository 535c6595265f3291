import { meanReading, rateReading, viewAge, viewOf } from '../../answers/edge-reading.ts'
import { shortName } from '../../format/workload-name.ts'
import { Metric } from '../../ui/metric.tsx'
import type { DrawnEdge } from './drawn.ts'

interface EndsProps {
  readonly title: string
  readonly edges: readonly DrawnEdge[]
  readonly end: 'from' | 'to'
  readonly select: (id: string) => void
}

/** The calls of what is selected, each to be selected in turn. */
export function Ends({ title, edges, end, select }: EndsProps) {
  if (edges.length === 0) return null
  return (
    <section>
      <h3>{title}</h3>
      <ul className="map-ends">
        {edges.map(({ edge }) => (
          <li key={`${edge.from}~${edge.to} ${edge.destination ?? ''}`}>
            <button type="button" className="map-end" onClick={() => select(`${edge.from}~${edge.to}`)}>
              {shortName(edge[end])}
            </button>
            {edge.seam && <span className="muted">seam</span>}
            <Metric {...rateReading(viewOf(edge), viewAge(edge))} />
            <Metric {...meanReading(viewOf(edge), viewAge(edge))} compact />
          </li>
        ))}
      </ul>
    </section>
  )
}

export function CloseButton({ select }: { readonly select: (id: string) => void }) {
  return (
    <button type="button" className="button button-plain map-close" aria-label="Close" onClick={() => select('')}>
      ×
    </button>
  )
}
