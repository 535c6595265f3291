import { useId, useState } from 'react'
import { type Goal, MEASURE_NAMES, MEASURES, type Measure } from './goals.ts'

interface GoalEditorProps {
  /** To begin with. */
  readonly goals: readonly Goal[]
  readonly use: (goals: readonly Goal[]) => void
  readonly cancel: () => void
}

/** A goal as it is being written; what is typed is a number only when it is used. */
interface Draft {
  readonly id: number
  readonly measure: Measure
  readonly typed: string
  readonly unit: 'ms' | 's'
}

const MOST_GOALS = 8
/** What people ask for first. */
const USUAL: Goal = { measure: 'p99', limit: 0.5 }

/** Goals one below the other, each a measure with its limit. */
export function GoalEditor({ goals, use, cancel }: GoalEditorProps) {
  const [drafts, setDrafts] = useState<readonly Draft[]>(() => (goals.length > 0 ? goals : [USUAL]).map(draftOf))
  const noteId = useId()
  const wanted = drafts.map(goalOf)
  const valid = wanted.flatMap((goal) => goal ?? [])
  const set = (id: number, part: Partial<Draft>) =>
    setDrafts((all) => all.map((draft) => (draft.id === id ? { ...draft, ...part } : draft)))
  return (
    <form
      className="goal-editor no-print"
      aria-label="Goals of everything together"
      onSubmit={(event) => {
        event.preventDefault()
        if (valid.length === drafts.length) use(valid)
      }}
      onKeyDown={({ key }) => key === 'Escape' && cancel()}
    >
      {drafts.map((draft, index) => (
        <div key={draft.id} className="goal-editor-row">
          <select
            className="field"
            aria-label={`Goal ${index + 1}: measure`}
            value={draft.measure}
            onChange={({ target }) =>
              set(draft.id, { measure: MEASURES.find((one) => one === target.value) ?? draft.measure })
            }
          >
            {MEASURES.map((measure) => (
              <option key={measure} value={measure}>
                {MEASURE_NAMES[measure]}
              </option>
            ))}
          </select>
          <span>{isLeast(draft.measure) ? 'at least' : 'at most'}</span>
          <input
            className="field"
            aria-label={`Goal ${index + 1}: limit`}
            aria-invalid={wanted[index] === null}
            aria-describedby={noteId}
            inputMode="decimal"
            size={7}
            value={draft.typed}
            onChange={({ target }) => set(draft.id, { typed: target.value })}
          />
          {isLeast(draft.measure) ? (
            <span className="goal-editor-unit">{draft.measure === 'sr' ? '%' : 'per second'}</span>
          ) : (
            <select
              className="field goal-editor-unit"
              aria-label={`Goal ${index + 1}: unit`}
              value={draft.unit}
              onChange={({ target }) => set(draft.id, { unit: target.value === 's' ? 's' : 'ms' })}
            >
              <option value="ms">ms</option>
              <option value="s">s</option>
            </select>
          )}
          <button
            type="button"
            className="button"
            aria-label={`Remove goal ${index + 1}`}
            onClick={() => setDrafts((all) => all.filter(({ id }) => id !== draft.id))}
          >
            Remove
          </button>
        </div>
      ))}
      <p id={noteId} className="muted">
        {valid.length < drafts.length
          ? 'A limit is a number above zero; success is at most 100 %.'
          : 'They hold for everything of a side together, and stand in the link.'}
      </p>
      <div className="goal-editor-row">
        <button
          type="button"
          className="button"
          disabled={drafts.length >= MOST_GOALS}
          onClick={() => setDrafts((all) => [...all, nextDraft(all)])}
        >
          Add a goal
        </button>
        <button type="submit" className="button button-primary" disabled={valid.length < drafts.length}>
          {drafts.length === 0 ? 'Use none' : 'Hold against these'}
        </button>
        <button type="button" className="button button-plain" onClick={cancel}>
          Cancel
        </button>
      </div>
    </form>
  )
}

function isLeast(measure: Measure): boolean {
  return measure === 'sr' || measure === 'rps'
}

function draftOf({ measure, limit }: Goal, id: number): Draft {
  const unit = limit < 1 ? 'ms' : 's'
  const value = measure === 'rps' ? limit : measure === 'sr' ? 100 * limit : unit === 'ms' ? 1_000 * limit : limit
  return { id, measure, typed: String(Number(value.toPrecision(9))), unit: isLeast(measure) ? 'ms' : unit }
}

const ORDER: readonly Goal[] = [USUAL, { measure: 'sr', limit: 0.999 }, { measure: 'rps', limit: 100 }]

/** Another measure than those that are there. */
function nextDraft(drafts: readonly Draft[]): Draft {
  const goal = ORDER.find(({ measure }) => drafts.every((draft) => draft.measure !== measure)) ?? USUAL
  return draftOf(goal, 1 + Math.max(-1, ...drafts.map(({ id }) => id)))
}

function goalOf({ measure, typed, unit }: Draft): Goal | null {
  const value = /^\d+(\.\d+)?$/.test(typed.trim()) ? Number(typed) : Number.NaN
  if (!(value > 0) || (measure === 'sr' && value > 100)) return null
  if (measure === 'rps') return { measure, limit: value }
  return { measure, limit: measure === 'sr' ? value / 100 : unit === 'ms' ? value / 1_000 : value }
}
