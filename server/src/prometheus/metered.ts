import type { PrometheusApi } from './api.ts'
import { around } from './around.ts'

export interface Metered {
  readonly api: PrometheusApi
  /** Seconds that queries over this port took so far: as their answers tell, else as long as they were waited for. */
  readonly querySeconds: () => number
}

/** Tells what goes over this port from what else its endpoints are asked. */
export function metered(api: PrometheusApi): Metered {
  let spentSeconds = 0
  const counted = around(api, async (call, signal) => {
    const started = performance.now()
    let evalSeconds: number | undefined
    try {
      const answer = await call(signal)
      evalSeconds = (answer as { evalSeconds?: number }).evalSeconds
      return answer
    } finally {
      spentSeconds += evalSeconds ?? (performance.now() - started) / 1_000
    }
  })
  return { api: counted, querySeconds: () => spentSeconds }
}
