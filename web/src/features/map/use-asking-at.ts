import { useMemo } from 'react'
import { isoInstant, toInstantMs } from '../../scope/time-range.ts'
import { useAsking } from '../../scope/use-asking.ts'
import { useFields, useScope } from '../../scope/use-scope.ts'
import { mapFields } from './map-search.ts'

/** What the map asks for: a window of the same width that ends at the chosen moment, which then no longer moves. */
export function useAskingAt() {
  const asking = useAsking()
  const { from, to } = useScope()
  const { at } = useFields(mapFields)
  return useMemo(() => {
    const nowMs = Date.now()
    const [start, end, moment] = [from, to, at].map((text) => toInstantMs(text, nowMs))
    if (at === '' || start == null || end == null || moment == null || asking.scope.saved !== undefined) return asking
    const scope = { ...asking.scope, from: isoInstant(moment - (end - start)), to: isoInstant(moment) }
    return { scope, live: false }
  }, [asking, from, to, at])
}
