import type { NativeHistogram } from '../../domain/native-histogram.ts'
import type { JoinRow } from './join-row.ts'
import { isHistogram } from './join-rows.ts'
import { textOf } from './number-text.ts'

/** As Prometheus writes them. */
export function writtenRows(rows: readonly JoinRow[], type: 'vector' | 'matrix'): readonly object[] {
  return rows.map(({ labels, at }) => {
    const numbers = [...at].flatMap(([second, value]) => (isHistogram(value) ? [] : [[second, textOf(value)]]))
    const natives = [...at].flatMap(([second, value]) => (isHistogram(value) ? [[second, writtenNative(value)]] : []))
    if (type === 'vector')
      return { metric: labels, ...(numbers.length > 0 ? { value: numbers[0] } : { histogram: natives[0] }) }
    return {
      metric: labels,
      ...(numbers.length > 0 ? { values: numbers } : {}),
      ...(natives.length > 0 ? { histograms: natives } : {}),
    }
  })
}

/** Rules of bounds: 0 (low,high], 1 [low,high), 3 [low,high]. Source: prometheus util/jsonutil/marshal.go. */
function writtenNative({ count, sum, lows, highs, counts, layout }: NativeHistogram): object {
  const buckets = counts.map((inside, index) => {
    const [low, high] = [lows[index] ?? 0, highs[index] ?? 0]
    const rule = layout === 'custom' ? 0 : low === -high ? 3 : high <= 0 ? 1 : 0
    return [rule, textOf(low), textOf(high), textOf(inside)]
  })
  return { count: textOf(count), sum: textOf(sum), ...(buckets.length === 0 ? {} : { buckets }) }
}
