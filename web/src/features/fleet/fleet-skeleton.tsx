import { LOOKS } from './fleet-columns.tsx'
import { FleetHead } from './fleet-table.tsx'

const ROWS = Array.from({ length: 12 }, (_, index) => index)
const WIDTHS: Readonly<Record<string, number>> = { glyph: 12, name: 150, cluster: 36, own: 60, trend: 96 }
const NUMBER_WIDTH = 44

/** Shown only when nothing has ever been loaded: real headers, grey rows. */
export function FleetSkeleton() {
  return (
    <table className="fleet" aria-busy="true">
      <caption className="sr-only">Reading the clusters</caption>
      <FleetHead sort={{ column: 'blame', descending: true }} />
      <tbody>
        {ROWS.map((row) => (
          <tr key={row}>
            {Object.entries(LOOKS).map(([id, { align }]) => (
              <td key={id} className={`col-${id}`} data-align={align}>
                <span className="skeleton" style={{ width: WIDTHS[id] ?? NUMBER_WIDTH }} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
