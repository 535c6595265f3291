import { MINUS, type Quantity } from './quantity.ts'

const UNITS = { ms: [' ms', 'milliseconds'], s: [' s', 'seconds'] } as const

function quantity(digits: string, unit: keyof typeof UNITS): Quantity {
  const [short, spoken] = UNITS[unit]
  return { digits, unit: short, spoken: `${digits} ${spoken}` }
}

/** Never more digits than the data supports: three significant ones at most. */
export function latency(seconds: number): Quantity {
  const ms = seconds * 1000
  if (ms === 0) return quantity('0', 'ms')
  // Thresholds look at the rounded value, so that 9.96 ms reads "10 ms" and not "10.0 ms".
  if (ms < 0.995) return quantity(ms < 0.005 ? '<0.01' : ms.toFixed(2), 'ms')
  if (ms < 9.95) return quantity(ms.toFixed(1), 'ms')
  if (ms < 999.5) return quantity(ms.toFixed(0), 'ms')
  if (seconds < 9.995) return quantity(seconds.toFixed(2), 's')
  if (seconds < 99.95) return quantity(seconds.toFixed(1), 's')
  const whole = Math.round(seconds)
  const minutes = Math.floor(whole / 60)
  const digits = `${minutes} m ${whole % 60}`
  return { digits, unit: ' s', spoken: `${minutes} minutes ${whole % 60} seconds` }
}

/** Signed, for "how much was added". */
export function latencyDelta(seconds: number): Quantity {
  const size = latency(Math.abs(seconds))
  const sign = seconds < 0 ? MINUS : '+'
  if (seconds === 0) return size
  return { ...size, digits: `${sign}${size.digits}`, spoken: `${seconds < 0 ? 'minus' : 'plus'} ${size.spoken}` }
}

/** A bucket as "1-10 s", "50-100 ms", "0.5-1 s"; without an upper end "> 50 s". */
export function bucketRange(low: number, high: number | null): Quantity {
  if (high === null) {
    const bound = latencyBound(low)
    return { ...bound, digits: `> ${bound.digits}`, spoken: `more than ${bound.spoken}` }
  }
  const inMs = high < 1
  const scale = inMs ? 1000 : 1
  const digits = `${trim(low * scale)}-${trim(high * scale)}`
  return {
    digits,
    unit: inMs ? ' ms' : ' s',
    spoken: `between ${trim(low * scale)} and ${trim(high * scale)} ${inMs ? 'milliseconds' : 'seconds'}`,
  }
}

/** A bucket's bound is an exact number and prints without the decimals that would claim a measurement. */
export function latencyBound(seconds: number): Quantity {
  return seconds < 1 ? quantity(trim(seconds * 1000), 'ms') : quantity(trim(seconds), 's')
}

function trim(value: number): string {
  return String(Number(value.toPrecision(6)))
}
