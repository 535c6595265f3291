import type { Asked } from './ask-now.ts'
import { withSlow } from './bucket-lane.ts'

/** What both lanes answered for the same instant, or the fast one alone. An error only where the fast one is. */
export function nowOf(fast: Asked, slow: Asked | null): Asked {
  if ('error' in fast || slow === null) return fast
  if ('error' in slow) {
    return { ...fast, failures: [...fast.failures, { question: 'percentiles', error: slow.error }] }
  }
  return {
    ...(fast.callsAgeSeconds === undefined ? {} : { callsAgeSeconds: fast.callsAgeSeconds }),
    observation: withSlow(fast.observation, slow.observation, 0),
    failures: [...fast.failures, ...slow.failures],
    warnings: [...new Set([...fast.warnings, ...slow.warnings])],
    seriesRead: fast.seriesRead + slow.seriesRead,
  }
}

/** What both brought; of the rare ones nobody counts the series. */
export function withRare(slow: Asked, rare: Asked | null): Asked {
  if ('error' in slow || rare === null) return slow
  return { ...nowOf(slow, rare), seriesRead: slow.seriesRead }
}
