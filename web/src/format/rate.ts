import type { Quantity } from './quantity.ts'

export function perSecond(rate: number): Quantity {
  const digits = rateDigits(rate)
  return { digits, unit: '/s', spoken: `${digits.replace('<', 'less than ')} per second` }
}

function rateDigits(rate: number): string {
  if (rate === 0) return '0'
  if (rate < 0.01) return '<0.01'
  if (rate < 9.995) return rate.toFixed(2)
  if (rate < 999.5) return rate.toFixed(0)
  return shortCount(rate)
}

/** Three significant digits with a letter: 12.4k, 1.02M. */
export function shortCount(value: number): string {
  if (value < 999.5) return String(Math.round(value))
  for (const [factor, letter] of [
    [1e3, 'k'],
    [1e6, 'M'],
    [1e9, 'G'],
  ] as const) {
    const scaled = value / factor
    if (scaled < 999.5) return `${threeDigits(scaled)}${letter}`
  }
  return value.toExponential(2)
}

function threeDigits(scaled: number): string {
  if (scaled < 9.995) return scaled.toFixed(2)
  return scaled < 99.95 ? scaled.toFixed(1) : scaled.toFixed(0)
}

/** How many wait at once: an estimate, so it gets two digits below ten. */
export function inFlight(count: number): Quantity {
  const digits = count === 0 ? '0' : count < 0.05 ? '<0.1' : count < 9.95 ? count.toFixed(1) : shortCount(count)
  return { digits, unit: '', spoken: `${digits.replace('<', 'less than ')} in flight` }
}

export function callsPerRequest(calls: number): Quantity {
  const digits = calls > 0 && calls < 0.005 ? '<0.01' : calls < 99.95 ? calls.toFixed(2) : shortCount(calls)
  return { digits, unit: '', spoken: `${digits} calls per request` }
}
