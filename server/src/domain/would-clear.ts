import type { Contribution } from './decomposition.ts'
import type { Evidence } from './evidence-item.ts'
import { spoken } from './identity.ts'
import { type Situation, seamsAlong } from './situation.ts'

interface Charged {
  readonly id: string
  readonly kind: Contribution['kind']
  readonly path: readonly string[]
  readonly evidence: readonly Evidence[]
}

/** What would have to turn out for the suspect not to be it: where to look before anybody is woken up. */
export function wouldClear(situation: Situation, { id, kind, path, evidence }: Charged): string[] {
  const reasons: string[] = []
  if (kind === 'workload') {
    const calls = situation.callsOf.get(id) ?? []
    const unseen = calls.filter(({ edge }) => !situation.assessment.workloads.has(edge.to))
    reasons.push(
      unseen.length === 0
        ? 'it calls something that no proxy measures, and waits for that'
        : `what it waits for lies behind ${unseen.map(({ edge }) => spoken(edge.to)).join(', ')}, which nobody measures`,
    )
  }
  if (kind === 'link') reasons.push('the two ends do not count the same requests')
  for (const { edge } of seamsAlong(situation, path)) {
    if (edge.confidence === 'solid' || path[path.indexOf(edge.from) + 1] !== edge.to) continue
    reasons.push(`the calls of ${spoken(edge.from)} do not end at ${spoken(edge.to)} (joined by ${edge.rule})`)
  }
  if (situation.assessment.compare?.note)
    reasons.push(`its usual values are wrong: ${situation.assessment.compare.note}`)
  else reasons.push('its usual values are not usual: compare with another stretch')
  if (evidence.some(({ name, answer }) => name === 'first' && answer === null)) {
    reasons.push('something else changed before it')
  }
  return reasons
}
