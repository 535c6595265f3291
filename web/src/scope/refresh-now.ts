import { useEffect, useRef } from 'react'

const listeners = new Set<() => void>()

/** Somebody asked for what is newest. */
export function askForNewest(): void {
  for (const listener of listeners) listener()
}

/** For what a page asks beside the answer that the frame watches: that one is asked anew by the frame. */
export function useAskedForNewest(act: () => void): void {
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => {
    const listener = () => latest.current()
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }, [])
}
