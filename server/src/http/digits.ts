/**
 * A number with so many significant digits at most, so that answers are not mostly digits that nobody can see. NaN and
 * infinities stay as they are.
 */
export function withDigits(value: number, digits: number): number {
  if (value === 0 || !Number.isFinite(value)) return value
  const places = digits - 1 - Math.floor(Math.log10(Math.abs(value)))
  // Powers of ten up to 1e22 are exact: the quotient is the number that the fewest digits write.
  if (places > 22) return value
  const scale = 10 ** Math.abs(places)
  return places >= 0 ? Math.round(value * scale) / scale : Math.round(value / scale) * scale
}

/** The same with every number in it, however deep. */
export function allWithDigits<T>(given: T, digits: number): T {
  if (typeof given === 'number') return withDigits(given, digits) as T
  if (typeof given !== 'object' || given === null) return given
  if (Array.isArray(given)) {
    const made: unknown[] = []
    for (const one of given) made.push(allWithDigits(one, digits))
    return made as T
  }
  const made: Record<string, unknown> = {}
  for (const name of Object.keys(given)) made[name] = allWithDigits((given as Record<string, unknown>)[name], digits)
  return made as T
}
