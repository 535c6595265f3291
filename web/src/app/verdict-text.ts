import type { Suspect } from '@goldseam/server/contract'
import { contributed } from '../answers/contributed.ts'
import type { HeadView } from '../answers/head.ts'
import { clock } from '../format/clock.ts'
import { latency, latencyDelta } from '../format/latency.ts'
import { printed } from '../format/quantity.ts'
import { perSecond } from '../format/rate.ts'
import { share } from '../format/ratio.ts'
import { success } from '../format/success.ts'
import { lastName, parseEdgeId, parseWorkloadId } from '../format/workload-name.ts'
import { seenTroubleText } from './seen-trouble.ts'

/** The whole finding as plain lines for a chat or a ticket; times in UTC, because readers sit elsewhere. */
export function verdictText({ head, suspects, subject }: HeadView, link: string): string {
  // Where the sentence names nobody, none of them is good enough to be passed on.
  const prime = suspects.find(({ id }) => id === head.verdict.suspect)
  const missing = head.clusters.filter(({ state }) => state === 'down' || state === 'stale').map(({ name }) => name)
  const answered = `${head.clusters.length - missing.length}/${head.clusters.length} clusters`
  const lines = [`Goldseam  ${clock(head.snapshot.at, 'utc')} UTC  ${head.verdict.text}`]
  const { seenTrouble } = head.verdict
  if (seenTrouble) lines.push(`Before    ${seenTroubleText(seenTrouble, head.snapshot.at, false)}`)
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
    const since = prime.onset ? `, since ${clock(prime.onset, 'utc')} UTC` : ''
    lines.push(`Suspect   ${prime.id}  ${[ownPart(prime), ...prime.hints].join(', ')}${since}  (${prime.word})`)
    lines.push(`Path      ${wayOf(prime.path)}`)
  }
  lines.push(`Missing   ${missing.length === 0 ? `none (${answered})` : `${missing.join(', ')} (${answered})`}`)
  lines.push(`Link      ${link}`)
  return lines.join('\n')
}

/** "own time +736 ms (98 % of +754 ms)": its own part of what the affected workload gained. */
function ownPart(suspect: Suspect): string {
  const { own, trouble, deltaSeconds } = suspect
  const part = contributed(suspect)
  if (part === null) return 'own part not known'
  const slow = trouble === 'latency'
  const amount = slow ? `own time ${printed(latencyDelta(part))}` : `own failures ${printed(perSecond(part))}`
  const gain = slow && deltaSeconds !== null && deltaSeconds > 0 ? ` of ${printed(latencyDelta(deltaSeconds))}` : ''
  return `${amount}${own.share === null ? '' : ` (${printed(share(own.share))}${gain})`}`
}

/** The way in letters: "=seam=>" where a call crosses clusters. */
function wayOf(path: readonly string[]): string {
  const clusterOf = (id: string) => parseWorkloadId(parseEdgeId(id)?.to ?? id)?.cluster
  return path
    .map((id, index) => {
      const before = path[index - 1]
      const name = lastName(parseEdgeId(id)?.to ?? id)
      if (before === undefined) return name
      return `${clusterOf(before) === clusterOf(id) ? '->' : '=seam=>'} ${name}`
    })
    .join(' ')
}
