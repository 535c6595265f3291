import { useEffect, useState } from 'react'
import { MissingPart } from '../answers/missing-part.tsx'
import { stretch, zoneName } from '../format/stretch.ts'
import { PhraseField } from '../scope/phrase-field.tsx'
import { rangeTrouble } from '../scope/time-fits.ts'
import type { parsePhrase, Range } from '../scope/time-phrase.ts'
import { toInstantMs } from '../scope/time-range.ts'
import { useChangeSearch, useScope } from '../scope/use-scope.ts'

const EXAMPLES = ['last 3h', 'yesterday 14:00 to 15:00', 'around 03:12', 'since 09:30']

/** What is typed is understood while it is typed, so that nobody has to guess the grammar. */
export function PhraseForm({ apply }: { readonly apply: (range: Range) => void }) {
  const { from, to, tz } = useScope()
  const change = useChangeSearch()
  const [typed, setTyped] = useState('')
  const [parse, setParse] = useState<{ phrase: typeof parsePhrase } | null>(null)
  const [missing, setMissing] = useState(false)
  useEffect(() => {
    loadParser().then(
      (phrase) => setParse({ phrase }),
      () => setMissing(true),
    )
  }, [])
  const nowMs = Date.now()
  const range = parse?.phrase(typed, nowMs, tz) ?? null
  const trouble = range && rangeTrouble(range.from, range.to, nowMs)
  async function submit() {
    const phrase = await loadParser()
    const chosen = phrase(typed, nowMs, tz)
    if (chosen && rangeTrouble(chosen.from, chosen.to, nowMs) === null) apply(chosen)
  }
  return (
    <PhraseField
      label="Time range"
      typed={typed}
      type={setTyped}
      placeholder="last 3h"
      meaning={
        typed.trim() === '' ? (
          <span className="muted">Now: {drawn({ from, to }, nowMs, tz)}</span>
        ) : range === null ? (
          <span className="muted">Not understood yet. Like: {EXAMPLES.join(' · ')}</span>
        ) : trouble !== null ? (
          `That ${trouble}.`
        ) : (
          drawn(range, nowMs, tz)
        )
      }
      meaningId="range-meaning"
      action="Apply"
      disabled={missing || (parse !== null && (!range || trouble !== null))}
      submit={() => void submit()}
    >
      {missing && <MissingPart />}
      <fieldset className="menu-zone">
        <legend className="muted">Times are shown in</legend>
        {(['local', 'utc'] as const).map((zone) => (
          <button
            key={zone}
            type="button"
            className="button button-plain"
            aria-pressed={tz === zone}
            onClick={() => change({ tz: zone }, { replace: true })}
          >
            {zone === 'utc' ? 'UTC' : `local time (${zoneName(nowMs, 'local')})`}
          </button>
        ))}
      </fieldset>
    </PhraseField>
  )
}

function drawn({ from, to }: Range, nowMs: number, zone: 'utc' | 'local'): string {
  const text = stretch(toInstantMs(from, nowMs) ?? nowMs, toInstantMs(to, nowMs) ?? nowMs, zone)
  return to === 'now' ? `${text}, live` : text
}

/** The grammar is loaded when somebody is about to need it; the field is there before, so that no key is lost. */
async function loadParser(): Promise<typeof parsePhrase> {
  return (await import('../scope/time-phrase.ts')).parsePhrase
}
