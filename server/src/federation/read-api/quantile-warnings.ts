import { numberOf } from './number-text.ts'

interface Row {
  readonly labels: Readonly<Record<string, string>>
  readonly at: ReadonlyMap<number, unknown>
}

/** Whether a bucket has it for its upper end. */
export function isBound(le: string): boolean {
  return le !== '' && !Number.isNaN(numberOf(le))
}

/** What Prometheus warns of where it takes a quantile itself, in its words. Source: prometheus util/annotations. */
export function quantileWarnings(answers: ReadonlyMap<string, readonly Row[]>, q: number): readonly string[] {
  const odd = [...answers.values()].flatMap((rows) =>
    rows.flatMap(({ labels, at }) => {
      const { le = '' } = labels
      return !isBound(le) && [...at.values()].some((value) => typeof value === 'number') ? [le] : []
    }),
  )
  return [
    ...(q >= 0 && q <= 1 ? [] : [`PromQL warning: quantile value should be between 0 and 1, got ${asInGo(q)}`]),
    ...[...new Set(odd)].map(
      (le) => `PromQL warning: bucket label "le" is missing or has a malformed value of ${JSON.stringify(le)}`,
    ),
  ]
}

/** A number as Go's %g writes it: of a million and more with an exponent. */
function asInGo(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  const [digits = '', power = '0'] = value.toExponential().split('e')
  const exponent = Number(power)
  if (value === 0 || (exponent >= -4 && exponent < 6)) return String(value)
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}
