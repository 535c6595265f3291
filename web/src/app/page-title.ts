import type { HeadView } from '../answers/head.ts'
import { latency } from '../format/latency.ts'
import { printed } from '../format/quantity.ts'
import { lastName } from '../format/workload-name.ts'

/** Whether somebody is off, or cannot be seen: of that a tab tells from afar. That what is usual is not known yet is neither. */
export function isAlarming({ head: { verdict, clusters } }: HeadView): boolean {
  // With no cluster to look at nothing can be wrong.
  if (verdict.form === 'quiet' || clusters.length === 0) return false
  return verdict.form !== 'unknown' || verdict.subject !== null || clusters.some(({ state }) => UNSEEN.has(state))
}

const UNSEEN: ReadonlySet<string> = new Set(['stale', 'down', 'pending'])

/** What a background tab reports: "(!) web p99 2.6 s - Goldseam". */
export function pageTitle(view: HeadView | undefined, page: string): string {
  if (!view || !isAlarming(view)) return page === '' ? 'Goldseam' : `${page} - Goldseam`
  const { subject, head } = view
  const p99 = subject?.now.latencySeconds.p99 ?? null
  const who = head.verdict.subject ?? head.verdict.suspect
  const what = who === null ? head.verdict.text : lastName(who)
  return `(!) ${what}${p99 === null ? '' : ` p99 ${printed(latency(p99))}`} - Goldseam`
}
