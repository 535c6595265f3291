import { caveatsOf } from './caveats.ts'
import type { Entry } from './entry.ts'
import { BEYOND } from './graph-of.ts'
import { ingressBefore } from './guess.ts'
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
  const dark = inTheDark(judgement)
  if (dark !== null && (prime === undefined || prime.of === dark.entry.id)) return beyondSight(situation, dark)
  const hidden = beyondIngress(situation, judgement)
  if (hidden !== null) return hidden
  if (prime === undefined || (prime.word === 'weak' && isBlind(situation))) return cannotSay(situation, judgement)
  const text = sentence(prime)
  const others = judgement.problems.length - 1
  const since = prime.onsetSeconds === null ? '' : ` Since ${clock(prime.onsetSeconds)} UTC.`
  const missing = `${caveatsOf(situation, prime.of, prime.path)
    .map(({ text: doubt }) => ` ${doubt}`)
    .join('')}${missingText(situation)}`
  return {
    form: others > 0 ? 'several' : 'suspect',
    text: `${others > 0 ? `${others + 1} separate problems. Worst: ` : ''}${text}${since}${missing}`,
    subject: prime.of,
    suspect: prime.id,
    sinceSeconds: prime.onsetSeconds,
    word: prime.word,
  }
}

/** With a cluster silent, what the weak suspect is suspected of may as well lie there. */
function isBlind({ clusters }: Situation): boolean {
  return [...clusters.values()].some(({ state }) => state !== 'current')
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
  if (suspect.alike.length > 0) return `${subject} is slow because of ${seam(suspect)}: ${part} are lost there.`
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

/** The way from one cluster to another, by all the calls over it that became slower. */
function seam({ id, alike }: Suspect): string {
  const [from, to] = id.split('~').map((end) => parseWorkloadId(end)?.cluster)
  return `the way from ${from} to ${to}, over ${alike.length + 1} calls alike`
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

interface Dark {
  readonly entry: Entry
  readonly cluster: string
  readonly seconds: number
}

/** The first entry most of whose slowdown lies in a cluster that does not answer. */
function inTheDark({ entries }: Judgement): Dark | null {
  for (const entry of entries) {
    const [most] = entry.decomposition.atLeast(0).sort((a, b) => b.seconds - a.seconds)
    if (entry.trouble === 'latency' && most?.id.startsWith(BEYOND)) {
      return { entry, cluster: most.id.slice(BEYOND.length), seconds: most.seconds }
    }
  }
  return null
}

/** The time is lost beyond a seam into a cluster that does not answer: the direction is named, nobody is. */
function beyondSight(situation: Situation, { entry, cluster, seconds: extra }: Dark): Verdict {
  const silent = situation.clusters.get(cluster)
  const silence = silent === undefined ? '' : ` ${cluster} has not answered for ${age(silent.ageSeconds)}.`
  const lost = `${seconds(Math.min(extra, entry.totalSeconds))} of the ${seconds(entry.totalSeconds)}`
  return {
    form: 'unknown',
    text: `${spoken(entry.id)} is slow: ${lost} it gained lie beyond the seam to ${cluster}, as its caller sees it.${silence}`,
    subject: entry.id,
    suspect: null,
    sinceSeconds: situation.assessment.workloads.get(entry.id)?.trouble.onsetSeconds ?? null,
    word: null,
  }
}

/**
 * The time is lost beyond an ingress, and no metric tells whom the calls reach there: that is said, together with who is
 * slow behind it on the evidence of that cluster alone.
 */
function beyondIngress(situation: Situation, { suspects }: Judgement): Verdict | null {
  const place = suspects.find(({ id, kind }) => kind === 'beyond' && doorOf(situation, id) !== null)
  const door = place === undefined ? null : doorOf(situation, place.id)
  if (place === undefined || door === null) return null
  const cluster = parseWorkloadId(door)?.cluster ?? door
  const inside = suspects.find(({ id, kind }) => kind === 'workload' && parseWorkloadId(id)?.cluster === cluster)
  const [first] = suspects
  // Something else weighs more.
  if (first !== place && first !== inside) return null
  const lost =
    place.trouble === 'latency'
      ? `is slow: ${seconds(Math.min(place.contributedSeconds, place.deltaSeconds))} of the ${seconds(place.deltaSeconds)} it gained lie`
      : `fails: ${perSecond(place.contributedSeconds)} of its ${perSecond(place.deltaSeconds)} more failures lie`
  const there = inside === undefined ? '' : ` There ${sentence(inside)}`
  const since = place.onsetSeconds === null ? '' : ` Since ${clock(place.onsetSeconds)} UTC.`
  return {
    form: inside === undefined ? 'unknown' : 'suspect',
    text: `${spoken(place.of)} ${lost} beyond ${possessive(cluster)} ingress, and no metric tells whom it calls there.${there}${since}${missingText(situation)}`,
    subject: place.of,
    suspect: inside?.id ?? null,
    sinceSeconds: place.onsetSeconds,
    word: inside?.word ?? null,
  }
}

const doorOf = (situation: Situation, id: string) => ingressBefore(id, situation.stitched.ingressIds)

function missingText(situation: Situation): string {
  const silent = [...situation.clusters.values()].filter((cluster) => cluster.state !== 'current')
  if (silent.length === 0) return ''
  return silent.map((cluster) => ` ${cluster.name} has not answered for ${age(cluster.ageSeconds)}.`).join('')
}
