/** Up to 1e22 they are exact: then the quotient is the number that the fewest digits write. */
const POWERS_OF_TEN = Array.from({ length: 23 }, (_, power) => Number(`1e${power}`))

/**
 * A number with so many significant digits at most, so that answers are not mostly digits that nobody can see. NaN and
 * infinities stay as they are.
 */
export function withDigits(value: number, digits: number): number {
  if (value === 0 || !Number.isFinite(value)) return value
  const places = digits - 1 - Math.floor(Math.log10(Math.abs(value)))
  const scale = POWERS_OF_TEN[Math.abs(places)]
  if (scale === undefined) return value
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

/** The same of a column, with null where nothing is known. */
export function columnWithDigits(column: Float64Array, digits: number): (number | null)[] {
  const made: (number | null)[] = []
  // A past is known in coarse steps, so that most values stand beside their like.
  let [before, rounded] = [Number.NaN, null as number | null]
  for (const value of column) {
    if (value !== before) {
      before = value
      rounded = Number.isNaN(value) ? null : withDigits(value, digits)
    }
    made.push(rounded)
  }
  return made
}
