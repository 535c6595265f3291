/**
 * Prometheus' `rate()` of one counter over the window that ends at `atSeconds`: from the first to the last sample in it,
 * extrapolated to the window's ends where those are near (within 1.1 of the typical distance), and to no further than
 * where the counter was 0. NaN with fewer than two samples. Counters here are never reset.
 */
export function rateAt(
  times: readonly number[],
  values: readonly number[],
  first: number,
  last: number,
  atSeconds: number,
  windowSeconds: number,
): number {
  if (last - first < 1) return Number.NaN
  const [begin, end] = [times[first] as number, times[last] as number]
  const [low, high] = [values[first] as number, values[last] as number]
  const sampled = end - begin
  const typical = sampled / (last - first)
  const near = 1.1 * typical
  let toStart = begin - (atSeconds - windowSeconds)
  let toEnd = atSeconds - end
  if (toStart >= near) toStart = typical / 2
  if (high - low > 0 && low >= 0) toStart = Math.min(toStart, sampled * (low / (high - low)))
  if (toEnd >= near) toEnd = typical / 2
  return ((high - low) * ((sampled + toStart + toEnd) / sampled)) / windowSeconds
}

/** Index of the first sample later than `after`. */
export function firstAfter(times: readonly number[], after: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] as number) > after) high = middle
    else low = middle + 1
  }
  return low
}
