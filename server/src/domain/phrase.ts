/** Quantities in words, for sentences and evidence. Tables format on their own. */

const MINUS = '\u2212'

/** `0.42 ms`, `4.2 ms`, `310 ms`, `2.61 s`, `11.4 s`, `1 m 52 s`. */
export function seconds(value: number): string {
  const size = Math.abs(value)
  const sign = value < 0 ? MINUS : ''
  if (size < 0.000_995) return `${sign}${(size * 1000).toFixed(2)} ms`
  if (size < 0.009_95) return `${sign}${(size * 1000).toFixed(1)} ms`
  if (size < 0.999_5) return `${sign}${Math.round(size * 1000)} ms`
  if (size < 9.995) return `${sign}${size.toFixed(2)} s`
  if (size < 99.95) return `${sign}${size.toFixed(1)} s`
  const whole = Math.round(size)
  return `${sign}${Math.floor(whole / 60)} m ${whole % 60} s`
}

/** Signed, with a real minus sign. */
export function delta(value: number): string {
  return value < 0 ? seconds(value) : `+${seconds(value)}`
}

/** `<0.01/s`, `0.35/s`, `41/s`, `12.4k/s`. */
export function perSecond(value: number): string {
  if (value > 0 && value < 0.01) return '<0.01/s'
  if (value < 10) return `${value.toFixed(2)}/s`
  if (value < 999.5) return `${Math.round(value)}/s`
  if (value < 999_950) return `${(value / 1000).toFixed(1)}k/s`
  return `${(value / 1_000_000).toFixed(2)}M/s`
}

export function percent(ratio: number): string {
  return `${Math.round(ratio * 100)} %`
}

/** `x1.8`, `x24`; below 1 `/3.1`. */
export function times(ratio: number): string {
  if (ratio > 0 && ratio < 1) return `/${significant(1 / ratio)}`
  return `x${significant(ratio)}`
}

function significant(value: number): string {
  return value < 9.95 ? value.toFixed(1) : String(Math.round(value))
}

/** A plain count, as in "in-flight 31 (was 0.4)". */
export function count(value: number): string {
  return value < 9.95 ? value.toFixed(1) : String(Math.round(value))
}

/** `4 s`, `2 m`, `3 h`, `5 d`. */
export function age(ageSeconds: number): string {
  const whole = Math.max(0, Math.round(ageSeconds))
  if (whole < 120) return `${whole} s`
  if (whole < 7_200) return `${Math.round(whole / 60)} m`
  if (whole < 172_800) return `${Math.round(whole / 3_600)} h`
  return `${Math.round(whole / 86_400)} d`
}

/** Time of day in UTC: `03:12`. */
export function clock(unixSeconds: number): string {
  const minutes = Math.floor(unixSeconds / 60)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`
}

/** `store's`, `accounts'`. */
export function possessive(name: string): string {
  return name.endsWith('s') ? `${name}'` : `${name}'s`
}

/** A success ratio, never rounded up: `100 %` is only 1. `99.95 %`, `98.4 %`. */
export function exactPercent(ratio: number): string {
  if (ratio >= 1) return '100 %'
  const missing = 1 - ratio
  const digits = missing >= 0.001 ? 2 : missing >= 0.000_1 ? 3 : 4
  const scale = 10 ** digits
  // 1e-9: 99.9 / 100 is a little below 0.999.
  const floored = Math.floor(ratio * 100 * scale + 1e-6) / scale
  return floored >= 100 ? '>99.9999 %' : `${Number(floored.toFixed(digits))} %`
}
