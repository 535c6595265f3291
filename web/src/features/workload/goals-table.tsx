import './goals-table.css'
import type { Budget, GoalRow } from '@goldseam/server/contract'
import { printed } from '../../format/quantity.ts'
import { share } from '../../format/ratio.ts'
import { Glyph, type Mark } from '../../ui/glyph.tsx'
import { Metric } from '../../ui/metric.tsx'
import type { MetricKind } from '../../ui/metric-text.ts'

const NAMES: Record<GoalRow['measure'], string> = {
  successRatio: 'Success',
  mean: 'Mean latency',
  p50: 'p50',
  p95: 'p95',
  p99: 'p99',
  p999: 'p99.9',
  requestsPerSecond: 'Requests',
}

const VERDICTS: Record<GoalRow['verdict'], { mark: Mark; word: string }> = {
  met: { mark: 'ok', word: 'met' },
  missed: { mark: 'crit', word: 'MISSED' },
  tooFew: { mark: 'none', word: 'too few requests to tell' },
  noTraffic: { mark: 'none', word: 'no traffic' },
  unknown: { mark: 'unknown', word: 'not known' },
  asUsual: { mark: 'ok', word: 'as usual' },
  worse: { mark: 'warn', word: 'worse than usual' },
  better: { mark: 'ok', word: 'better than usual' },
}

/** Goal / Usual / Now / Verdict, breaches in words and shape; with no goal set, against what is usual. */
export function GoalsTable({ goals }: { readonly goals: readonly GoalRow[] }) {
  if (goals.length === 0) return null
  const set = goals.some(({ goal }) => goal !== null)
  const budgets = goals.some(({ budget }) => budget !== null)
  return (
    <section className="panel goals" aria-labelledby="goals-title">
      <div className="panel-head">
        <h2 id="goals-title">Goals</h2>
        {!set && <span className="muted">none set in the config: held against what is usual</span>}
      </div>
      <table className="plain-table">
        <caption className="sr-only">Goal, usual, now and verdict of each measure</caption>
        <thead>
          <tr>
            <th scope="col">Measure</th>
            <th scope="col">Goal</th>
            <th scope="col">Usual</th>
            <th scope="col">Now</th>
            <th scope="col">Verdict</th>
            {budgets && <th scope="col">Error budget</th>}
          </tr>
        </thead>
        <tbody>
          {goals.map((row) => (
            <Line key={row.measure} row={row} budgets={budgets} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Line({ row, budgets }: { readonly row: GoalRow; readonly budgets: boolean }) {
  const { measure, goal, usual, now, truth, verdict, text, budget } = row
  const { mark, word } = VERDICTS[verdict]
  const kind: MetricKind = measure === 'successRatio' ? 'success' : measure === 'requestsPerSecond' ? 'rate' : 'latency'
  return (
    <tr data-verdict={verdict}>
      <th scope="row" data-label="Measure">
        {NAMES[measure]}
      </th>
      <td data-label="Goal">
        {goal === null ? (
          <span className="muted">none</span>
        ) : (
          <span>
            {measure === 'requestsPerSecond' || measure === 'successRatio' ? 'at least ' : 'at most '}
            <Metric kind={kind} value={goal} label="goal" />
          </span>
        )}
      </td>
      <td data-label="Usual">
        <Metric kind={kind} value={usual} label="usual" />
      </td>
      <td data-label="Now">
        <Metric kind={kind} value={now} truth={truth} label="now" />
      </td>
      <td data-label="Verdict">
        <span className="goals-verdict" title={text}>
          <span aria-hidden="true">
            <Glyph mark={mark} />
          </span>
          {word}
        </span>
      </td>
      {budgets && (
        <td data-label="Error budget">
          {budget === null ? <span className="muted">none of this kind</span> : <BudgetCell budget={budget} />}
        </td>
      )}
    </tr>
  )
}

function BudgetCell({
  budget: { spentRatio, knownSeconds, periodSeconds, burns, grade },
}: {
  readonly budget: Budget
}) {
  const part = knownSeconds < 0.95 * periodSeconds ? ` (${span(knownSeconds)} known)` : ''
  return (
    <div>
      <div>
        {spentRatio === null
          ? 'not counted yet'
          : `${printed(share(spentRatio))} of ${span(periodSeconds)} spent${part}`}
      </div>
      {burns.map(({ longSeconds, shortSeconds, most, longRate, shortRate, firing }) => (
        <div key={longSeconds} className={firing ? 'goals-burning' : 'muted'}>
          {firing && <Glyph mark={grade === 'crit' ? 'crit' : 'warn'} label="burning too fast" />}
          {`${span(longSeconds)} / ${span(shortSeconds)}: x${burn(longRate)} / x${burn(shortRate)}, limit x${most}`}
        </div>
      ))}
    </div>
  )
}

function burn(rate: number | null): string {
  if (rate === null) return '?'
  return rate < 9.95 ? rate.toFixed(1) : String(Math.round(rate))
}

/** A length of time that was chosen: 5 min, 6 h, 30 d. */
function span(seconds: number): string {
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`
  return seconds < 129_600 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} d`
}
