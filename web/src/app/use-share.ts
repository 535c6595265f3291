import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { frozenLink, liveLink, type Place } from '../scope/links.ts'
import { shownMomentMs } from '../scope/shown-moment.ts'
import { isLive } from '../scope/time-range.ts'
import { useScope, useSearchText } from '../scope/use-scope.ts'
import { copyAndSay } from '../ui/toast.tsx'
import type { Head } from './use-head.ts'
import { verdictText } from './verdict-text.ts'

export interface Share {
  readonly place: Place
  /** The instant that is on screen, milliseconds since 1970. */
  readonly atMs: () => number
  readonly copyLive: () => void
  readonly copyFrozen: () => void
  readonly copyText: () => void
  /** The finding in plain lines, with a link that keeps showing it. */
  readonly text: () => string
}

/** What can be handed to somebody else: links to this page, and the finding in plain lines. */
export function useShare({ view: shown, isBefore, isAtMoment }: Pick<Head, 'view' | 'isBefore' | 'isAtMoment'>): Share {
  // What is of another window than the address says goes into no link and no text.
  const view = isBefore ? undefined : shown
  const { pathname } = useLocation()
  const search = useSearchText()
  const { from, to } = useScope()
  const place: Place = { pathname, search, from, to }
  // Until a page has its own answer, the moment is that of the page one came from.
  const shownMs = useRef<number | null>(null)
  // A moment within the window is in the address; the window still ends now.
  const at = view && isLive(to) && !isAtMoment ? Date.parse(view.head.snapshot.at) : null
  useEffect(() => {
    if (at !== null) shownMs.current = at
  }, [at])
  const atMs = () => (isLive(to) ? shownMomentMs() : null) ?? at ?? (isLive(to) ? shownMs.current : null) ?? Date.now()
  const frozenAddress = () => `${window.location.origin}${frozenLink(place, atMs())}`
  const text = () => (view ? verdictText(view, frozenAddress()) : frozenAddress())
  return {
    place,
    atMs,
    copyLive: () => void copyAndSay(`${window.location.origin}${liveLink(place, Date.now())}`, 'Copied a live link'),
    copyFrozen: () => void copyAndSay(frozenAddress(), 'Copied a frozen link: it shows this moment for good'),
    copyText: () => void copyAndSay(text(), 'Copied the finding as text'),
    text,
  }
}
