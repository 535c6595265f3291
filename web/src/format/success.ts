import type { Quantity } from './quantity.ts'

/** Absorbs what binary fractions lose (0.9731 * 100 = 97.30999...), far below any digit we print. */
const FLOAT_SLACK = 1e-7

/**
 * Success is floored, never rounded up, and its decimals grow with its nines: 0.99996 must not read "100 %".
 * Exactly 100 needs a ratio of one and no failure.
 */
export function success(ratio: number, failures: number | null): Quantity {
  const failed = ratio < 1 || (failures ?? 0) > 0
  if (!failed) return { digits: '100', unit: ' %', spoken: '100 percent' }
  const percent = ratio * 100
  const places = percent < 99.9 ? 2 : percent < 99.99 ? 3 : 4
  const floored = floorTo(percent, places)
  if (floored >= 99.9999) {
    const count = failures !== null && failures >= 1 ? ` (${Math.round(failures)})` : ''
    return { digits: '>99.999', unit: ` %${count}`, spoken: `more than 99.999 percent, with failures${count}` }
  }
  const digits = trimPlaces(floored.toFixed(places), 2)
  return { digits, unit: ' %', spoken: `${digits} percent` }
}

/** Two significant digits, with a floor below which digits would be noise. */
export function errorRate(ratio: number): Quantity {
  const percent = ratio * 100
  if (percent === 0) return { digits: '0', unit: ' %', spoken: '0 percent failed' }
  if (percent < 0.001) return { digits: '< 0.001', unit: ' %', spoken: 'less than 0.001 percent failed' }
  const digits = percent >= 99.5 ? percent.toFixed(0) : String(Number(percent.toPrecision(2)))
  return { digits, unit: ' %', spoken: `${digits} percent failed` }
}

function floorTo(value: number, places: number): number {
  const factor = 10 ** places
  return Math.floor(value * factor + FLOAT_SLACK) / factor
}

/** Drops zeros at the end, but keeps at least `least` places: 99.950 -> 99.95. */
function trimPlaces(digits: string, least: number): string {
  const point = digits.indexOf('.')
  let end = digits.length
  while (end > point + 1 + least && digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}
