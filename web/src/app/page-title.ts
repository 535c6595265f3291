import type { HeadView } from '../answers/head.ts'
import { latency } from '../format/latency.ts'
import { printed } from '../format/quantity.ts'
import { lastName } from '../format/workload-name.ts'

/** What a background tab reports: "(!) web p99 2.6 s - Goldseam". */
export function pageTitle(view: HeadView | undefined, page: string): string {
  // With no cluster to look at nothing can be wrong.
  if (!view || view.head.verdict.form === 'quiet' || view.head.clusters.length === 0)
    return page === '' ? 'Goldseam' : `${page} - Goldseam`
  const { subject, head } = view
  const p99 = subject?.now.latencySeconds.p99 ?? null
  const who = head.verdict.subject ?? head.verdict.suspect
  const what = who === null ? head.verdict.text : lastName(who)
  return `(!) ${what}${p99 === null ? '' : ` p99 ${printed(latency(p99))}`} - Goldseam`
}
