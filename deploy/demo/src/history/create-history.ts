import type { Exporter } from '../mesh/exporter.ts'
import type { Pace } from './measure.ts'
import { createTimeline } from './timeline.ts'
import { writeHistory } from './write-history.ts'

export const HISTORY_MINUTES = 75

/** Sets the noise from step to step: that of independent requests at about this rate. */
const TYPICAL_REQUESTS_PER_SECOND = 20

export interface HistoryTarget {
  readonly prometheusUrl: string
  readonly exporters: readonly Exporter[]
}

/** Writes the calm past of all clusters, on one common clock. Returns how many series it has. */
export async function createHistory(options: {
  targets: readonly HistoryTarget[]
  prometheusVersion: string
  pace: Pace
  signal: AbortSignal
  /** Where the past ends: now, unless the present is to be written too. */
  endMs?: number
}): Promise<number> {
  const { prometheusVersion, pace, signal } = options
  const timeline = createTimeline({
    endMs: options.endMs ?? Date.now(),
    historySeconds: HISTORY_MINUTES * 60,
    stepSeconds: 15,
    denseSeconds: 120,
    denseStepSeconds: 2,
    earlierSeconds: 4 * 3600,
    requestsPerSecond: TYPICAL_REQUESTS_PER_SECOND,
  })
  const counts = await Promise.all(
    options.targets.map((target) => writeHistory({ ...target, prometheusVersion, pace, timeline, signal })),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}
