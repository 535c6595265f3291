import type { WallFrame } from '@goldseam/server/contract'
import { useEffect, useRef, useState } from 'react'
import type { Layout } from './layout.ts'
import { alarmed, FIRST_TURN, type Turn, touched, turned } from './turning.ts'

/** Turns pages: by the clock, to where new trouble is, and not while somebody is near. */
export function useTurning(frame: WallFrame | null, layout: Layout, dwellMs: number, nowMs: number): Turn {
  const [turn, setTurn] = useState(FIRST_TURN)
  const known = useRef<ReadonlySet<string> | null>(null)
  useEffect(() => {
    setTurn((before) => turned(before, layout.pages.length, dwellMs, nowMs))
  }, [layout, dwellMs, nowMs])
  useEffect(() => {
    if (frame === null) return
    const critical = criticalIn(frame)
    const fresh = [...critical].find((id) => known.current?.has(id) === false)
    known.current = critical
    const page = layout.pages.findIndex(({ bands }) => bands.some(({ cluster }) => fresh?.startsWith(`${cluster}/`)))
    if (page >= 0) setTurn((before) => alarmed(before, page, performance.now()))
  }, [frame, layout])
  useTouch(() => setTurn((before) => touched(before, performance.now())))
  return turn
}

function criticalIn({ clusters }: WallFrame): Set<string> {
  return new Set(
    clusters.flatMap(({ name, names, marks }) =>
      names.flatMap((cell, index) =>
        marks[index] === 'crit' || marks[index] === 'critOpen' ? [`${name}/${cell}`] : [],
      ),
    ),
  )
}

const HIDE_CURSOR_MS = 3_000

/** Keys and mouse; the cursor goes away when they rest. */
function useTouch(tell: () => void): void {
  const telling = useRef(tell)
  telling.current = tell
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const hide = () => document.documentElement.classList.add('no-cursor')
    const touch = () => {
      document.documentElement.classList.remove('no-cursor')
      clearTimeout(timer)
      timer = setTimeout(hide, HIDE_CURSOR_MS)
      telling.current()
    }
    hide()
    const names = ['keydown', 'pointermove', 'pointerdown', 'wheel'] as const
    for (const name of names) addEventListener(name, touch, { passive: true })
    return () => {
      clearTimeout(timer)
      for (const name of names) removeEventListener(name, touch)
    }
  }, [])
}
