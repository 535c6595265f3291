import { Link } from '@tanstack/react-router'
import type { LatencyUnit } from '../../charts/axes.ts'
import type { SearchText } from '../../scope/search-codec.ts'
import { useChangeSearch } from '../../scope/use-scope.ts'
import { Metric } from '../../ui/metric.tsx'
import { UNITS } from './tree-search.ts'

/** In which unit the latency axis counts; each press is the next one. */
export function AxisUnit({ unit }: { readonly unit: LatencyUnit }) {
  const change = useChangeSearch()
  const next = UNITS[(UNITS.indexOf(unit) + 1) % UNITS.length]
  return (
    <button
      type="button"
      className="button-link card-table-button no-print"
      aria-label={`Unit of the latency axis: ${unit}`}
      title="Unit of the axis: auto, ms or s"
      onClick={() => change({ unit: next === 'auto' ? undefined : next }, { replace: true })}
    >
      unit {unit}
    </button>
  )
}

/** How evenly the load lies on the pods, with the way to them. */
export function PodBalance({ maxOverMedian }: { readonly maxOverMedian: number }) {
  return (
    <Link
      to="."
      search={(previous: SearchText) => ({ ...previous, tab: 'pods' })}
      resetScroll={false}
      className="muted card-usual"
      title="The busiest pod against the middle one, by requests"
    >
      pods max/med <Metric kind="ratio" value={maxOverMedian} label="busiest pod against the middle one" />
    </Link>
  )
}
