import type { Verdict } from './verdict.ts'

/** What was said last, and at which instants (unix seconds). */
export interface Said {
  readonly verdict: Verdict
  /** Of the last look. */
  readonly atSeconds: number
  /** Since when it is said although all is calm; null: it is not. */
  readonly quietAtSeconds: number | null
}

/**
 * What is to be said after one more evaluation: it turns quiet only after two in a row, for a single calm look may be a
 * pause. The same instant evaluated again, with a late cluster's answer, counts as one. After nobody has looked for a
 * rate window nothing of what was said is left in what is seen: then one calm look is enough.
 */
export function settled(last: Said | null, verdict: Verdict, atSeconds: number, windowSeconds: number): Said {
  const troubled = last !== null && (last.verdict.form === 'suspect' || last.verdict.form === 'several')
  const recent = last !== null && atSeconds - last.atSeconds < windowSeconds
  const first = last?.quietAtSeconds === null || last?.quietAtSeconds === atSeconds
  if (verdict.form === 'quiet' && troubled && recent && first) {
    return { verdict: last.verdict, atSeconds, quietAtSeconds: atSeconds }
  }
  return { verdict, atSeconds, quietAtSeconds: null }
}
