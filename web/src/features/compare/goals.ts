import type { CompareRow } from '@goldseam/server/contract'

export const MEASURES = ['p50', 'p95', 'p99', 'p999', 'mean', 'sr', 'rps'] as const
export type Measure = (typeof MEASURES)[number]

/** A limit that is met below it (latency, seconds) or above it (success as a ratio, requests per second). */
export interface Goal {
  readonly measure: Measure
  readonly limit: number
  readonly text: string
}

/** `p99:500ms,sr:99.9,rps:800`; what cannot be read is handed back. */
export function readGoals(text: string): { readonly goals: readonly Goal[]; readonly wrong: readonly string[] } {
  const goals: Goal[] = []
  const wrong: string[] = []
  for (const part of text.split(',').filter((one) => one.trim() !== '')) {
    const [, name = '', number = '', unit = ''] = /^\s*(\w+)\s*:\s*(\d+(?:\.\d+)?)\s*(ms|s|%)?\s*$/.exec(part) ?? []
    const measure = MEASURES.find((one) => one === name)
    const limit = measure === undefined ? null : limitOf(measure, Number(number), unit)
    if (measure === undefined || limit === null) wrong.push(part.trim())
    else goals.push({ measure, limit, text: part.trim() })
  }
  return { goals, wrong }
}

function limitOf(measure: Measure, value: number, unit: string): number | null {
  if (measure === 'rps') return unit === '' ? value : null
  if (measure === 'sr')
    return (unit === '' || unit === '%') && value <= 100 ? Number((value / 100).toPrecision(12)) : null
  return unit === 's' ? value : unit === 'ms' || unit === '' ? value / 1000 : null
}

/** True: met; null: there is nothing to judge. */
export function isMet({ measure, limit }: Goal, cell: CompareRow['a']): boolean | null {
  const value = valueFor(measure, cell)
  if (value === null) return null
  return measure === 'rps' || measure === 'sr' ? value >= limit : value <= limit
}

export function valueFor(measure: Measure, cell: CompareRow['a']): number | null {
  if (cell === null) return null
  const { golden } = cell
  if (measure === 'rps') return golden.requestsPerSecond
  return measure === 'sr' ? golden.successRatio : golden.latencySeconds[measure]
}
