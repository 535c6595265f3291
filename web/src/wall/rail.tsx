import type { WallFrame, WallRow } from '@goldseam/server/contract'
import { useMemo } from 'react'
import { type Domain, linePath, logPosition, sharedLogDomain } from '../charts/scales.ts'
import { clock } from '../format/clock.ts'
import { shortName } from '../format/workload-name.ts'
import { Glyph, type Mark } from '../ui/glyph.tsx'
import { Metric } from '../ui/metric.tsx'
import { hiddenText, railLines } from './rail-lines.ts'
import { middle } from './state.ts'

interface RailProps {
  readonly frame: WallFrame
  /** On the first rows; null: nothing to say. */
  readonly note: { readonly text: string; readonly rows: number } | null
  readonly lines: number
  readonly rowHeight: number
  readonly unit: number
  readonly width: number
}

/** The worst workloads, spelled out. Rows are placed, not flowed: one that moves glides, the others stand. */
export function Rail({ frame, note, lines, rowHeight, unit, width }: RailProps) {
  const taken = note?.rows ?? 0
  const { shown, more } = railLines(frame, lines - taken)
  const domain = useMemo(() => sharedLogDomain(frame.rows.map(({ trendSeconds }) => trendSeconds)), [frame])
  const units = width / unit
  return (
    <div className="rail" style={{ height: lines * rowHeight }}>
      {note !== null && (
        <p className="rail-note" style={{ height: taken * rowHeight }}>
          {note.text}
        </p>
      )}
      {shown.map((row, index) => (
        <div
          key={row.id}
          className="rail-row"
          data-mark={row.mark}
          data-id={row.id}
          style={{ height: rowHeight, transform: `translateY(${(taken + index) * rowHeight}px)` }}
        >
          <RailRow row={row} units={units} domain={domain} />
        </div>
      ))}
      {more.length > 0 && (
        <div
          className="rail-row rail-more"
          style={{ height: rowHeight, transform: `translateY(${(taken + shown.length) * rowHeight}px)` }}
        >
          {hiddenText(more, Math.floor(units / LETTER))}
        </div>
      )}
    </div>
  )
}

/** Mean width of a letter of running text, in units. */
const LETTER = 0.46

function RailRow({ row, units, domain }: { row: WallRow; units: number; domain: Domain }) {
  const recovering = row.recoveringSince !== null
  // What is left when the figures have their room; a letter is little more than half as wide as it is high.
  const columns = [
    1.1,
    4.2,
    2.4,
    units >= 21 ? 4.5 : 0,
    units >= 26 ? 2.7 : 0,
    units >= 31 ? 3.2 : 0,
    units >= 35 ? 3.4 : 0,
  ]
  const fixed = columns.reduce((sum, width) => sum + (width === 0 ? 0 : width + 0.4), 0)
  const letters = Math.min(22, Math.max(6, Math.floor((units - fixed) / 0.56)))
  const inside = { compact: true, ageSeconds: row.ageSeconds, sampleCount: row.sampleCount }
  return (
    <>
      <span className="rail-glyph">
        <Glyph mark={recovering ? 'ok' : (row.mark as Mark)} />
      </span>
      <span className="rail-name">{middle(row.name, letters)}</span>
      {units >= 26 && <span className="rail-cluster">{middle(row.cluster, 5)}</span>}
      {recovering ? (
        <span className="rail-recovering">recovering since {clock(row.recoveringSince ?? '', 'local')}</span>
      ) : (
        <>
          {units >= 21 && (
            <span className="rail-number rail-success">
              <Metric kind="success" value={row.successRatio} truth={row.truths.successRatio} {...inside} />
            </span>
          )}
          {units >= 31 && (
            <span className="rail-number rail-rate">
              <Metric kind="rate" value={row.requestsPerSecond} truth={row.truths.requestsPerSecond} {...inside} />
            </span>
          )}
          <span className="rail-number rail-latency">
            <Metric kind="latency" value={row.p99Seconds} truth={row.truths.p99} bucket={row.p99Bounds} {...inside} />
          </span>
          <span className="rail-number rail-ratio">
            {row.changeRatio !== null && <Metric kind="ratio" value={row.changeRatio} truth="value" />}
          </span>
        </>
      )}
      {units >= 35 && <Trend values={row.trendSeconds} domain={domain} name={shortName(row.id)} />}
    </>
  )
}

const WIDTH = 100
const HEIGHT = 24

function Trend({ values, domain, name }: { values: readonly (number | null)[]; domain: Domain; name: string }) {
  const { path } = linePath(values, WIDTH, (value) => HEIGHT - 2 - logPosition(value, domain) * (HEIGHT - 4))
  return (
    <svg
      className="rail-trend"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`p99 of ${name} over the last half hour`}
    >
      <path d={path === '' ? `M0 ${HEIGHT - 2}H${WIDTH}` : path} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
