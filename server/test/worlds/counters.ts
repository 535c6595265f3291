import { STEP_SECONDS } from './truth.ts'

export type Labels = Readonly<Record<string, string>>

/** One series of a page: a counter that grows by the same whole number every step, or a gauge that stands still. */
export interface Counter {
  readonly metric: string
  readonly labels: Labels
  /** Value at step 0. */
  readonly start: number
  /** Value at a step. */
  at(step: number): number
}

/** What a scrape adds to every series of a page. */
export interface Page {
  readonly target: Labels
  readonly counters: readonly Counter[]
}

/** Long before: a counter that is near zero would make `rate()` cut its extrapolation. */
const STEPS_BEFORE = 40

export function counter(metric: string, labels: Labels, perStep: number): Counter {
  return series(metric, labels, (steps) => perStep * steps)
}

export function gauge(metric: string, labels: Labels, value: number): Counter {
  return series(metric, labels, () => value)
}

function series(metric: string, labels: Labels, after: (steps: number) => number): Counter {
  const at = (step: number) => after(step + STEPS_BEFORE)
  return { metric, labels, start: at(0), at }
}

/**
 * Sum, count and buckets of a flow whose requests take half, once and one and a half times the mean. Bounds, mean and
 * sum in the unit of the metric; `write` is how the mesh prints a bound.
 */
export function histogram(
  metric: string,
  labels: Labels,
  perStep: number,
  mean: number,
  bounds: readonly number[],
  write: (bound: number) => string = String,
): Counter[] {
  const below = (bound: number) => (steps: number) => {
    const all = perStep * steps
    const quarter = Math.floor(all / 4)
    const parts = [
      [mean / 2, quarter],
      [mean, all - 2 * quarter],
      [1.5 * mean, quarter],
    ] as const
    return parts.reduce((sum, [value, count]) => sum + (value <= bound ? count : 0), 0)
  }
  return [
    ...bounds.map((bound) => series(`${metric}_bucket`, { ...labels, le: write(bound) }, below(bound))),
    series(`${metric}_bucket`, { ...labels, le: '+Inf' }, (steps) => perStep * steps),
    series(`${metric}_count`, labels, (steps) => perStep * steps),
    series(`${metric}_sum`, labels, (steps) => perStep * steps * mean),
  ]
}

/** Shares a whole number out over `parts` as evenly as whole numbers allow. */
export function shareOut(whole: number, parts: number): number[] {
  return Array.from({ length: parts }, (_, index) => Math.floor(whole / parts) + (index < whole % parts ? 1 : 0))
}

/** Requests a step as requests a second. */
export function perSecond(perStep: number): number {
  return perStep / STEP_SECONDS
}

/** Two calls may have the same labels, such as several hosts behind one address: a proxy counts them as one. */
export function added(counters: readonly Counter[]): Counter[] {
  const byLabels = new Map<string, Counter>()
  for (const one of counters) {
    const key = `${one.metric} ${JSON.stringify(Object.entries(one.labels).sort(([a], [b]) => (a < b ? -1 : 1)))}`
    const known = byLabels.get(key)
    const at = known === undefined ? one.at : (step: number) => known.at(step) + one.at(step)
    byLabels.set(key, { ...one, at })
  }
  return [...byLabels.values()]
}
