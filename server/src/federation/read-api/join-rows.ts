import { type Histogram, histogramOf } from '../../domain/histogram.ts'
import { isNative, type LatencyHistogram, mergeLatencies } from '../../domain/latency-histogram.ts'
import { type NativeHistogram, settled } from '../../domain/native-histogram.ts'
import { list, object } from '../../prometheus/envelope.ts'
import { JsonText } from '../../prometheus/json-text.ts'
import { readNative } from '../../prometheus/native-answer.ts'
import { boundsIn, boundsSpelled } from './bound-labels.ts'
import { type Asked, askedIn, type Fold, type JoinPlan, type NativeNumber, NotJoinable } from './join-plan.ts'
import type { Answers, JoinRow, Labels, Rows, Value } from './join-row.ts'
import { numberOf } from './number-text.ts'
import { aNumber, asSets, instantsOf, paired } from './pair-rows.ts'
import { quantileOver } from './quantile-over.ts'
import { isBound, quantileWarnings } from './quantile-warnings.ts'

/** The rows of an answer, with histograms read. */
export function readJoinRows(
  data: unknown,
  labelsOf: (labels: Labels) => Labels = (labels) => labels,
): { type: string; rows: readonly JoinRow[] } {
  const { resultType, result } = object(data, 'data')
  const rows = list(result, 'result').map((given): JoinRow => {
    const row = object(given, 'series')
    const numbers = samplesOf(row.values, row.value).map((sample): [number, Value] => {
      const [at, value] = list(sample, 'sample')
      return [Number(at), numberOf(String(value))]
    })
    const natives = samplesOf(row.histograms, row.histogram).map((sample): [number, Value] => {
      const { atSeconds, histogram } = readNative(sample)
      return [atSeconds, histogram]
    })
    return { labels: labelsOf(object(row.metric ?? {}, 'metric') as Labels), at: new Map([...numbers, ...natives]) }
  })
  return { type: String(resultType), rows }
}

function samplesOf(many: unknown, one: unknown): readonly unknown[] {
  if (many !== undefined) return list(plain(many), 'samples')
  return one === undefined ? [] : [plain(one)]
}

/** Samples may have been left as text, since nobody else looks into them. */
function plain(value: unknown): unknown {
  return value instanceof JsonText ? JSON.parse(value.text) : value
}

export interface Joined {
  readonly rows: readonly JoinRow[]
  /** Boundaries of buckets that not all clusters have: they could not be kept. */
  readonly lostBounds: readonly number[]
  /** What Prometheus would warn of, in its words. */
  readonly warnings: readonly string[]
}

/** The plan carried out over what was answered. Throws `NotJoinable` where the kind of the values does not allow it. */
export function joinRows(plan: JoinPlan, answersTo: (asked: Asked) => Answers): Joined {
  const lost = new Set<number>()
  const warnings = new Set<string>()
  const given = askedIn(plan).flatMap((asked) => [...answersTo(asked).values()].flat())
  const spelled = boundsIn(given)
  const rows = [...rowsOf(plan).values()].flatMap(({ labels, at }) =>
    at.size > 0 ? [{ labels: spelled(labels), at }] : [],
  )
  return { rows, lostBounds: [...lost].sort((a, b) => a - b), warnings: [...warnings] }

  function rowsOf(node: JoinPlan): Rows {
    switch (node.kind) {
      case 'asked':
        return folded(answersTo(node), node.fold, lost)
      case 'quantile':
        withoutNames([...answersTo(node.of).values()].flat())
        for (const warning of quantileWarnings(answersTo(node.of), node.q)) warnings.add(warning)
        return quantiles(answersTo(node.of), node.q, lost)
      case 'ofNative':
        return eachOf(nameless(node.of), (value) => (typeof value === 'number' ? null : nativeNumber(value, node.what)))
      case 'each':
        return eachOf(nameless(node.of), (value) => node.step(aNumber(value)))
      case 'pair':
        return paired(nameless(node.left), nameless(node.right), node.step, node.fill)
      case 'set':
        return asSets(nameless(node.left), nameless(node.right), node.operator)
      default:
        return node satisfies never
    }
  }

  function nameless(node: JoinPlan): Rows {
    const rows = rowsOf(node)
    withoutNames([...rows.values()])
    return rows
  }
}

/** Prometheus matches without the name of the metric, and drops it from what is reckoned: that is not done here. */
function withoutNames(rows: readonly JoinRow[]): void {
  if (rows.some(({ labels }) => '__name__' in labels))
    throw new NotJoinable(
      'what is grouped by the name of the metric ("__name__") is joined only where nothing is done with it',
    )
}

function folded(answers: Answers, fold: Fold, lost: Set<number>): Rows {
  const natives = [...answers.values()].flatMap((rows) =>
    rows.flatMap(({ at }) => [...at.values()].filter(isHistogram)),
  )
  const settle = settled(natives)
  return grouped(
    answers,
    ({ labels }) => labels,
    (rows) => {
      const instants = instantsOf(rows)
      return new Map(
        instants.flatMap((at): [number, Value][] => {
          const values = rows.flatMap((row) => row.at.get(at) ?? [])
          const value = foldedValue(
            values.map((one) => (isHistogram(one) ? settle(one) : one)),
            fold,
            lost,
          )
          return value === null ? [] : [[at, value]]
        }),
      )
    },
  )
}

function foldedValue(values: readonly Value[], fold: Fold, lost: Set<number>): Value | null {
  const numbers = values.filter((value) => typeof value === 'number')
  if (fold !== 'add') return numbers.length === 0 ? null : numbers.reduce((a, b) => FOLD_TWO[fold](a, b))
  const natives = values.filter(isHistogram)
  // As in Prometheus: numbers and histograms of one group have no sum.
  if (natives.length > 0 && numbers.length > 0) return null
  if (natives.length === 0) return numbers.reduce((a, b) => a + b, 0)
  const { merged, lostBounds } = mergeLatencies(natives)
  if (!isNative(merged))
    throw new NotJoinable('native histograms with exponential buckets and with custom ones have no sum of either kind')
  if (merged.layout !== 'exponential') for (const bound of lostBounds) lost.add(bound)
  return merged
}

/** NaN gives way, as in Prometheus. */
const FOLD_TWO: Readonly<Record<Exclude<Fold, 'add'>, (one: number, other: number) => number>> = {
  most: (one, other) => (Number.isNaN(one) || other > one ? other : one),
  least: (one, other) => (Number.isNaN(one) || other < one ? other : one),
  one: () => 1,
}

/** The buckets of all clusters added up at each instant, classic ones by `le`; then the quantile of the sum. */
function quantiles(answers: Answers, q: number, lost: Set<number>): Rows {
  const natives = [...answers.values()].flatMap((rows) =>
    rows.flatMap(({ at }) => [...at.values()].filter(isHistogram)),
  )
  const settle = settled(natives)
  const withoutBound = ({ labels: { le: _, ...rest } }: JoinRow) => rest
  return grouped(answers, withoutBound, (rows, clusterOf) => {
    return new Map(
      instantsOf(rows).flatMap((at): [number, Value][] => {
        const classic = new Map<string, Map<number, number>>()
        const all: LatencyHistogram[] = []
        for (const row of rows) {
          const value = row.at.get(at)
          if (value === undefined) continue
          const { le } = row.labels
          if (isHistogram(value)) all.push(settle(value))
          // As in Prometheus: what has no bound is no bucket.
          else if (le !== undefined && isBound(le)) {
            const cluster = clusterOf(row)
            const buckets = classic.get(cluster) ?? new Map<number, number>()
            classic.set(cluster, buckets.set(numberOf(le), (buckets.get(numberOf(le)) ?? 0) + value))
          }
        }
        all.push(...[...classic.values()].map((buckets): Histogram => histogramOf(buckets)))
        return all.length === 0 ? [] : [[at, quantileOver(all, q, lost)]]
      }),
    )
  })
}

function grouped(
  answers: Answers,
  labelsOf: (row: JoinRow) => Labels,
  valuesOf: (rows: readonly JoinRow[], clusterOf: (row: JoinRow) => string) => ReadonlyMap<number, Value>,
): Rows {
  const groups = new Map<string, { labels: Labels; rows: JoinRow[] }>()
  const clusters = new Map<JoinRow, string>()
  for (const [cluster, rows] of answers) {
    for (const row of rows) {
      const labels = labelsOf(row)
      const key = keyOf(labels)
      const group = groups.get(key) ?? { labels, rows: [] }
      group.rows.push(row)
      groups.set(key, group)
      clusters.set(row, cluster)
    }
  }
  const clusterOf = (row: JoinRow) => clusters.get(row) ?? ''
  return new Map([...groups].map(([key, { labels, rows }]) => [key, { labels, at: valuesOf(rows, clusterOf) }]))
}

function eachOf(rows: Rows, step: (value: Value) => number | null): Rows {
  return new Map(
    [...rows].map(([key, { labels, at }]) => {
      const kept = [...at].flatMap(([second, value]): [number, Value][] => {
        const made = step(value)
        return made === null ? [] : [[second, made]]
      })
      return [key, { labels, at: new Map(kept) }]
    }),
  )
}

function nativeNumber({ count, sum }: NativeHistogram, what: NativeNumber): number {
  return what === 'avg' ? sum / count : what === 'sum' ? sum : count
}

export function isHistogram(value: Value): value is NativeHistogram {
  return typeof value !== 'number'
}

/** Equal where the labels are, however they spell their bounds. */
function keyOf(labels: Labels): string {
  return JSON.stringify(Object.entries(boundsSpelled(labels)).sort(([one], [other]) => (one < other ? -1 : 1)))
}
