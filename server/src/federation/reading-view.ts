import type { ClusterView } from '../domain/assess.ts'
import type { Observation } from '../domain/observation.ts'

export interface LastGood {
  readonly atSeconds: number
  readonly windowSeconds: number
  readonly observation: Observation
  readonly seriesRead: number
}

/** A cluster that does not answer: by its last good values until they expire, else as missing. */
export function lastGoodView(of: {
  name: string
  good: LastGood | null
  /** Since when it fails; unix seconds. */
  since: number | null
  goodForSeconds: number
  nowSeconds: number
  history: Observation | null
}): ClusterView {
  const { name, good, since, goodForSeconds, nowSeconds, history } = of
  const ageSeconds = good === null ? 0 : Math.max(0, nowSeconds - good.atSeconds)
  if (good !== null && ageSeconds <= goodForSeconds) {
    return { name, state: 'stale', ageSeconds, now: good.observation, history, compare: null }
  }
  const silentFor = Math.max(0, nowSeconds - (good?.atSeconds ?? since ?? nowSeconds))
  return { name, state: 'missing', ageSeconds: silentFor, now: null, history, compare: null }
}
