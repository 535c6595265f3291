import { useState } from 'react'
import type { FailoverAsked } from '../../api/failover.ts'
import { DAYS } from './failover-search.ts'

interface FailoverFormProps {
  readonly names: readonly string[]
  readonly asked: FailoverAsked
  readonly change: (change: Record<string, string | undefined>) => void
}

/** The question; it stands in the link as it is asked. */
export function FailoverForm({ names, asked: { gone, split, days }, change }: FailoverFormProps) {
  const [typed, setTyped] = useState(split)
  const [seen, setSeen] = useState(split)
  if (seen !== split) {
    setSeen(split)
    setTyped(split)
  }
  const shown = gone === '' || names.includes(gone) ? names : [...names, gone]
  const others = names.filter((name) => name !== gone)
  return (
    <form
      className="failover-form no-print"
      onSubmit={(event) => {
        event.preventDefault()
        change({ split: typed.trim() || undefined })
      }}
    >
      <label>
        <span className="muted">if</span>{' '}
        <select
          className="field"
          aria-label="Cluster that goes"
          value={gone}
          onChange={({ target }) => change({ gone: target.value || undefined, split: undefined })}
        >
          <option value="">which cluster?</option>
          {shown.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>{' '}
        <span className="muted">goes, its requests go</span>
      </label>
      <input
        className="field"
        aria-label="Where its requests go"
        placeholder={
          others.length > 1
            ? `as now, or ${others
                .slice(0, 2)
                .map((name) => `${name}:50`)
                .join(',')}`
            : 'as routed now'
        }
        size={26}
        value={typed}
        spellCheck={false}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={() => typed.trim() !== split && change({ split: typed.trim() || undefined })}
      />
      <label>
        <span className="muted">held against the last</span>{' '}
        <select
          className="field"
          aria-label="Days looked back"
          value={days}
          onChange={({ target }) => change({ days: target.value })}
        >
          {[...new Set([...DAYS, days])].map((count) => (
            <option key={count} value={count}>
              {count === 1 ? 'day' : `${count} days`}
            </option>
          ))}
        </select>
      </label>
    </form>
  )
}
