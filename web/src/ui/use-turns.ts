import { useLocation } from '@tanstack/react-router'
import { startTransition, useEffect, useState } from 'react'
import { RecentSet } from './recent-set.ts'

/** Entries of the browser's history whose page was drawn to its end; nobody goes back further than a browser does. */
const drawn = new RecentSet(50)

/**
 * How many of `count` parts of a page may be drawn by now: one more in each task, so that a slow processor is free for
 * its user in between. All of them at once where somebody comes back to: the place they had scrolled to must be there.
 */
export function useTurns(count: number): number {
  const entry = useLocation({ select: ({ state }) => state.__TSR_key ?? '' })
  const [turns, setTurns] = useState(() => (drawn.has(entry) ? count : 0))
  const isNext = turns < count
  useEffect(() => {
    // A transition has a task of its own, and no timer or frame, which a hidden page or a clock that stands lacks.
    if (isNext) startTransition(() => setTurns(turns + 1))
    else drawn.add(entry)
  }, [isNext, turns, entry])
  return turns
}
