import { useState } from 'react'
import { PhraseField } from '../scope/phrase-field.tsx'
import { compareFits } from '../scope/time-fits.ts'
import { parsePhrase } from '../scope/time-phrase.ts'
import { isoMinute, toInstantMs } from '../scope/time-range.ts'
import { useScope } from '../scope/use-scope.ts'
import { compareName } from './compare-name.ts'

export function CompareForm({ choose }: { readonly choose: (cmp: string) => void }) {
  const { tz } = useScope()
  const [typed, setTyped] = useState('')
  const cmp = typed.trim() === '' ? null : compareOf(typed, Date.now(), tz)
  return (
    <PhraseField
      label="Another stretch"
      typed={typed}
      type={setTyped}
      placeholder="yesterday 14:00 to 15:00"
      meaning={
        cmp !== null ? compareName(cmp, tz) : <span className="muted">1 minute to 6 hours, over by now; or 1d, 2w</span>
      }
      meaningId="compare-meaning"
      action="Compare"
      disabled={cmp === null}
      submit={() => cmp !== null && choose(cmp)}
    />
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
  // What goes on until now is over by the last whole minute.
  const cmp = `${isoMinute(fromMs)}/${Math.floor((toMs - fromMs) / 60_000)}m`
  return compareFits(cmp, nowMs) ? cmp : null
}
