import type { Workload } from '@goldseam/server/contract'
import { createColumnHelper, tableFeatures } from '@tanstack/react-table'
import { createContext, type ReactNode } from 'react'
import { StatusGlyph } from '../../answers/status-glyph.tsx'
import { Metric } from '../../ui/metric.tsx'
import { ChangeCell, NameCell, OwnCell, TrendCell } from './fleet-cells.tsx'
import type { FleetRow } from './fleet-order.ts'
import type { ChosenColumn, SortColumn } from './fleet-search.ts'

export const features = tableFeatures({})
const column = createColumnHelper<typeof features, FleetRow>()

export interface ColumnLook {
  readonly title: string
  readonly sort: SortColumn | null
  readonly align: 'start' | 'end'
  readonly hint: string
}

/** How the columns are headed, sorted and aligned; widths live in the style sheet. */
export const LOOKS: Readonly<Record<string, ColumnLook>> = {
  glyph: { title: '', sort: null, align: 'start', hint: 'Status' },
  name: { title: 'Deployment', sort: 'name', align: 'start', hint: 'Namespace and name' },
  cluster: { title: 'Cluster', sort: 'cluster', align: 'start', hint: 'Cluster it runs in' },
  success: {
    title: 'Success',
    sort: 'success',
    align: 'end',
    hint: 'Requests answered without failure, never rounded up',
  },
  rps: { title: 'RPS', sort: 'rps', align: 'end', hint: 'Requests per second' },
  p50: { title: 'p50', sort: 'p50', align: 'end', hint: 'Half of the requests are faster' },
  p95: { title: 'p95', sort: 'p95', align: 'end', hint: '95 of 100 requests are faster' },
  p99: { title: 'p99', sort: 'p99', align: 'end', hint: '99 of 100 requests are faster' },
  p999: { title: 'p999', sort: 'p999', align: 'end', hint: '999 of 1 000 requests are faster' },
  own: {
    title: 'Own',
    sort: 'own',
    align: 'start',
    hint: 'Part of the slowdown that is its own doing, not that of what it calls',
  },
  trend: {
    title: 'p99 over time',
    sort: null,
    align: 'start',
    hint: 'Line: p99, log scale, one scale for all rows. Band: where it usually lies',
  },
  change: { title: 'Change', sort: 'change', align: 'start', hint: '+ twice, ++ four times, +++ ten times the usual' },
}

/** The columns that are shown, from left to right: all of them, or those of the link beside what names a row. */
export function shownColumns(cols: readonly ChosenColumn[]): string[] {
  const chosen = cols.map((name) => (name === 'sr' ? 'success' : name) as string)
  return Object.keys(LOOKS).filter((id) => cols.length === 0 || NAMING.includes(id) || chosen.includes(id))
}

const NAMING = ['glyph', 'name', 'cluster']

export const ShownColumns = createContext<readonly string[]>(Object.keys(LOOKS))

function cell(draw: (workload: Workload) => ReactNode) {
  return ({ row }: { row: { original: FleetRow } }) =>
    row.original.kind === 'workload' ? draw(row.original.workload) : null
}

function percentileCell(name: 'p50' | 'p95' | 'p99' | 'p999') {
  return cell(({ now, truths, bounds, ageSeconds }) => (
    <Metric
      kind="latency"
      label={name}
      value={now.latencySeconds[name]}
      truth={truths[name]}
      bucket={bounds[name]}
      sampleCount={now.percentiles?.sampleCount ?? now.sampleCount}
      olderSeconds={now.percentiles?.ageSeconds}
      ageSeconds={ageSeconds}
      compact={name !== 'p99' || truths[name] === 'stale'}
    />
  ))
}

export const columns = column.columns([
  column.display({ id: 'glyph', cell: cell((workload) => <StatusGlyph workload={workload} size={13} />) }),
  column.display({
    id: 'name',
    cell: ({ row: { original } }: { row: { original: FleetRow } }) =>
      original.kind === 'workload' && <NameCell workload={original.workload} seamTo={original.seamTo} />,
  }),
  column.display({ id: 'cluster', cell: cell(({ cluster }) => cluster) }),
  column.display({
    id: 'success',
    cell: cell(({ now, truths, ageSeconds, successIs }) => (
      <Metric
        atLeast={successIs === 'atLeast'}
        kind="success"
        label="success"
        value={now.successRatio}
        truth={truths.successRatio}
        sampleCount={now.sampleCount}
        ageSeconds={ageSeconds}
        compact={truths.successRatio === 'noTraffic' || truths.successRatio === 'stale'}
      />
    )),
  }),
  column.display({
    id: 'rps',
    cell: cell(({ now, truths, ageSeconds, rateIs }) => (
      <Metric
        atLeast={rateIs === 'atLeast'}
        kind="rate"
        label="rate"
        value={now.requestsPerSecond}
        truth={truths.requestsPerSecond}
        ageSeconds={ageSeconds}
        compact
      />
    )),
  }),
  column.display({ id: 'p50', cell: percentileCell('p50') }),
  column.display({ id: 'p95', cell: percentileCell('p95') }),
  column.display({ id: 'p99', cell: percentileCell('p99') }),
  column.display({ id: 'p999', cell: percentileCell('p999') }),
  column.display({ id: 'own', cell: cell((workload) => <OwnCell workload={workload} />) }),
  column.display({ id: 'trend', cell: cell((workload) => <TrendCell workload={workload} />) }),
  column.display({ id: 'change', cell: cell((workload) => <ChangeCell workload={workload} />) }),
])
