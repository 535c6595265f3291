import { toInstantMs } from './time-range.ts'
import { useScope } from './use-scope.ts'

/** The window on screen, for other tools. */
export function useWindow(): { fromMs: number; toMs: number } {
  const { from, to } = useScope()
  const nowMs = Date.now()
  return { fromMs: toInstantMs(from, nowMs) ?? nowMs, toMs: toInstantMs(to, nowMs) ?? nowMs }
}
