import { type RefObject, useLayoutEffect, useState } from 'react'

/** Of a row of the table; the style sheet holds them to it. */
const ROW_PX = 36
/** Below it each row is a card (fleet-cards.css), as high as its words make it. */
const CARDS = '(max-width: 820px)'

/** How far the rows are apart: by the style sheet as a table, as cards what the drawn ones are on average. */
export function useRowPx(body: RefObject<HTMLElement | null>): number {
  const [rowPx, setRowPx] = useState(ROW_PX)
  useLayoutEffect(() => {
    const measure = () => {
      const cards = window.matchMedia?.(CARDS).matches === true
      setRowPx((cards ? apart(body.current) : null) ?? ROW_PX)
    }
    measure()
    // The first cards are drawn a frame later.
    const frame = requestAnimationFrame(measure)
    window.addEventListener('resize', measure)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('resize', measure)
    }
  }, [body])
  return rowPx
}

/** The median distance of the rows that are drawn, pixels; null for fewer than two. */
function apart(body: HTMLElement | null): number | null {
  const tops = [...(body?.querySelectorAll('tr[data-row]') ?? [])].map((row) => row.getBoundingClientRect().top)
  const steps = tops.slice(1).map((top, index) => top - (tops[index] ?? 0))
  const median = steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0
  return median > 0 ? median : null
}
