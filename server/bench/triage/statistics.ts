/** The upper end of the one-sided 95 % interval of a share, `hits` of `total` seen (Clopper and Pearson 1934). */
export function upperBound(hits: number, total: number): number {
  if (total === 0 || hits >= total) return 1
  let [low, high] = [hits / total, 1]
  for (let round = 0; round < 60; round += 1) {
    const middle = (low + high) / 2
    if (atMost(hits, total, middle) > 0.05) low = middle
    else high = middle
  }
  return high
}

/** The probability of at most `hits` of `total` at a probability of `share` each. */
function atMost(hits: number, total: number, share: number): number {
  let sum = 0
  let logChoose = 0
  for (let count = 0; count <= hits; count += 1) {
    if (count > 0) logChoose += Math.log((total - count + 1) / count)
    sum += Math.exp(logChoose + count * Math.log(share) + (total - count) * Math.log(1 - share))
  }
  return sum
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.round((sorted.length - 1) * q)] ?? Number.NaN
}
