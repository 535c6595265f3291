/**
 * Whether what is of an instant is younger than that many seconds. What is of the future is not: the clock was set back,
 * and nothing tells how old it is.
 */
export function isYounger(atSeconds: number, nowSeconds: number, seconds: number): boolean {
  const ageSeconds = nowSeconds - atSeconds
  return ageSeconds >= 0 && ageSeconds < seconds
}
