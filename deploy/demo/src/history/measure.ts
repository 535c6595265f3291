import type { Exporter } from '../mesh/exporter.ts'
import type { Family } from '../mesh/family.ts'
import type { Labels } from '../mesh/labels.ts'

/** How fast one cell of one page grows in calm traffic (counters and histograms), or where it stands (gauges). */
export interface CellPace {
  readonly family: Family
  readonly labels: Labels
  readonly key: string
  /** Per second, for each number of the cell. */
  readonly perSecond: Float64Array
  /** Where the cell stood in the end. */
  readonly last: Float64Array
}

/** By the page's name, then by cell key. */
export type Pace = Map<string, Map<string, CellPace>>

export type Reading = Map<string, Map<string, Float64Array>>

export function readCells(exporters: readonly Exporter[]): Reading {
  return new Map(
    exporters.map(({ name, registry }) => [
      name,
      new Map([...registry.cells()].map((cell) => [cell.key, Float64Array.from(cell.values)])),
    ]),
  )
}

/** At what pace pages grew since `before`. */
export function paceOf(exporters: readonly Exporter[], before: Reading, seconds: number): Pace {
  const pace: Pace = new Map()
  for (const { name, registry } of exporters) {
    const cells = new Map<string, CellPace>()
    pace.set(name, cells)
    for (const { family, labels, key, values } of registry.cells()) {
      const earlier = before.get(name)?.get(key)
      const perSecond = values.map((value, i) => (value - (earlier?.[i] ?? 0)) / seconds)
      cells.set(key, { family, labels, key, perSecond, last: Float64Array.from(values) })
    }
  }
  return pace
}
