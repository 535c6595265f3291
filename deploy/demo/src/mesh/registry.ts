import { cellWidth, cumulate, type Family, type SeriesName, seriesNames } from './family.ts'
import { type Labels, renderLabels } from './labels.ts'

/** One label set of one family. Proxies keep the cell and write to it directly: labels are rendered once, not per request. */
export interface Cell {
  readonly family: Family
  readonly labels: Labels
  readonly key: string
  readonly values: Float64Array
  readonly series: readonly SeriesName[]
  readonly linePrefixes: readonly string[]
  touchedAtMs: number
  listed: boolean
}

export interface Registry {
  cell(family: Family, labels: Labels): Cell
  add(cell: Cell, amount: number): void
  set(cell: Cell, value: number): void
  observe(cell: Cell, value: number): void
  /** Run before every page: gauges and byte counters are read from sockets then. */
  beforePage(collect: () => void): void
  cells(): Iterable<Cell>
  /** Replaces the numbers of a cell by those of its key in another registry's past. */
  seed(valuesByKey: ReadonlyMap<string, Float64Array>): void
  page(): string
}

/** `LINKERD2_PROXY_METRICS_RETAIN_IDLE`: idle legacy series leave the page, prometheus-client families stay. */
const RETAIN_IDLE_MS = 600_000

export function createRegistry(nowMs: () => number = Date.now): Registry {
  const families = new Map<Family, Map<string, Cell>>()
  const collectors: (() => void)[] = []

  function cellsOf(family: Family): Map<string, Cell> {
    let cells = families.get(family)
    if (!cells) {
      cells = new Map()
      families.set(family, cells)
    }
    return cells
  }

  function touch(cell: Cell): void {
    cell.touchedAtMs = nowMs()
    if (!cell.listed) {
      cell.listed = true
      cellsOf(cell.family).set(cell.key, cell)
    }
  }

  function dropIdle(): void {
    const oldest = nowMs() - RETAIN_IDLE_MS
    for (const [family, cells] of families) {
      if (family.encoder !== 'legacy') continue
      for (const cell of cells.values()) {
        const isHeld = family.kind === 'gauge' && cell.values[0] !== 0
        if (isHeld || cell.touchedAtMs >= oldest) continue
        cells.delete(cell.key)
        cell.listed = false
        cell.values.fill(0)
      }
    }
  }

  return {
    cell(family, labels) {
      const key = `${family.name}{${renderLabels(labels)}}`
      const known = cellsOf(family).get(key)
      if (known) return known
      const series = seriesNames(family, labels)
      const cell: Cell = {
        family,
        labels,
        key,
        values: new Float64Array(cellWidth(family)),
        series,
        linePrefixes: series.map(({ name, labels }) =>
          labels.length ? `${name}{${renderLabels(labels)}} ` : `${name} `,
        ),
        touchedAtMs: nowMs(),
        listed: true,
      }
      cellsOf(family).set(key, cell)
      return cell
    },
    add(cell, amount) {
      touch(cell)
      cell.values[0] = (cell.values[0] ?? 0) + amount
    },
    set(cell, value) {
      touch(cell)
      cell.values[0] = value
    },
    observe(cell, value) {
      touch(cell)
      const bounds = cell.family.bounds ?? []
      let bucket = 0
      while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket++
      cell.values[bucket] = (cell.values[bucket] ?? 0) + 1
      const sumAt = bounds.length + 1
      cell.values[sumAt] = (cell.values[sumAt] ?? 0) + value
    },
    beforePage(collect) {
      collectors.push(collect)
    },
    *cells() {
      for (const collect of collectors) collect()
      for (const cells of families.values()) yield* cells.values()
    },
    seed(valuesByKey) {
      for (const cells of families.values()) {
        for (const cell of cells.values()) {
          const values = valuesByKey.get(cell.key)
          if (values) cell.values.set(values)
          touch(cell)
        }
      }
    },
    page() {
      for (const collect of collectors) collect()
      dropIdle()
      const ordered = [...families.keys()].sort(
        (a, b) => Number(a.encoder === 'client') - Number(b.encoder === 'client'),
      )
      const parts = ordered.map((family) => renderFamily(family, [...cellsOf(family).values()]))
      // Two encoders write a Linkerd proxy's page, and the second one ends it.
      return ordered.some(({ encoder }) => encoder !== 'plain') ? `${parts.join('')}# EOF\n` : parts.join('')
    },
  }
}

function renderFamily(family: Family, cells: readonly Cell[]): string {
  if (cells.length === 0) return ''
  let text = `${family.help ? `# HELP ${family.name} ${family.help}\n` : ''}# TYPE ${family.name} ${family.kind}\n`
  if (family.unit) text += `# UNIT ${family.name} ${family.unit}\n`
  for (const cell of cells) {
    const values = cumulate(family, cell.values)
    for (let i = 0; i < values.length; i++) text += `${cell.linePrefixes[i]}${values[i]}\n`
  }
  return text
}
