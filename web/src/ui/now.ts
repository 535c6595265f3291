import { useSyncExternalStore } from 'react'

const TICK_MS = 1_000
let nowMs = Date.now()

function subscribe(onTick: () => void): () => void {
  nowMs = Date.now()
  const timer = setInterval(() => {
    nowMs = Date.now()
    onTick()
  }, TICK_MS)
  return () => clearInterval(timer)
}

/** The browser's clock, once a second, for ages that grow while one looks. */
export function useNowMs(): number {
  return useSyncExternalStore(
    subscribe,
    () => nowMs,
    () => nowMs,
  )
}
