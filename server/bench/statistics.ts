export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (sorted.length - 1) * q
  const [low, high] = [sorted[Math.floor(at)] ?? Number.NaN, sorted[Math.ceil(at)] ?? Number.NaN]
  return low + (high - low) * (at - Math.floor(at))
}

export const median = (values: readonly number[]) => quantile(values, 0.5)

export interface Ratio {
  readonly median: number
  /** The 95 % interval of the median. */
  readonly low: number
  readonly high: number
  readonly pairs: number
}

const DRAWS = 4_000

/** Median of the ratios within pairs, with its interval by the bootstrap. Of what has no counterpart there is no ratio. */
export function pairedRatio(above: readonly (number | undefined)[], below: readonly (number | undefined)[]): Ratio {
  const ratios = above.flatMap((value, index) => {
    const other = below[index]
    return value === undefined || other === undefined ? [] : [value / other]
  })
  const next = drawer()
  const medians = Array.from({ length: DRAWS }, () =>
    median(ratios.map(() => ratios[Math.floor(next() * ratios.length)] ?? Number.NaN)),
  )
  return {
    median: median(ratios),
    low: quantile(medians, 0.025),
    high: quantile(medians, 0.975),
    pairs: ratios.length,
  }
}

/** The same draws in each run: a linear congruential generator is random enough to pick indices. */
function drawer(): () => number {
  let state = 12_345
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}
