import type { Verdict } from './verdict.ts'

/** What was said last, and since which instant (unix seconds) it is said although all is calm; null: it is not. */
export interface Said {
  readonly verdict: Verdict
  readonly quietAtSeconds: number | null
}

/**
 * What is to be said after one more evaluation: it turns quiet only after two in a row, for a single calm look may be a
 * pause. The same instant evaluated again, with a late cluster's answer, counts as one.
 */
export function settled(last: Said | null, verdict: Verdict, atSeconds: number): Said {
  const troubled = last !== null && (last.verdict.form === 'suspect' || last.verdict.form === 'several')
  const first = last?.quietAtSeconds === null || last?.quietAtSeconds === atSeconds
  if (verdict.form === 'quiet' && troubled && first) return { verdict: last.verdict, quietAtSeconds: atSeconds }
  return { verdict, quietAtSeconds: null }
}
