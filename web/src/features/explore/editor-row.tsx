import { letterOf } from './explore-search.ts'
import { PromqlEditor } from './promql-editor.tsx'
import { syntaxProblem } from './syntax.ts'

interface EditorRowProps {
  readonly index: number
  /** Whether a letter is needed to tell it from others. */
  readonly lettered: boolean
  readonly text: string
  /** All there are: what is known in which of them is said where names are completed. */
  readonly clusters: readonly string[]
  readonly change: (text: string) => void
  readonly run: () => void
  readonly focused: () => void
  readonly remove: () => void
}

/** One expression as it is being written. */
export function EditorRow({ index, lettered, text, clusters, change, run, focused, remove }: EditorRowProps) {
  const letter = letterOf(index)
  const problem = syntaxProblem(text)
  return (
    <div onFocusCapture={focused}>
      <div className="explore-editor">
        {lettered && (
          <span className="explore-letter" aria-hidden="true">
            {letter}
          </span>
        )}
        <PromqlEditor
          value={text}
          label={lettered ? `PromQL expression ${letter}` : 'PromQL expression'}
          clusters={clusters}
          change={change}
          run={run}
        />
        {lettered && (
          <button type="button" className="button no-print" aria-label={`Remove ${letter}`} onClick={remove}>
            Remove
          </button>
        )}
      </div>
      {problem && (
        <p className="explore-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
