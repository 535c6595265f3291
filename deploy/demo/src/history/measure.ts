import type { Family } from '../mesh/family.ts'
import type { Labels } from '../mesh/labels.ts'
import type { Pod } from '../mesh/pod.ts'

/** How fast one cell of one pod grows in calm traffic (counters and histograms), or where it stands (gauges). */
export interface CellPace {
  readonly family: Family
  readonly labels: Labels
  readonly key: string
  /** Per second, for each number of the cell. */
  readonly perSecond: Float64Array
  /** Where the cell stood in the end. */
  readonly last: Float64Array
}

/** By pod name, then by cell key. */
export type Pace = Map<string, Map<string, CellPace>>

export type Reading = Map<string, Map<string, Float64Array>>

export function readCells(pods: readonly Pod[]): Reading {
  return new Map(
    pods.map((pod) => [
      pod.facts.name,
      new Map([...pod.registry.cells()].map((cell) => [cell.key, Float64Array.from(cell.values)])),
    ]),
  )
}

/** Adds what pods gained since `before` to a pace. Several worlds of the same scenario add up to a longer look at it. */
export function addToPace(pace: Pace, pods: readonly Pod[], before: Reading, overallSeconds: number): void {
  for (const pod of pods) {
    const cells = pace.get(pod.facts.name) ?? new Map<string, CellPace>()
    pace.set(pod.facts.name, cells)
    for (const cell of pod.registry.cells()) {
      const earlier = before.get(pod.facts.name)?.get(cell.key)
      const known = cells.get(cell.key)
      const perSecond = known?.perSecond ?? new Float64Array(cell.values.length)
      for (let i = 0; i < perSecond.length; i++) {
        perSecond[i] = (perSecond[i] ?? 0) + ((cell.values[i] ?? 0) - (earlier?.[i] ?? 0)) / overallSeconds
      }
      const last = known?.last ?? Float64Array.from(cell.values)
      cells.set(cell.key, { family: cell.family, labels: cell.labels, key: cell.key, perSecond, last })
    }
  }
}
