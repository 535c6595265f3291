import type { Labels } from './labels.ts'

/**
 * A metric family. `plain`: written under its full name, `le` last. Or of one of the two encoders whose output a Linkerd
 * proxy concatenates: `legacy` (integers, `le` last) or `client` (the prometheus-client crate: floats, `le` first,
 * `_total` only on the sample).
 */
export interface Family {
  readonly name: string
  readonly help: string
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly encoder: 'legacy' | 'client' | 'plain'
  readonly unit?: string
  /** Finite upper bounds of a histogram. */
  readonly bounds?: readonly number[]
}

export interface SeriesName {
  readonly name: string
  readonly labels: Labels
}

/** A cell's numbers: one for a counter or gauge; for a histogram the count of each bucket by itself (the last is +Inf), then the sum. */
export function cellWidth(family: Family): number {
  return family.kind === 'histogram' ? (family.bounds ?? []).length + 2 : 1
}

/** The series one cell is exported as, in page order; `cumulate` returns their values in the same order. */
export function seriesNames(family: Family, labels: Labels): SeriesName[] {
  if (family.kind !== 'histogram') {
    const suffix = family.encoder === 'client' && family.kind === 'counter' ? '_total' : ''
    return [{ name: family.name + suffix, labels }]
  }
  const buckets = [...(family.bounds ?? []).map((bound) => formatBound(family, bound)), '+Inf'].map((le) => ({
    name: `${family.name}_bucket`,
    labels: family.encoder === 'client' ? [['le', le] as const, ...labels] : [...labels, ['le', le] as const],
  }))
  const count = { name: `${family.name}_count`, labels }
  const sum = { name: `${family.name}_sum`, labels }
  return family.encoder === 'client' ? [sum, count, ...buckets] : [...buckets, count, sum]
}

export function cumulate(family: Family, values: Float64Array): number[] {
  if (family.kind !== 'histogram') return [values[0] ?? 0]
  const bucketCount = values.length - 1
  const buckets: number[] = []
  let total = 0
  for (let i = 0; i < bucketCount; i++) {
    total += values[i] ?? 0
    buckets.push(total)
  }
  const sum = values[bucketCount] ?? 0
  return family.encoder === 'client' ? [sum, total, ...buckets] : [...buckets, total, sum]
}

function formatBound(family: Family, bound: number): string {
  return family.encoder === 'client' && Number.isInteger(bound) ? `${bound}.0` : String(bound)
}
