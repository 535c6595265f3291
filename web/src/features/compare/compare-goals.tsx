import type { CompareRow } from '@goldseam/server/contract'
import { useState } from 'react'
import { Glyph } from '../../ui/glyph.tsx'
import { Metric } from '../../ui/metric.tsx'
import { type Goal, isMet, readGoals, valueFor } from './goals.ts'

interface CompareGoalsProps {
  readonly text: string
  readonly all: CompareRow
  readonly change: (text: string) => void
}

/** What both sides are held to; it stands in the link. */
export function CompareGoals({ text, all, change }: CompareGoalsProps) {
  const [typed, setTyped] = useState(text)
  const { goals, wrong } = readGoals(text)
  return (
    <section className="panel" aria-labelledby="compare-goals">
      <div className="panel-head">
        <h2 id="compare-goals">Goals</h2>
        <form
          className="compare-goals-form no-print"
          onSubmit={(event) => {
            event.preventDefault()
            change(typed.trim())
          }}
        >
          <input
            className="field"
            aria-label="Goals"
            placeholder="p99:500ms,sr:99.9,rps:800"
            size={32}
            value={typed}
            spellCheck={false}
            onChange={({ target }) => setTyped(target.value)}
          />
          <button type="submit" className="button">
            Hold against
          </button>
        </form>
      </div>
      {wrong.length > 0 && (
        <p className="panel-note">Not understood: {wrong.join(', ')}. Write p99:500ms, sr:99.9 or rps:800.</p>
      )}
      {goals.length > 0 && (
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">Goal</th>
              <th scope="col">A</th>
              <th scope="col">B</th>
            </tr>
          </thead>
          <tbody>
            {goals.map((goal) => (
              <tr key={goal.text}>
                <th scope="row" data-label="Goal">
                  <code>{goal.text}</code>
                </th>
                <td data-label="A">
                  <Held goal={goal} cell={all.a} />
                </td>
                <td data-label="B">
                  <Held goal={goal} cell={all.b} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function Held({ goal, cell }: { readonly goal: Goal; readonly cell: CompareRow['a'] }) {
  const met = isMet(goal, cell)
  const kind = goal.measure === 'rps' ? 'rate' : goal.measure === 'sr' ? 'success' : 'latency'
  return (
    <span className="compare-verdict" data-missed={met === false}>
      <Glyph
        mark={met === null ? 'none' : met ? 'ok' : 'crit'}
        size={11}
        label={met === null ? 'no number' : met ? 'pass' : 'FAIL'}
      />
      {met === null ? 'no number' : met ? 'pass' : 'FAIL'}
      <Metric
        kind={kind}
        value={valueFor(goal.measure, cell)}
        sampleCount={cell?.golden.sampleCount}
        label={goal.measure}
      />
    </span>
  )
}
