import { useEffect } from 'react'

let shownMs: number | null = null

/**
 * Tells which moment is on screen where a page does not follow the snapshots, milliseconds since 1970: what is shared of
 * it is of that moment, however much later. Null: nothing is shown yet.
 */
export function useShownMoment(atMs: number | null): void {
  useEffect(() => {
    shownMs = atMs
    return () => {
      shownMs = null
    }
  }, [atMs])
}

/** Null where a page follows the snapshots. */
export function shownMomentMs(): number | null {
  return shownMs
}
