import { inGo, numberOf } from './number-text.ts'

type Labels = Readonly<Record<string, string>>

/** Labels whose values are numbers: upper ends of buckets, and quantiles of summaries. */
const BOUNDS: Readonly<Record<string, (value: number) => boolean>> = {
  le: () => true,
  quantile: (value) => value >= 0 && value <= 1,
}
const WRITTEN = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|Inf)$/i

/**
 * The labels with such numbers spelled in one way, that of Prometheus 3, which writes `1.0` where the target and
 * Prometheus 2 write `1`. Source: prometheus model/textparse, formatOpenMetricsFloat.
 */
export function boundsSpelled(labels: Labels): Labels {
  const spelled = Object.keys(BOUNDS).flatMap((label) => {
    const text = spellingOf(label, labels[label])
    return text === undefined || text === labels[label] ? [] : [[label, text] as const]
  })
  return spelled.length === 0 ? labels : { ...labels, ...Object.fromEntries(spelled) }
}

/** How the labels of what is made of these rows are spelled: as in all of them, or in one way where they differ. */
export function boundsIn(rows: readonly { readonly labels: Labels }[]): (labels: Labels) => Labels {
  const known = new Map<string, string>()
  for (const { labels } of rows) {
    for (const label of Object.keys(BOUNDS)) {
      const [given, spelled] = [labels[label], spellingOf(label, labels[label])]
      if (given === undefined || spelled === undefined) continue
      const key = `${label} ${spelled}`
      if (known.has(key) && known.get(key) !== given) return boundsSpelled
      known.set(key, given)
    }
  }
  return (labels) => labels
}

function spellingOf(label: string, text: string | undefined): string | undefined {
  if (text === undefined || !WRITTEN.test(text)) return undefined
  const value = /inf/i.test(text) ? numberOf(text.startsWith('-') ? '-Inf' : '+Inf') : Number(text)
  if (BOUNDS[label]?.(value) !== true) return undefined
  const spelled = inGo(value)
  return /[.eI]/.test(spelled) ? spelled : `${spelled}.0`
}
