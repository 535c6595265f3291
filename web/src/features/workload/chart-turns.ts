import { startTransition, useEffect, useState } from 'react'
import type * as Charts from './workload-charts.tsx'

/**
 * Recharts weighs more than everything else here together: the sentence and the tree must not wait for it. It is on
 * its way as soon as this page is, which is when somebody points at a link to it.
 */
const coming = import('./workload-charts.tsx')
coming.catch(() => undefined)
let arrived: typeof Charts | null = null

/**
 * The charts, null until they are loaded, and how many of `count` may be drawn by now: one more after each paint, so
 * that a slow processor is free in between. Not by Suspense: that keeps what has arrived back for up to 300 ms.
 */
export function useChartTurns(count: number): { readonly charts: typeof Charts | null; readonly turns: number } {
  const [charts, setCharts] = useState(() => arrived)
  const [turns, setTurns] = useState(0)
  useEffect(() => {
    let gone = false
    coming.then(
      (loaded) => {
        arrived = loaded
        if (!gone) setCharts(() => loaded)
      },
      (error: unknown) =>
        setCharts(() => {
          throw error
        }),
    )
    return () => {
      gone = true
    }
  }, [])
  const isNext = charts !== null && turns < count
  useEffect(() => {
    if (!isNext) return
    // Effects come after the paint: no timer and no frame, which a hidden page or a clock that stands would not give.
    startTransition(() => setTurns(turns + 1))
  }, [isNext, turns])
  return { charts, turns }
}
