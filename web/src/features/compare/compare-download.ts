import type { CompareRow } from '@goldseam/server/contract'
import type { TableData } from '../../ui/table-download.tsx'

const MEASURES = [
  'requests_per_second',
  'success_ratio',
  'mean_seconds',
  'p50_seconds',
  'p95_seconds',
  'p99_seconds',
  'p999_seconds',
  'requests',
] as const

/** Every number of both sides, A's before B's; seconds and ratios. */
export function tableOfCompare(all: CompareRow, rows: readonly CompareRow[]): TableData {
  return {
    head: [
      'workload',
      'a',
      'b',
      ...['a', 'b'].flatMap((side) => MEASURES.map((measure) => `${side}_${measure}`)),
      'verdict',
      'ratio',
    ],
    rows: [all, ...rows].map((row) => [
      row.key,
      row.a?.id ?? null,
      row.b?.id ?? null,
      ...numbersOf(row.a),
      ...numbersOf(row.b),
      row.verdict,
      row.ratio,
    ]),
  }
}

function numbersOf(cell: CompareRow['a']): (number | null)[] {
  if (cell === null) return MEASURES.map(() => null)
  const { requestsPerSecond, successRatio, sampleCount, latencySeconds } = cell.golden
  const { mean, p50, p95, p99, p999 } = latencySeconds
  return [requestsPerSecond, successRatio, mean, p50, p95, p99, p999, sampleCount]
}
