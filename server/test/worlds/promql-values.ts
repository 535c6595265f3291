import type { Labels } from './counters.ts'

/** One sample of an instant vector. */
export interface Value {
  readonly labels: Labels
  readonly value: number
}

const add = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)
/** Aggregations over the values of one group. */
export const AGGREGATES = new Map<string, (values: readonly number[]) => number>([
  ['sum', add],
  ['count', (values) => values.length],
  ['avg', (values) => add(values) / values.length],
  ['max', (values) => Math.max(...values)],
  ['min', (values) => Math.min(...values)],
  ['group', () => 1],
])

const compare = (holds: (a: number, b: number) => boolean) => (one: Value, number: number) =>
  holds(one.value, number) ? [one] : []
const compute = (of: (a: number, b: number) => number) => (one: Value, number: number) => {
  const { __name__: _, ...labels } = one.labels
  return [{ labels, value: of(one.value, number) }]
}
/** Arithmetic and comparison of a sample with a number; a comparison that fails leaves nothing. */
export const OPERATORS = new Map<string, (one: Value, number: number) => Value[]>([
  ['>', compare((a, b) => a > b)],
  ['>=', compare((a, b) => a >= b)],
  ['<', compare((a, b) => a < b)],
  ['<=', compare((a, b) => a <= b)],
  ['==', compare((a, b) => a === b)],
  ['!=', compare((a, b) => a !== b)],
  ['*', compute((a, b) => a * b)],
  ['/', compute((a, b) => a / b)],
  ['+', compute((a, b) => a + b)],
  ['-', compute((a, b) => a - b)],
])

export function only(labels: Labels, names: readonly string[]): Labels {
  return Object.fromEntries(names.flatMap((name) => (labels[name] ? [[name, labels[name]]] : [])))
}

export function keyOf(labels: Labels): string {
  return JSON.stringify(
    Object.entries(labels)
      .filter(([name, value]) => name !== '__name__' && value !== '')
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

export function secondsOf(duration: string): number {
  const [, number = '', unit = ''] = /^([\d.]+)(ms|s|m|h)$/.exec(duration) ?? []
  return Number(number) * ({ ms: 0.001, s: 1, m: 60, h: 3_600 }[unit] ?? Number.NaN)
}

export function textOf(token: string): string {
  return token.slice(1, -1).replaceAll(/\\(.)/g, (_, mark: string) => ({ n: '\n', r: '\r' })[mark] ?? mark)
}

/** The increase over a window as Prometheus' `extrapolatedRate` computes it (promql/functions.go), resets included. */
export function extrapolated(at: readonly number[], values: readonly number[], from: number, to: number): number {
  const first = { at: at[0] ?? 0, value: values[0] ?? 0 }
  const last = { at: at.at(-1) ?? 0, value: values.at(-1) ?? 0 }
  let increase = last.value - first.value
  for (let index = 1; index < values.length; index += 1) {
    const before = values[index - 1] ?? 0
    if ((values[index] ?? 0) < before) increase += before
  }
  const sampled = last.at - first.at
  const average = sampled / (values.length - 1)
  let toStart = first.at - from
  let toEnd = to - last.at
  if (toStart >= average * 1.1) toStart = average / 2
  if (increase > 0 && first.value >= 0) toStart = Math.min(toStart, sampled * (first.value / increase))
  if (toEnd >= average * 1.1) toEnd = average / 2
  return (increase * (sampled + toStart + toEnd)) / sampled
}
