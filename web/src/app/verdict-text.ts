import type { HeadView } from '../answers/head.ts'
import { clock } from '../format/clock.ts'
import { latency, latencyDelta } from '../format/latency.ts'
import { printed } from '../format/quantity.ts'
import { perSecond } from '../format/rate.ts'
import { share } from '../format/ratio.ts'
import { success } from '../format/success.ts'
import { lastName } from '../format/workload-name.ts'

/** The whole finding as plain lines for a chat or a ticket; times in UTC, because readers sit elsewhere. */
export function verdictText({ head, suspects, subject }: HeadView, link: string): string {
  const prime = suspects.find(({ id }) => id === head.verdict.suspect) ?? suspects[0]
  const missing = head.clusters.filter(({ state }) => state === 'down' || state === 'stale').map(({ name }) => name)
  const answered = `${head.clusters.length - missing.length}/${head.clusters.length} clusters`
  const lines = [`Goldseam  ${clock(head.snapshot.at, 'utc')} UTC  ${head.verdict.text}`]
  if (subject) {
    const { latencySeconds, successRatio, requestsPerSecond } = subject.now
    const was = subject.usual.latencySeconds.p99
    const facts = [
      latencySeconds.p99 === null
        ? ''
        : `p99 ${printed(latency(latencySeconds.p99))}${was === null ? '' : ` (was ${printed(latency(was))})`}`,
      successRatio === null ? '' : `success ${printed(success(successRatio, null))}`,
      requestsPerSecond === null ? '' : printed(perSecond(requestsPerSecond)),
    ].filter(Boolean)
    lines.push(`Affected  ${subject.id}  ${facts.join(', ')}`)
  }
  if (prime) {
    const own = prime.own.seconds === null ? '' : `own time ${printed(latencyDelta(prime.own.seconds))}`
    const part = prime.own.share === null ? '' : ` (${printed(share(prime.own.share))})`
    const since = prime.onset ? `, since ${clock(prime.onset, 'utc')} UTC` : ''
    lines.push(`Suspect   ${prime.id}  ${own}${part}, ${prime.hints.join(', ')}${since}  (${prime.word})`)
    lines.push(`Path      ${prime.path.map(lastName).join(' -> ')}`)
  }
  lines.push(`Missing   ${missing.length === 0 ? `none (${answered})` : `${missing.join(', ')} (${answered})`}`)
  lines.push(`Link      ${link}`)
  return lines.join('\n')
}
