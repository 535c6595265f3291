import { parseWorkloadId, spoken } from './identity.ts'
import { age, clock, perSecond, possessive, seconds, times } from './phrase.ts'
import type { Situation } from './situation.ts'
import type { Judgement, Suspect, Word } from './suspects.ts'

export interface Verdict {
  readonly form: 'quiet' | 'suspect' | 'several' | 'unknown'
  readonly text: string
  readonly subject: string | null
  readonly suspect: string | null
  readonly sinceSeconds: number | null
  readonly word: Word | null
}

/** The one sentence. It never claims more than the data: what is missing is named in it. */
export function verdictOf(situation: Situation, judgement: Judgement): Verdict {
  const [prime] = judgement.suspects
  if (judgement.affected.length === 0) return quiet(situation)
  if (prime === undefined) return cannotSay(situation, judgement)
  if (prime.kind === 'beyond' && blindTo(situation, prime.id) !== null) return beyondSight(situation, prime)
  const text = sentence(prime)
  const others = judgement.problems.length - 1
  const since = prime.onsetSeconds === null ? '' : ` Since ${clock(prime.onsetSeconds)} UTC.`
  const missing = missingText(situation)
  return {
    form: others > 0 ? 'several' : 'suspect',
    text: `${others > 0 ? `${others + 1} separate problems. Worst: ` : ''}${text}${since}${missing}`,
    subject: prime.of,
    suspect: prime.id,
    sinceSeconds: prime.onsetSeconds,
    word: prime.word,
  }
}

function sentence(suspect: Suspect): string {
  const subject = spoken(suspect.of)
  if (suspect.trouble === 'failures') {
    const rate = `${perSecond(suspect.contributedSeconds)} of its ${perSecond(suspect.deltaSeconds)} more failures`
    if (suspect.id === suspect.of) return `${subject} fails on its own account: ${rate} are not its callees'.`
    return `${subject} fails because of ${named(suspect)}${depth(suspect)}: ${rate}.`
  }
  // Others on the way may have become faster: nobody adds more than there is to explain.
  const contributed = Math.min(suspect.contributedSeconds, suspect.deltaSeconds)
  const part = `${seconds(contributed)} of the ${seconds(suspect.deltaSeconds)}`
  if (suspect.id === suspect.of) return `${subject} is slow on its own account: ${part} it gained are its own time.`
  if (suspect.kind === 'link')
    return `${subject} is slow because of the way from ${named(suspect)}: ${part} are lost there.`
  if (suspect.kind === 'beyond') return `${subject} is slow because of ${named(suspect)} or what is behind it: ${part}.`
  const name = parseWorkloadId(suspect.id)?.name ?? suspect.id
  return `${subject} is slow because of ${named(suspect)}${depth(suspect)}. ${capital(possessive(name))} own time is ${part}.`
}

function named(suspect: Suspect): string {
  if (suspect.kind !== 'link') return suspect.id.startsWith('outside/') ? suspect.id.slice(8) : spoken(suspect.id)
  const [from = '', to = ''] = suspect.id.split('~')
  return `${spoken(from)} to ${spoken(to)}`
}

function depth(suspect: Suspect): string {
  const calls = suspect.path.length - 1
  return calls < 2 ? '' : `, ${calls} calls down`
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

function quiet(situation: Situation): Verdict {
  const current = [...situation.clusters.values()].filter((cluster) => cluster.state === 'current')
  const total = situation.clusters.size
  const count = [...situation.assessment.workloads.values()].filter((workload) => !workload.stale).length
  const nothing = { subject: null, suspect: null, sinceSeconds: null, word: null }
  if (current.length < total) {
    const seen =
      current.length === 0 ? 'No cluster answers.' : `Nothing unusual in ${current.length} of ${total} clusters.`
    return { form: 'unknown', text: `${seen}${missingText(situation)}`, ...nothing }
  }
  if (count === 0) return { form: 'unknown', text: 'No workloads found: no mesh metrics in any cluster.', ...nothing }
  const note = situation.assessment.compare?.note
  if (note) return { form: 'unknown', text: `${count} workloads, but ${note}.`, ...nothing }
  const clusters = `${total} cluster${total === 1 ? '' : 's'}`
  return { form: 'quiet', text: `All quiet. ${count} workloads in ${clusters} within their usual range.`, ...nothing }
}

function cannotSay(situation: Situation, judgement: Judgement): Verdict {
  const subject = judgement.entries[0]?.id ?? judgement.affected[0] ?? null
  const workload = subject === null ? undefined : situation.assessment.workloads.get(subject)
  const ratio = workload?.trouble.ratio
  const how = ratio === null || ratio === undefined ? '' : ` (mean ${times(ratio)})`
  const missing = missingText(situation)
  const why = missing === '' ? 'no single workload or call explains it' : missing.trim().replace(/\.$/, '')
  return {
    form: 'unknown',
    text: `Something is off in ${subject === null ? 'a workload' : spoken(subject)}${how} but I cannot say why: ${why}.`,
    subject,
    suspect: null,
    sinceSeconds: workload?.trouble.onsetSeconds ?? null,
    word: null,
  }
}

/** The time is lost beyond a seam into a cluster that does not answer: the direction is named, nobody is. */
function beyondSight(situation: Situation, suspect: Suspect): Verdict {
  const cluster = blindTo(situation, suspect.id)
  const silent = cluster === null ? undefined : situation.clusters.get(cluster)
  const extra = seconds(suspect.contributedSeconds)
  const silence = silent === undefined ? '' : ` ${silent.name} has not answered for ${age(silent.ageSeconds)}.`
  return {
    form: 'unknown',
    text: `${spoken(suspect.of)} is slow; ${extra} of it lie beyond the seam to ${cluster}, as its caller sees it.${silence}`,
    subject: suspect.of,
    suspect: null,
    sinceSeconds: suspect.onsetSeconds,
    word: null,
  }
}

function blindTo(situation: Situation, id: string): string | null {
  const cluster = parseWorkloadId(id)?.cluster
  const view = cluster === undefined ? undefined : situation.clusters.get(cluster)
  return view === undefined || view.state === 'current' ? null : view.name
}

function missingText(situation: Situation): string {
  const silent = [...situation.clusters.values()].filter((cluster) => cluster.state !== 'current')
  if (silent.length === 0) return ''
  return silent.map((cluster) => ` ${cluster.name} has not answered for ${age(cluster.ageSeconds)}.`).join('')
}
