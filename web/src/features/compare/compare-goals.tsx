import './compare-goals.css'
import type { Compare } from '@goldseam/server/contract'
import { useMemo, useState } from 'react'
import { plural } from '../../format/age.ts'
import { Glyph, type Mark } from '../../ui/glyph.tsx'
import { Metric } from '../../ui/metric.tsx'
import type { MetricKind } from '../../ui/metric-text.ts'
import { TableDownload } from '../../ui/table-download.tsx'
import { type Bullets, bulletsOf } from './bullet.ts'
import { GoalEditor } from './goal-editor.tsx'
import { configRows, type GoalRow, type Held, typedRows } from './goal-rows.ts'
import { type GoalVerdict, goalsText, MEASURE_NAMES, type Measure, readGoals, truthName, valueFor } from './goals.ts'
import type { Absent } from './use-comparison.ts'

interface CompareGoalsProps {
  /** Those of the link, for everything together. */
  readonly text: string
  readonly answer: Pick<Compare, 'all' | 'rows'>
  readonly absent: Absent | null
  readonly change: (text: string) => void
}

const VERDICTS: Record<GoalVerdict, { mark: Mark; word: string }> = {
  met: { mark: 'ok', word: 'pass' },
  missed: { mark: 'crit', word: 'FAIL' },
  tooFew: { mark: 'none', word: 'too few requests' },
  noTraffic: { mark: 'none', word: 'no traffic' },
  unknown: { mark: 'unknown', word: 'no number' },
  asUsual: { mark: 'ok', word: 'as usual' },
  worse: { mark: 'warn', word: 'worse' },
  better: { mark: 'ok', word: 'better' },
}

/** As many as are read at a glance; the rest at a click. */
const FIRST = 12

/** What both sides are held to: goals of the link for everything together, those of the config for each workload. */
export function CompareGoals({ text, answer, absent, change }: CompareGoalsProps) {
  const [editing, setEditing] = useState(false)
  const [whole, setWhole] = useState(false)
  const { goals, wrong } = readGoals(text)
  const configured = useMemo(() => configRows(answer.rows), [answer.rows])
  const rows = [...typedRows(goals, answer.all), ...configured]
  const shown = whole ? rows : rows.slice(0, FIRST)
  const [single] = answer.rows.length === 1 ? answer.rows : []
  return (
    <section className="panel" aria-labelledby="compare-goals">
      <div className="panel-head">
        <h2 id="compare-goals">Goals</h2>
        <button
          type="button"
          className="button no-print"
          aria-expanded={editing}
          onClick={() => setEditing((open) => !open)}
        >
          {goals.length === 0 ? 'Set goals' : 'Edit goals'}
        </button>
        {rows.length > 0 && <TableDownload file="goldseam-compare-goals" what="Goals" />}
      </div>
      {editing && (
        <GoalEditor
          goals={goals.length > 0 ? goals : single === undefined ? [] : configured}
          use={(next) => {
            setEditing(false)
            change(goalsText(next))
          }}
          cancel={() => setEditing(false)}
        />
      )}
      {wrong.length > 0 && (
        <p className="panel-note">Not understood: {wrong.join(', ')}. Write p99:500ms, sr:99.9 or rps:800.</p>
      )}
      {rows.length === 0 && !editing && (
        <p className="panel-note muted">
          No goals: set some here, and they stand in the link, or under <code>goals</code> in the config.
        </p>
      )}
      {rows.length > 0 && (
        <table className="plain-table compare-goals">
          <thead>
            <tr>
              <th scope="col">Of</th>
              <th scope="col">Goal</th>
              <th scope="col">A</th>
              <th scope="col">B</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Line key={row.key} row={row} single={single !== undefined} absent={absent} />
            ))}
          </tbody>
        </table>
      )}
      {rows.length > 0 && (
        <p className="panel-note muted">Bars show what was measured, of success what failed; the line is the goal.</p>
      )}
      {rows.length > shown.length && (
        <p className="panel-note">
          <button type="button" className="button" onClick={() => setWhole(true)}>
            Show {plural(rows.length - shown.length, 'more goal')}
          </button>
        </p>
      )}
    </section>
  )
}

interface LineProps {
  readonly row: GoalRow
  /** Whether one workload alone is compared: what is of all is of it. */
  readonly single: boolean
  readonly absent: Absent | null
}

function Line({ row, single, absent }: LineProps) {
  const bullets = bulletsOf(row)
  return (
    <tr>
      <th scope="row" data-label="Of">
        <span>
          {whose(row.of, single)} <span className="muted">from the {row.of === null ? 'link' : 'config'}</span>
        </span>
      </th>
      <td data-label="Goal">
        <span>
          {MEASURE_NAMES[row.measure]} {row.measure === 'sr' || row.measure === 'rps' ? 'at least' : 'at most'}{' '}
          <Metric kind={kindOf(row.measure)} value={row.limit} label="goal" />
        </span>
      </td>
      {(['a', 'b'] as const).map((side) => (
        <td key={side} data-label={side.toUpperCase()}>
          {absent?.side === side ? (
            <span className="muted hatched">{absent.error === null ? 'reading' : 'no answer'}</span>
          ) : (
            <HeldCell row={row} held={row[side]} bullets={bullets} side={side} />
          )}
        </td>
      ))}
    </tr>
  )
}

function whose(of: string | null, single: boolean): string {
  if (single || of === 'pair') return 'this workload'
  return of ?? 'all, added up'
}

interface HeldCellProps {
  readonly row: GoalRow
  readonly held: Held | null
  readonly bullets: Bullets | null
  readonly side: 'a' | 'b'
}

function HeldCell({ row, held, bullets, side }: HeldCellProps) {
  if (held === null) return <span className="muted">{row.of === null ? 'nothing measured' : 'not its goal'}</span>
  const { mark, word } = VERDICTS[held.verdict]
  const { cell, text } = held
  const truth = cell.truths[truthName(row.measure)]
  const latency = row.measure !== 'sr' && row.measure !== 'rps' && row.measure !== 'mean'
  const verdict = (
    <span
      className="compare-verdict"
      data-missed={held.verdict === 'missed'}
      {...(text === null ? {} : { title: text })}
    >
      <span aria-hidden="true">
        <Glyph mark={mark} size={11} />
      </span>
      {word}
      <Metric
        kind={kindOf(row.measure)}
        value={valueFor(row.measure, cell)}
        truth={truth}
        sampleCount={cell.golden.sampleCount}
        bucket={latency ? cell.bounds[row.measure as 'p50'] : null}
        label={MEASURE_NAMES[row.measure]}
        compact
      />
    </span>
  )
  return (
    <span className="compare-held">
      {verdict}
      {bullets !== null && <Bullet limit={bullets.limit} part={bullets[side]} missed={held.verdict === 'missed'} />}
    </span>
  )
}

const BAR = { width: 150, height: 10 } as const

/** How far, and how far it may be: the words beside it say the same. */
function Bullet({ limit, part, missed }: { limit: number; part: number | null; missed: boolean }) {
  const at = limit * BAR.width
  return (
    <svg className="compare-bullet" {...BAR} data-missed={missed} aria-hidden="true">
      <rect className="compare-bullet-track" {...BAR} rx={2} />
      {part !== null && <rect y={2.5} width={Math.max(1, part * BAR.width)} height={BAR.height - 5} />}
      <line x1={at} x2={at} y1={0} y2={BAR.height} />
    </svg>
  )
}

function kindOf(measure: Measure): MetricKind {
  return measure === 'rps' ? 'rate' : measure === 'sr' ? 'success' : 'latency'
}
