import { histogramOf } from '../../domain/histogram.ts'
import { list, object } from '../../prometheus/envelope.ts'
import { JsonText } from '../../prometheus/json-text.ts'
import type { Part } from './fan-out.ts'
import { numberOf, textOf } from './number-text.ts'
import type { Step } from './numbers-around.ts'
import { quantileOver } from './quantile-over.ts'

const BOUND_LABEL = 'le'

type Labels = Readonly<Record<string, string>>

/** A bucket of one cluster: its count (or rate) at instants, unix seconds. */
export interface BucketRow {
  readonly labels: Labels
  readonly bound: number
  readonly samples: readonly (readonly [at: number, value: number])[]
}

export interface MergedRows {
  readonly type: 'vector' | 'matrix'
  readonly rows: readonly unknown[]
  /** Clusters that had buckets. */
  readonly clusters: readonly string[]
  /** Boundaries that not all of them have: they could not be kept. */
  readonly lostBounds: readonly number[]
}

/** A cluster's sums of buckets; null where some are native histograms, which have no bounds to add up by. */
export function readBuckets(data: unknown): { type: string; rows: readonly BucketRow[] } | null {
  const { resultType, result } = object(data, 'data')
  const rows = list(result, 'result').map((row) => object(row, 'series'))
  if (rows.some((row) => 'histogram' in row || 'histograms' in row)) return null
  return { type: String(resultType), rows: rows.flatMap((row) => bucketOf(row) ?? []) }
}

function bucketOf(row: Readonly<Record<string, unknown>>): BucketRow | null {
  const { [BOUND_LABEL]: le, ...labels } = object(row.metric ?? {}, 'metric') as Record<string, string>
  const bound = le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le)
  // As in Prometheus: what has no bound is no bucket.
  if (le === undefined || le === '' || Number.isNaN(bound)) return null
  const given = row.values === undefined ? [plain(row.value)] : list(plain(row.values), 'values')
  const samples = given.map((sample) => {
    const [at, value] = list(sample, 'sample')
    return [Number(at), numberOf(String(value))] as const
  })
  return { labels, bound, samples }
}

/** Samples may have been left as text, since nobody else looks into them. */
function plain(value: unknown): unknown {
  return value instanceof JsonText ? JSON.parse(value.text) : value
}

interface Group {
  readonly labels: Labels
  /** By instant, then by cluster: bound -> count. */
  readonly at: Map<number, Map<string, Map<number, number>>>
}

/** The buckets of all clusters added up by their bounds at each instant, then the quantile of the sum. */
export function mergeBuckets(parts: readonly Part[], q: number, steps: readonly Step[]): MergedRows {
  const groups = new Map<string, Group>()
  const clusters = new Set<string>()
  for (const { cluster, rows } of parts) {
    for (const row of rows as readonly BucketRow[]) {
      clusters.add(cluster)
      addTo(groupFor(groups, row.labels), cluster, row)
    }
  }
  const type = parts.some((part) => part.type === 'matrix') ? 'matrix' : 'vector'
  const lost = new Set<number>()
  const rows = [...groups.values()].flatMap(({ labels, at }) => {
    const values = [...at]
      .sort(([one], [other]) => one - other)
      .flatMap(([second, byCluster]) => {
        const value = stepped(quantileOver([...byCluster.values()].map(histogramOf), q, lost), steps)
        return value === null ? [] : [[second, textOf(value)] as const]
      })
    if (values.length === 0) return []
    return [type === 'matrix' ? { metric: labels, values } : { metric: labels, value: values[0] }]
  })
  return { type, rows, clusters: [...clusters], lostBounds: [...lost].sort((a, b) => a - b) }
}

function groupFor(groups: Map<string, Group>, labels: Labels): Group {
  const key = JSON.stringify(Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1)))
  const known = groups.get(key)
  if (known !== undefined) return known
  const group = { labels, at: new Map() }
  groups.set(key, group)
  return group
}

function addTo({ at }: Group, cluster: string, { bound, samples }: BucketRow): void {
  for (const [second, value] of samples) {
    const byCluster = at.get(second) ?? new Map<string, Map<number, number>>()
    const buckets = byCluster.get(cluster) ?? new Map<number, number>()
    // The same bound written in two ways ("1", "1.0") is one bucket.
    buckets.set(bound, (buckets.get(bound) ?? 0) + value)
    byCluster.set(cluster, buckets)
    at.set(second, byCluster)
  }
}

function stepped(value: number, steps: readonly Step[]): number | null {
  return steps.reduce<number | null>((at, step) => (at === null ? null : step(at)), value)
}
