import { inGo, numberOf } from './number-text.ts'

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
    ...(q >= 0 && q <= 1 ? [] : [`PromQL warning: quantile value should be between 0 and 1, got ${inGo(q)}`]),
    ...[...new Set(odd)].map(
      (le) => `PromQL warning: bucket label "le" is missing or has a malformed value of ${JSON.stringify(le)}`,
    ),
  ]
}
