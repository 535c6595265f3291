import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** The width an element has been given, in whole pixels; known before it is first seen, so that nothing jumps then. */
export function useWidth<T extends HTMLElement>(): [RefObject<T | null>, number] {
  const ref = useRef<T>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (ref.current) setWidth(widthInside(ref.current))
  }, [])
  useEffect(() => {
    const element = ref.current
    if (!element || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.floor(entry.contentRect.width))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width]
}

function widthInside(element: HTMLElement): number {
  const { paddingLeft, paddingRight } = getComputedStyle(element)
  return Math.max(
    0,
    element.clientWidth - (Number.parseFloat(paddingLeft) || 0) - (Number.parseFloat(paddingRight) || 0),
  )
}
