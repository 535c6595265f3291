import { MINUS } from './quantity.ts'

const LETTERS = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const

/** A number of unknown meaning, four significant digits at most: 0.0123, 41.2, 12.4k, 3.1e-7. */
export function plain(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : `${MINUS}Inf`
  const size = Math.abs(value)
  const sign = value < 0 ? MINUS : ''
  if (size === 0) return '0'
  if (size < 1e-4) return `${sign}${size.toExponential(2)}`
  for (const [factor, letter] of LETTERS) {
    if (size >= factor * 9.9995) return `${sign}${trimmed(size / factor)}${letter}`
  }
  return `${sign}${trimmed(size)}`
}

function trimmed(size: number): string {
  return String(Number(size.toPrecision(4)))
}
