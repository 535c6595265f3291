import type { Verdict } from './verdict.ts'

/**
 * What one server has seen of the whole fleet by looking at it: nothing is known of the time before, nor of stretches in
 * which nobody asked. Unix seconds.
 */
export interface Watch {
  /** The first instant that it looked at. */
  readonly sinceSeconds: number
  /** The last instant at which something was wrong; null: nothing ever was. */
  readonly troubleSeconds: number | null
  /** The newest instant, and what was known before it. */
  readonly newest: { readonly atSeconds: number; readonly troubleBeforeSeconds: number | null }
}

/** One more look. The same instant evaluated again, with a late cluster's answer, replaces what it was taken for. */
export function looked(before: Watch | null, verdict: Pick<Verdict, 'form' | 'subject'>, atSeconds: number): Watch {
  const again = before?.newest.atSeconds === atSeconds
  const troubleBeforeSeconds = (again ? before?.newest.troubleBeforeSeconds : before?.troubleSeconds) ?? null
  return {
    sinceSeconds: before?.sinceSeconds ?? atSeconds,
    troubleSeconds: isTrouble(verdict) ? atSeconds : troubleBeforeSeconds,
    newest: { atSeconds, troubleBeforeSeconds },
  }
}

/** That nobody can tell is trouble where somebody suffers, and none where a cluster is only silent. */
function isTrouble({ form, subject }: Pick<Verdict, 'form' | 'subject'>): boolean {
  return form === 'suspect' || form === 'several' || (form === 'unknown' && subject !== null)
}
