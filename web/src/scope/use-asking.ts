import { useMemo } from 'react'
import { everySecondsOf } from './every-seconds.ts'
import { serverScope } from './scope-search.ts'
import { isLive } from './time-range.ts'
import { useScope } from './use-scope.ts'

/** What the queries of a screen need: the window asked for, and whether to keep asking. */
export function useAsking(): { scope: Record<string, string>; live: boolean; everySeconds: number } {
  const scope = useScope()
  return useMemo(
    () => ({
      scope: serverScope(scope),
      live: isLive(scope.to) && scope.refresh !== 'off' && scope.saved === '',
      everySeconds: everySecondsOf(scope.refresh),
    }),
    [scope],
  )
}
