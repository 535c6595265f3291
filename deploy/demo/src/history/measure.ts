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

/** At what pace pods grew since `before`. */
export function paceOf(pods: readonly Pod[], before: Reading, seconds: number): Pace {
  const pace: Pace = new Map()
  for (const pod of pods) {
    const cells = new Map<string, CellPace>()
    pace.set(pod.facts.name, cells)
    for (const { family, labels, key, values } of pod.registry.cells()) {
      const earlier = before.get(pod.facts.name)?.get(key)
      const perSecond = values.map((value, i) => (value - (earlier?.[i] ?? 0)) / seconds)
      cells.set(key, { family, labels, key, perSecond, last: Float64Array.from(values) })
    }
  }
  return pace
}
