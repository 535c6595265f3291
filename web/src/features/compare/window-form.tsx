import { useState } from 'react'
import { stretch } from '../../format/stretch.ts'
import { PhraseField } from '../../scope/phrase-field.tsx'
import { parsePhrase } from '../../scope/time-phrase.ts'
import { toInstantMs } from '../../scope/time-range.ts'
import { useScope } from '../../scope/use-scope.ts'
import { windowText } from './compare-search.ts'

/** What the server compares, seconds. */
const SHORTEST_SECONDS = 60
const LONGEST_SECONDS = 6 * 3_600

interface WindowFormProps {
  readonly side: string
  readonly choose: (window: string) => void
}

/** Any stretch of time for one side, in words. */
export function WindowForm({ side, choose }: WindowFormProps) {
  const { tz } = useScope()
  const [typed, setTyped] = useState('')
  const nowMs = Date.now()
  const range = parsePhrase(typed, nowMs, tz)
  const [fromMs, toMs] = [toInstantMs(range?.from ?? '', nowMs), toInstantMs(range?.to ?? '', nowMs)]
  const seconds = fromMs === null || toMs === null ? Number.NaN : (toMs - fromMs) / 1000
  const fits = seconds >= SHORTEST_SECONDS && seconds <= LONGEST_SECONDS
  return (
    <PhraseField
      label={`Window of ${side}`}
      typed={typed}
      type={setTyped}
      placeholder="yesterday 14:00 to 15:00"
      meaning={
        fits ? (
          stretch(fromMs ?? nowMs, toMs ?? nowMs, tz)
        ) : (
          <span className="muted">1 minute to 6 hours, such as 03:10-03:40 or last 2h</span>
        )
      }
      meaningId={`compare-window-${side}`}
      action="Use"
      disabled={!fits}
      submit={() => range !== null && fits && choose(windowText(range))}
    />
  )
}

/** As a person reads it: "2026-11-20T14:00Z~2026-11-20T15:00Z" is none. */
export function windowName(window: string): string {
  const [from = '', to = ''] = window.split('~')
  return `${from.replace('T', ' ')} to ${to.replace('T', ' ')}`
}
