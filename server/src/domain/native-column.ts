import { isNative, mergeLatencies } from './latency-histogram.ts'
import { type NativeHistogram, scaledNative } from './native-histogram.ts'
import { isKept, type StepMask } from './step-mask.ts'

/** Native histograms over time steps; null where nothing was measured. */
export type NativeColumn = (NativeHistogram | null)[]

/** Adds `more` into `target`, step by step; absent + x = x. */
export function addNativeInto(target: NativeColumn, more: readonly (NativeHistogram | null)[]): void {
  for (let step = 0; step < target.length; step += 1) {
    const value = more[step]
    if (value === undefined || value === null) continue
    const before = target[step]
    target[step] = before === undefined || before === null ? value : sumOf([before, value])
  }
}

/** Mean over the kept steps that have a histogram; null when none has. */
export function averageNativeOver(column: readonly (NativeHistogram | null)[], keep: StepMask): NativeHistogram | null {
  const kept = column.filter((one, step): one is NativeHistogram => one !== null && isKept(keep, step))
  return kept.length === 0 ? null : scaledNative(sumOf(kept), 1 / kept.length)
}

/** Only exponential beside custom buckets have no native sum: one answer of Prometheus holds one kind. The larger stands. */
function sumOf(parts: readonly NativeHistogram[]): NativeHistogram {
  const { merged } = mergeLatencies(parts)
  if (isNative(merged)) return merged
  return parts.reduce((larger, one) => (one.count > larger.count ? one : larger))
}
