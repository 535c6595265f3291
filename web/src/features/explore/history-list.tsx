import { useState } from 'react'
import { age } from '../../format/age.ts'
import { instant } from '../../format/clock.ts'
import { useNowMs } from '../../ui/now.ts'
import { forget, type PastExpression } from './past-expressions.ts'

interface HistoryListProps {
  readonly past: readonly PastExpression[]
  readonly changed: (past: readonly PastExpression[]) => void
  /** Takes it into the editor and asks. */
  readonly run: (promql: string) => void
}

const FIRST = 10

/** What was asked from this browser: to be asked again, or forgotten. */
export function HistoryList({ past, changed, run }: HistoryListProps) {
  const [whole, setWhole] = useState(false)
  const nowMs = useNowMs()
  if (past.length === 0) return null
  return (
    <details className="explore-history no-print">
      <summary>
        History <span className="muted">{past.length}, kept in this browser</span>
      </summary>
      <ul>
        {past.slice(0, whole ? past.length : FIRST).map(({ promql, atMs }) => (
          <li key={promql}>
            <button type="button" className="button-link explore-past" title="Ask again" onClick={() => run(promql)}>
              {promql}
            </button>
            {atMs !== null && (
              <span className="muted" title={instant(atMs)}>
                {age((nowMs - atMs) / 1000, nowMs)}
              </span>
            )}
            <button
              type="button"
              className="button-link"
              aria-label={`Forget ${promql}`}
              onClick={() => changed(forget(promql))}
            >
              forget
            </button>
          </li>
        ))}
      </ul>
      <p className="explore-history-foot">
        {past.length > FIRST && !whole && (
          <button type="button" className="button" onClick={() => setWhole(true)}>
            Show all {past.length}
          </button>
        )}
        <button type="button" className="button" onClick={() => changed(forget(null))}>
          Forget all
        </button>
      </p>
    </details>
  )
}
