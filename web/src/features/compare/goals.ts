import type { CompareCell, CompareGoal } from '@goldseam/server/contract'

export const MEASURES = ['p50', 'p95', 'p99', 'p999', 'mean', 'sr', 'rps'] as const
export type Measure = (typeof MEASURES)[number]

/** As people say them. */
export const MEASURE_NAMES: Record<Measure, string> = {
  p50: 'p50',
  p95: 'p95',
  p99: 'p99',
  p999: 'p99.9',
  mean: 'mean latency',
  sr: 'success',
  rps: 'requests',
}

/** A limit that is met below it (latency, seconds) or above it (success as a ratio, requests per second). */
export interface Goal {
  readonly measure: Measure
  readonly limit: number
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
    else goals.push({ measure, limit })
  }
  return { goals, wrong }
}

/** The same back, as links write it. */
export function goalsText(goals: readonly Goal[]): string {
  return goals
    .map(({ measure, limit }) => {
      if (measure === 'rps') return `rps:${plainly(limit)}`
      if (measure === 'sr') return `sr:${plainly(100 * limit)}`
      return limit < 1 ? `${measure}:${plainly(1_000 * limit)}ms` : `${measure}:${plainly(limit)}s`
    })
    .join(',')
}

/** 0.1 + 0.2 is nobody's goal; no exponents, which links do not know. */
function plainly(value: number): string {
  return value.toFixed(9).replace(/\.?0+$/, '')
}

function limitOf(measure: Measure, value: number, unit: string): number | null {
  if (measure === 'rps') return unit === '' ? value : null
  if (measure === 'sr')
    return (unit === '' || unit === '%') && value <= 100 ? Number((value / 100).toPrecision(12)) : null
  return unit === 's' ? value : unit === 'ms' || unit === '' ? Number((value / 1000).toPrecision(12)) : null
}

export type GoalVerdict = CompareGoal['verdict']

/** What one side makes of a goal that was typed; of those in the config the server tells. */
export function judged(goal: Goal, cell: CompareCell | null): GoalVerdict {
  const { measure, limit } = goal
  const value = cell === null ? null : valueFor(measure, cell)
  if (cell === null || value === null) return 'unknown'
  const truth = cell.truths[truthName(measure)]
  if (truth === 'stale' || truth === 'neverSeen') return 'unknown'
  if (measure === 'rps') return value >= limit ? 'met' : 'missed'
  if (truth === 'noTraffic') return 'noTraffic'
  if (truth === 'lowSample') return 'tooFew'
  if (measure === 'sr') return value >= limit ? 'met' : 'missed'
  // Beyond the last bucket all that is known is that it is more.
  if (truth === 'offScale') return value >= limit ? 'missed' : 'unknown'
  return value <= limit ? 'met' : 'missed'
}

export function valueFor(measure: Measure, { golden }: CompareCell): number | null {
  if (measure === 'rps') return golden.requestsPerSecond
  return measure === 'sr' ? golden.successRatio : golden.latencySeconds[measure]
}

export function truthName(measure: Measure): keyof CompareCell['truths'] {
  return measure === 'rps' ? 'requestsPerSecond' : measure === 'sr' ? 'successRatio' : measure
}

/** As goals of the config call them. */
export function measureOf(name: CompareGoal['measure']): Measure {
  return name === 'requestsPerSecond' ? 'rps' : name === 'successRatio' ? 'sr' : name
}
