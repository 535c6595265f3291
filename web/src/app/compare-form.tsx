import { type FormEvent, useState } from 'react'
import { compareFits } from '../scope/time-fits.ts'
import { parsePhrase } from '../scope/time-phrase.ts'
import { isoMinute, toInstantMs } from '../scope/time-range.ts'
import { useScope } from '../scope/use-scope.ts'
import { compareName } from './compare-name.ts'

export function CompareForm({ choose }: { readonly choose: (cmp: string) => void }) {
  const { tz } = useScope()
  const [typed, setTyped] = useState('')
  const cmp = typed.trim() === '' ? null : compareOf(typed, Date.now(), tz)
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (cmp !== null) choose(cmp)
  }
  return (
    <form className="menu-form" onSubmit={submit}>
      <label>
        Another stretch
        <input
          className="field"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          placeholder="yesterday 14:00 to 15:00"
          aria-describedby="compare-meaning"
          maxLength={100}
          size={26}
          spellCheck={false}
          autoComplete="off"
        />
      </label>
      <p id="compare-meaning" className="menu-meaning" aria-live="polite">
        {cmp !== null ? (
          compareName(cmp, tz)
        ) : (
          <span className="muted">1 minute to 6 hours, over by now; or 1d, 2w</span>
        )}
      </p>
      <button type="submit" className="button" disabled={cmp === null}>
        Compare
      </button>
    </form>
  )
}

/** As links and the server write it; null for what is no stretch that can be compared with. */
function compareOf(typed: string, nowMs: number, zone: 'utc' | 'local'): string | null {
  const short = typed.trim()
  if (/^\d+[hdw]$/.test(short)) return compareFits(short, nowMs) ? short : null
  const range = parsePhrase(typed, nowMs, zone)
  const fromMs = range && toInstantMs(range.from, nowMs)
  const toMs = range && toInstantMs(range.to, nowMs)
  if (fromMs === null || toMs === null) return null
  const cmp = `${isoMinute(fromMs)}/${Math.round((toMs - fromMs) / 60_000)}m`
  return compareFits(cmp, nowMs) ? cmp : null
}
