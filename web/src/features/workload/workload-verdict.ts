import type { WorkloadDetail } from '@goldseam/server/contract'
import { contributed } from '../../answers/contributed.ts'
import { lasting } from '../../format/age.ts'
import { latency } from '../../format/latency.ts'
import { printed } from '../../format/quantity.ts'
import { ratio } from '../../format/ratio.ts'
import { lastName, nameInSentence, parseEdgeId } from '../../format/workload-name.ts'

export type VerdictTone = 'quiet' | 'elsewhere' | 'itself' | 'unknown' | 'none'

const SILENCE = {
  ok: '',
  stale: 'does not answer',
  down: 'does not answer',
  partial: 'answers in part',
  pending: 'has not answered yet',
} as const

/** Why this one workload is slow, with the arithmetic; where the frame names what is wrong in the whole. */
export function workloadVerdict(detail: WorkloadDetail): { tone: VerdictTone; text: string } {
  const { workload, suspects, deltaSeconds, clusters, verdict, finding } = detail
  const name = workload.name
  const suspect = suspects[0]
  // Less may be said than who may be suspected.
  if (finding?.form === 'unknown') return { tone: 'unknown', text: finding.text }
  if (!suspect) {
    if (workload.truth === 'noTraffic') return { tone: 'none', text: `${name} gets no traffic in this window.` }
    if (workload.health === 'ok') return { tone: 'quiet', text: `${name} is within its usual range.` }
    if (workload.ageSeconds !== null) {
      const since = lasting(workload.ageSeconds)
      return { tone: 'none', text: `${workload.cluster} has not answered for ${since}: ${name}'s last good values.` }
    }
    if (verdict.form === 'unknown' && verdict.subject === workload.id) return { tone: 'unknown', text: verdict.text }
    if (workload.health === 'none') return { tone: 'none', text: `Nothing is measured for ${name} in this window.` }
    const silent = clusters
      .filter(({ state }) => state !== 'ok')
      .map((other) => `${other.name} ${SILENCE[other.state]}`)
    const blind = silent.length > 0 ? `: ${silent.join(', ')}` : ''
    const change = workload.changeRatio === null ? '' : ` (p99 ${printed(ratio(workload.changeRatio))})`
    return { tone: 'unknown', text: `${name} is off its usual${change}, but the cause cannot be named${blind}.` }
  }
  // More than the name of one workload or of one call is to be said.
  const { kind = 'workload', alike = [] } = suspect
  if (finding && (alike.length > 0 || (kind !== 'workload' && kind !== 'link')))
    return { tone: 'elsewhere', text: finding.text }
  const trouble = suspect.trouble === 'failures' ? 'fails' : 'is slow'
  const part = contributed(suspect)
  const arithmetic =
    suspect.trouble === 'latency' && part !== null && deltaSeconds !== null && deltaSeconds > 0
      ? ` ${printed(latency(Math.min(Math.abs(part), deltaSeconds)))} of the ${printed(latency(deltaSeconds))} it gained`
      : ''
  if (suspect.id === workload.id) {
    return {
      tone: 'itself',
      text: `${name} ${trouble} by its own doing${arithmetic ? `: its own time is${arithmetic}` : ''}.`,
    }
  }
  const owner = parseEdgeId(suspect.id) ? 'That way takes' : `${possessive(lastName(suspect.id))} own time is`
  return {
    tone: 'elsewhere',
    text: `${name} ${trouble} because of ${nameInSentence(suspect.id)}.${arithmetic ? ` ${owner}${arithmetic}.` : ''}`,
  }
}

function possessive(name: string): string {
  return name.endsWith('s') ? `${name}'` : `${name}'s`
}
