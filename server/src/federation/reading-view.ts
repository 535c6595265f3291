import type { ClusterView } from '../domain/assess.ts'
import type { Observation } from '../domain/observation.ts'
import type { Inventory } from '../domain/stitch/inventory.ts'

/** What is found out beside the readings. */
export interface KnownFacts {
  /** Null: not known. */
  readonly scrapeIntervalSeconds: number | null
  readonly inventory: Inventory | null
  /** Whether kube-state-metrics is scraped there. Null: not known. */
  readonly kubeState: boolean | null
  /** By name. */
  readonly dialects: readonly string[]
}

export interface LastGood extends KnownFacts {
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
}): ClusterView {
  const { name, good, since, goodForSeconds, nowSeconds } = of
  const ageSeconds = good === null ? 0 : Math.max(0, nowSeconds - good.atSeconds)
  if (good !== null && ageSeconds <= goodForSeconds) {
    return { name, state: 'stale', ageSeconds, now: good.observation, history: null, compare: null }
  }
  const silentFor = Math.max(0, nowSeconds - (good?.atSeconds ?? since ?? nowSeconds))
  return { name, state: 'missing', ageSeconds: silentFor, now: null, history: null, compare: null }
}
