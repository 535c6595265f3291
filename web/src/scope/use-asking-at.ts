import { TimeText } from '@goldseam/server/contract'
import { useMemo } from 'react'
import { z } from 'zod'
import { field } from './fields.ts'
import { isoInstant, toInstantMs } from './time-range.ts'
import { useAsking } from './use-asking.ts'
import { useFields, useScope } from './use-scope.ts'

/** A moment of the window that a map looks at; unset: its end. */
export const momentFields = { at: field(TimeText.or(z.literal('')), '') }

/** What the map asks for: a window of the same width that ends at the chosen moment, which then no longer moves. */
export function useAskingAt() {
  const asking = useAsking()
  const { from, to } = useScope()
  const { at } = useFields(momentFields)
  return useMemo(() => {
    const nowMs = nowOf(`${from} ${to} ${at}`)
    const [start, end, moment] = [from, to, at].map((text) => toInstantMs(text, nowMs))
    if (at === '' || start == null || end == null || moment == null || asking.scope.saved !== undefined)
      return { ...asking, isAtMoment: false }
    const scope = { ...asking.scope, from: isoInstant(moment - (end - start)), to: isoInstant(moment) }
    return { ...asking, scope, live: false, isAtMoment: true }
  }, [asking, from, to, at])
}

/** All parts of a page ask for the same moment: "now" is when it was first looked at. */
let looked = { at: '', nowMs: 0 }

function nowOf(at: string): number {
  if (looked.at !== at) looked = { at, nowMs: Date.now() }
  return looked.nowMs
}
