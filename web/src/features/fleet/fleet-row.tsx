import type { Suspect } from '@goldseam/server/contract'
import { FlexRender, type Row } from '@tanstack/react-table'
import { memo, useContext } from 'react'
import { contributed } from '../../answers/contributed.ts'
import { statusOf } from '../../answers/status.ts'
import { statusText } from '../../answers/status-text.ts'
import { nameInSentence, parseEdgeId, parseWorkloadId } from '../../format/workload-name.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'
import { Glyph } from '../../ui/glyph.tsx'
import { Metric } from '../../ui/metric.tsx'
import { OwnBar } from '../../ui/own-bar.tsx'
import { CellSearch, cellAddress } from './cell-links.tsx'
import { type features, LOOKS, ShownColumns } from './fleet-columns.tsx'
import type { FleetRow } from './fleet-order.ts'
import { SuspectLine } from './suspect-line.tsx'

interface WorkloadRowProps {
  readonly row: Row<typeof features, FleetRow>
  readonly index: number
}

/** The header is row 1 for a screen reader. */
export const rowIndex = (index: number) => index + 2

/** Drawn anew when its numbers, its place or the columns are others; not when rows around it come and go. */
export const WorkloadRow = memo(function WorkloadRow({ row, index }: WorkloadRowProps) {
  // The columns stand in the row, too, but it is not looked at when only they change.
  useContext(ShownColumns)
  const { original } = row
  const search = useContext(CellSearch)
  if (original.kind !== 'workload') return null
  const { workload, suspect } = original
  return (
    <>
      <tr
        data-row={workload.id}
        data-status={statusOf(workload)}
        data-culprit={suspect !== null}
        className={workload.truth === 'stale' ? 'hatched' : undefined}
        aria-rowindex={rowIndex(index)}
      >
        {row.getAllCells().map((cell) => {
          const { id } = cell.column
          const behind = cellAddress(id, workload, search)
          return (
            <td
              key={cell.id}
              className={`col-${id}${behind === null ? '' : ' cell-behind'}`}
              data-label={LOOKS[id]?.title}
              data-align={LOOKS[id]?.align}
            >
              {behind === null ? (
                <FlexRender cell={cell} />
              ) : (
                // The row's own link is the one that Tab stops at: eight more a row would be a wall.
                <a
                  className="cell-link"
                  href={behind}
                  tabIndex={-1}
                  title={id === 'glyph' ? statusText(workload) : undefined}
                >
                  <FlexRender cell={cell} />
                </a>
              )}
            </td>
          )
        })}
      </tr>
      {suspect && <WhyRow suspect={suspect} />}
    </>
  )
}, sameRow)

function sameRow(before: WorkloadRowProps, next: WorkloadRowProps): boolean {
  const [a, b] = [before.row.original, next.row.original]
  if (a.kind !== 'workload' || b.kind !== 'workload') return false
  return before.index === next.index && a.workload === b.workload && a.suspect === b.suspect && a.seamTo === b.seamTo
}

const AFTER_NAME = ['own', 'trend', 'change']

/** A row for a suspect that is no workload we measure: its page is that of the last one on the way that is. */
export function SuspectRow({ suspect, index }: { readonly suspect: Suspect; readonly index: number }) {
  const shown = useContext(ShownColumns)
  const last = shown.filter((id) => id === 'trend' || id === 'change').length
  const nearest = parseEdgeId(suspect.id)
    ? suspect.id
    : (suspect.path.findLast((id) => parseWorkloadId(id)) ?? suspect.id)
  return (
    <>
      <tr data-row={suspect.id} data-status="crit" data-culprit="true" aria-rowindex={rowIndex(index)}>
        <td className="col-glyph">
          <Glyph mark="crit" size={13} />
        </td>
        <td className="col-name" colSpan={shown.filter((id) => !AFTER_NAME.includes(id)).length - 1}>
          <WorkloadLink id={nearest} className="row-link">
            {nameInSentence(suspect.id)}
          </WorkloadLink>
          <span className="fleet-rank">#{suspect.rank}</span>
        </td>
        {shown.includes('own') && (
          <td className="col-own">
            <span className="fleet-own">
              <Metric kind="share" label="own share" value={suspect.own.share} />
              <OwnBar share={suspect.own.share} strong />
            </span>
          </td>
        )}
        {last > 0 && (
          <td className="col-trend" colSpan={last}>
            <Metric
              kind={suspect.trouble === 'latency' ? 'latencyDelta' : 'rate'}
              label="added"
              value={contributed(suspect)}
            />
          </td>
        )}
      </tr>
      <WhyRow suspect={suspect} />
    </>
  )
}

function WhyRow({ suspect }: { readonly suspect: Suspect }) {
  const count = useContext(ShownColumns).length
  return (
    <tr className="fleet-why" data-culprit="true">
      <td className="col-glyph" />
      <td className="fleet-why-cell" colSpan={count - 1}>
        <SuspectLine suspect={suspect} />
      </td>
    </tr>
  )
}
