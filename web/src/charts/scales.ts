export type Domain = readonly [low: number, high: number]

/** The narrowest picture of latency worth drawing: less than this factor between the ends is noise, not shape. */
const LEAST_LOG_SPAN = 4

/**
 * One domain for a whole column, so that two rows' lines can be compared by eye. `trim` leaves that part of the values
 * out at the low end: a single service of microseconds must not press all the others flat.
 */
export function sharedLogDomain(series: readonly (readonly (number | null)[])[], trim = 0): Domain {
  const all = new Float64Array(series.reduce((sum, { length }) => sum + length, 0))
  let count = 0
  let high: number | undefined
  for (const line of series) {
    for (const value of line) {
      if (value === null || value <= 0) continue
      all[count++] = value
      // Never trimmed at the top: the first minute of an incident is a few high points, and what everybody looks for.
      if (high === undefined || value > high) high = value
    }
  }
  const low = nthSmallest(all.subarray(0, count), Math.floor((count - 1) * trim))
  if (low === undefined || high === undefined) return [0.001, 1]
  const span = high / low
  if (span >= LEAST_LOG_SPAN) return [low, high]
  const pad = Math.sqrt(LEAST_LOG_SPAN / span)
  return [low / pad, high * pad]
}

/**
 * The value that would stand at `nth` if they were sorted; leaves them partly so. Undefined for none. A fleet's trends
 * are a hundred thousand numbers: Hoare's quickselect passes over them some three times, sorting some seventeen.
 */
export function nthSmallest(values: Float64Array, nth: number): number | undefined {
  let from = 0
  let to = values.length - 1
  while (from < to) {
    const pivot = values[(from + to) >> 1] ?? 0
    let left = from
    let right = to
    while (left <= right) {
      while ((values[left] ?? 0) < pivot) left += 1
      while ((values[right] ?? 0) > pivot) right -= 1
      if (left > right) break
      const moved = values[left] ?? 0
      values[left++] = values[right] ?? 0
      values[right--] = moved
    }
    if (nth <= right) to = right
    else if (nth >= left) from = left
    else break
  }
  return values[nth]
}

/** Position between 0 (low end) and 1 (high end), clamped. */
export function logPosition(value: number, [low, high]: Domain): number {
  if (value <= low) return 0
  if (value >= high) return 1
  return Math.log(value / low) / Math.log(high / low)
}

/** An SVG path through the values; a gap in the data stays a gap in the line. */
export function linePath(
  values: readonly (number | null)[],
  width: number,
  yOf: (value: number) => number,
): { path: string; last: { x: number; y: number } | null } {
  const step = values.length > 1 ? width / (values.length - 1) : 0
  let path = ''
  let drawing = false
  let last: { x: number; y: number } | null = null
  for (const [index, value] of values.entries()) {
    if (value === null) {
      drawing = false
      continue
    }
    const x = Math.round(index * step * 10) / 10
    const y = Math.round(yOf(value) * 10) / 10
    path += `${drawing ? 'L' : 'M'}${x} ${y}`
    drawing = true
    last = { x, y }
  }
  return { path, last }
}

/** Powers of ten inside a domain, thinned to at most `most`, for a log axis. */
export function logTicks([low, high]: Domain, most = 4): number[] {
  const ticks: number[] = []
  for (let exponent = Math.ceil(Math.log10(low) - 1e-9); 10 ** exponent <= high * (1 + 1e-9); exponent += 1) {
    ticks.push(10 ** exponent)
  }
  const every = Math.ceil(ticks.length / most)
  const kept = ticks.filter((_, index) => index % every === 0)
  return kept.length > 0 ? kept : [low, high]
}
