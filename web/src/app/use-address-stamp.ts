import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { asOfText, isLive } from '../scope/time-range.ts'
import { useScope } from '../scope/use-scope.ts'

declare module '@tanstack/history' {
  interface HistoryState {
    /** The stamp that this page itself wrote into the address of the entry. */
    stamped?: string
  }
}

/**
 * The address bar is what people copy, so a live address says when it was current. Written beside the router, which
 * need not redraw for it, and once a minute at most: browsers slow pages down that write more often.
 */
export function useAddressStamp(updatedAt: number): void {
  const { pathname } = useLocation()
  const { to } = useScope()
  const live = isLive(to)
  useEffect(() => {
    const shown = new URL(window.location.href)
    if (!live || updatedAt === 0 || shown.pathname !== pathname) return
    const stamp = asOfText(updatedAt)
    if (shown.searchParams.get('asof') === stamp) return
    const rest = shown.search.replace(/([?&])asof=[^&]*(&|$)/, (_, before, after) => (after ? before : ''))
    const search = `${rest}${rest === '' ? '?' : rest === '?' ? '' : '&'}asof=${stamp}`
    // The prototype's own: the router wraps the one of `window.history` and would take this for a navigation.
    History.prototype.replaceState.call(
      window.history,
      // Who comes back to this entry did not open a link that somebody copied.
      { ...window.history.state, stamped: stamp },
      '',
      `${shown.pathname}${search}${shown.hash}`,
    )
  })
}
