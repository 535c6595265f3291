import { misfits } from './fields.ts'
import { useChangeSearch, useSearchText } from './use-scope.ts'

const LONGEST_SHOWN = 80

/** A link with a value that does not fit still opens: said once, with the default in its place. */
export function MisfitNote({ fields }: { readonly fields: Parameters<typeof misfits>[0] }) {
  const wrong = misfits(fields, useSearchText())
  const change = useChangeSearch()
  if (wrong.length === 0) return null
  return (
    <div className="note misfit" role="status">
      {wrong.map(({ key, raw, shown }) => (
        <span key={key}>
          <code>
            {key}={raw.length > LONGEST_SHOWN ? `${raw.slice(0, LONGEST_SHOWN)}...` : raw}
          </code>{' '}
          does not fit here. Showing {shown}.
        </span>
      ))}
      <button
        type="button"
        className="button"
        onClick={() => change(Object.fromEntries(wrong.map(({ key }) => [key, undefined])), { replace: true })}
      >
        Fix link
      </button>
    </div>
  )
}
