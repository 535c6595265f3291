import type { HeldGoal, HeldTo, Workload } from '@goldseam/server/contract'
import { latency } from '../format/latency.ts'
import { printed } from '../format/quantity.ts'
import { perSecond } from '../format/rate.ts'
import { errorRate } from '../format/success.ts'
import { MARK_WORDS } from '../ui/glyph.tsx'
import { markOf } from './status.ts'

/**
 * How a workload is and what that is held against, with the numbers that the server judged by:
 * "slower than usual: mean 62 ms (usual up to 49 ms, critical from 120 ms)". Without them (old evidence, nothing fresh)
 * the word alone.
 */
export function statusText(workload: Workload): string {
  const { heldTo } = workload
  const word = wordOf(workload)
  if (heldTo == null) return word
  const said = [...judged(workload, heldTo), ...(heldTo.goals ?? []).map((goal) => goalText(workload, goal))]
  return said.length === 0 ? word : `${word}: ${said.join('; ')}`
}

/** A warning need not be one of slowness, and what nobody judged is not healthy. */
function wordOf(workload: Workload): string {
  const mark = markOf(workload)
  const { heldTo, now } = workload
  if (heldTo == null) return MARK_WORDS[mark]
  if (mark === 'ok' && heldTo.tooFewBelow !== undefined) return 'nothing unusual seen'
  if (mark !== 'warn' || isAbove(now.latencySeconds.mean, heldTo.mean?.[0])) return MARK_WORDS[mark]
  if (heldTo.failures && (failedShare(workload) ?? 0) >= heldTo.failures[0]) return 'more failures than usual'
  const missed = heldTo.goals?.some(({ verdict }) => verdict === 'missed' || verdict === 'burning')
  return missed ? 'misses a goal' : MARK_WORDS[mark]
}

function judged(workload: Workload, { mean, failures, tooFewBelow }: HeldTo): string[] {
  const { now, health } = workload
  if (tooFewBelow !== undefined) return [`fewer than ${tooFewBelow} requests in the window, too few to judge`]
  const texts: string[] = []
  const seconds = now.latencySeconds.mean
  if (mean === null) texts.push('no usual range is known')
  else if (seconds !== null) {
    const critical = mean[1] === null ? '' : `, critical from ${printed(latency(mean[1]))}`
    const yet = health === 'ok' && seconds > mean[0] ? ', above it not for long enough yet' : ''
    texts.push(`mean ${printed(latency(seconds))} (usual up to ${printed(latency(mean[0]))}${critical}${yet})`)
  }
  const share = failedShare(workload)
  // A limit that no number of failures reaches says that there are too few requests for one.
  if (failures !== null && share !== null && failures[0] <= 1) {
    texts.push(`failures ${printed(errorRate(share))} (trouble from ${printed(errorRate(failures[0]))})`)
  }
  return texts
}

const GOAL_WORDS: Readonly<Record<HeldGoal['verdict'], string>> = {
  met: 'kept',
  missed: 'missed',
  burning: 'its error budget burns too fast',
  tooFew: 'too few requests to judge',
  noTraffic: 'no traffic',
  unknown: 'not known',
}

function goalText({ now }: Workload, { measure, goal, verdict }: HeldGoal): string {
  const word = GOAL_WORDS[verdict]
  if (measure === 'successRatio') {
    const failed = now.successRatio === null ? '' : `failures ${printed(errorRate(1 - now.successRatio))} `
    return `${failed}(goal at most ${printed(errorRate(1 - goal))}, ${word})`
  }
  if (measure === 'requestsPerSecond') {
    const rate = now.requestsPerSecond === null ? '' : `${printed(perSecond(now.requestsPerSecond))} `
    return `${rate}(goal at least ${printed(perSecond(goal))}, ${word})`
  }
  const name = measure === 'p999' ? 'p99.9' : measure
  const seconds = now.latencySeconds[measure]
  return `${name} ${seconds === null ? '' : `${printed(latency(seconds))} `}(goal ${printed(latency(goal))}, ${word})`
}

function failedShare({ now }: Workload): number | null {
  return now.successRatio === null ? null : 1 - now.successRatio
}

function isAbove(value: number | null, limit: number | undefined): boolean {
  return value !== null && limit !== undefined && value > limit
}
