/** A sample's number out of its text. */
export function numberOf(text: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY
  return text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text)
}

/** As Prometheus writes samples. */
export function textOf(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value)
}

/** A number as Go's %g writes it: of a million and more with an exponent. */
export function inGo(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  const [digits = '', power = '0'] = value.toExponential().split('e')
  const exponent = Number(power)
  if (value === 0 || (exponent >= -4 && exponent < 6)) return String(value)
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}
