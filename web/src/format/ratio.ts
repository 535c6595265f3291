import type { Quantity } from './quantity.ts'

/** "x24" or, below one, "/3.1": nobody reads x0.32 as "a third" at a glance. */
export function ratio(value: number): Quantity {
  if (value <= 0) return { digits: '/\u221e', unit: '', spoken: 'fell to nothing' }
  if (!Number.isFinite(value)) return { digits: 'x\u221e', unit: '', spoken: 'grew from nothing' }
  const up = value >= 0.995
  const factor = up ? value : 1 / value
  const size = factor < 9.95 ? factor.toFixed(1) : factor < 9_999.5 ? factor.toFixed(0) : '9999+'
  return { digits: `${up ? 'x' : '/'}${size}`, unit: '', spoken: up ? `times ${size}` : `divided by ${size}` }
}

/** A part of a whole, as whole percents; signed parts keep their sign. */
export function share(part: number): Quantity {
  // Where others became faster a part can exceed the whole, or be below nothing: signed inside, clamped for the eye.
  const percent = Math.round(Math.min(1, Math.max(0, part)) * 100)
  if (percent === 0 && part > 0) return { digits: '<1', unit: ' %', spoken: 'less than 1 percent' }
  return { digits: String(percent), unit: ' %', spoken: `${percent} percent` }
}
