import { useLocation } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'

/**
 * For a part of a page that links name by `#id`: whether this address does, and the way there. The address is read
 * before the data has come, so the browser's own jump would find nothing.
 */
export function useHashTarget<T extends HTMLElement>(
  id: string,
): readonly [ref: RefObject<T | null>, isMeant: boolean] {
  const ref = useRef<T>(null)
  const isMeant = useLocation().hash === id
  useEffect(() => {
    if (!isMeant) return
    ref.current?.scrollIntoView?.({ block: 'nearest' })
    ref.current?.focus({ preventScroll: true })
  }, [isMeant])
  return [ref, isMeant]
}
