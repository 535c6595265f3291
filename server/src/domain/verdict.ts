import { type ClusterView, usualSource } from './assess.ts'
import { isBlind, mayLieInTheDark } from './blind.ts'
import { heldUpBy } from './candidates.ts'
import { caveatsOf } from './caveats.ts'
import type { Contribution } from './decomposition.ts'
import type { Entry } from './entry.ts'
import { BEYOND } from './graph-of.ts'
import { ingressBefore } from './guess.ts'
import { parseWorkloadId, spoken } from './identity.ts'
import { age, clock, perSecond, possessive, seconds, times } from './phrase.ts'
import { goalsMissed } from './row.ts'
import type { Situation } from './situation.ts'
import type { Judgement, Suspect, Word } from './suspects.ts'
import { isCounted } from './traffic.ts'
import { offSince, sinceOf } from './trouble.ts'

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
  const dark = inTheDark(situation, judgement)
  if (
    dark !== null &&
    (prime === undefined || prime.of === dark.entry.id || weightOf(situation, prime) <= dark.weight)
  ) {
    return beyondSight(situation, dark)
  }
  const hidden = beyondIngress(situation, judgement)
  if (hidden !== null) return hidden
  // With a cluster silent, what the weak suspect is suspected of may as well lie there.
  if (prime === undefined || (prime.word === 'weak' && isBlind(situation)) || mayLieInTheDark(situation, prime)) {
    return cannotSay(situation, judgement)
  }
  const text = sentence(prime)
  const others = judgement.problems.length - 1
  const since = prime.onsetSeconds === null ? '' : ` Since ${clock(prime.onsetSeconds)} UTC.`
  const goals = goalsText(situation, prime.of)
  const missing = `${caveatsOf(situation, prime.of, prime.path)
    .map(({ text: doubt }) => ` ${doubt}`)
    .join('')}${missingText(situation)}`
  return {
    form: others > 0 ? 'several' : 'suspect',
    text: `${others > 0 ? `${others + 1} separate problems. Worst: ` : ''}${text}${since}${goals}${missing}`,
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
  if (suspect.id === suspect.of && suspect.alike.length === 0)
    return `${subject} is slow on its own account: ${part} it gained are its own time.`
  if (suspect.alike.length > 0 && suspect.kind === 'workload')
    return `${subject} is slow because of ${circle(suspect)}: ${part} are lost among them.`
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

/** Who call each other, so that what one loses comes back to it from the others. */
function circle({ id, alike }: Suspect): string {
  const names = [id, ...alike].slice(0, 3).map(spoken)
  const more = alike.length > 2 ? ` and ${alike.length - 2} more` : ''
  return `${names.slice(0, -1).join(', ')}${more === '' ? ' and ' : ', '}${names.at(-1)}${more}, which call each other in a circle and cannot be told apart`
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
  const fresh = [...situation.assessment.workloads.values()].filter((workload) => !workload.stale)
  const unread = current.filter(isUnread).map(({ name }) => name)
  const unknown = unread.length === 0 ? '' : ` What is usual in ${unread.join(' and ')} is not known yet.`
  const read = current.length - unread.length
  const seen = read === 0 ? '' : `Nothing unusual in ${read} of ${total} clusters.`
  const missed = missesOnly(situation)
  const misses = missed === null ? '' : ` ${missed.text}.`
  const nothing = { subject: missed?.subject ?? null, suspect: null, sinceSeconds: null, word: null }
  if (current.length < total) {
    const text = current.length === 0 ? 'No cluster answers.' : `${seen}${misses}${unknown}`
    return { form: 'unknown', text: `${text}${missingText(situation)}`.trim(), ...nothing }
  }
  if (fresh.length === 0)
    return { form: 'unknown', text: 'No workloads found: no mesh metrics in any cluster.', ...nothing }
  const note = situation.assessment.compare?.note
  if (note) return { form: 'unknown', text: `${workloads(fresh.length)}, but ${note}.${misses}`, ...nothing }
  if (missed !== null)
    return { form: 'unknown', text: `Nothing is outside its usual range, but ${missed.text}.${unknown}`, ...nothing }
  if (unread.length > 0) return { form: 'unknown', text: `${seen}${unknown}`.trim(), ...nothing }
  const { length: held } = fresh.filter(({ usual }) => usual.requestsPerSecond !== null || usual.meanSeconds !== null)
  if (held === 0)
    return { form: 'unknown', text: `What is usual of ${workloads(fresh.length)} is not known.`, ...nothing }
  const clusters = `${total} cluster${total === 1 ? '' : 's'}`
  const whose = held === 1 ? 'its' : 'their'
  return {
    form: 'quiet',
    text: `All quiet. ${workloads(held)} in ${clusters} within ${whose} usual range.`,
    ...nothing,
  }
}

function workloads(count: number): string {
  return `${count} workload${count === 1 ? '' : 's'}`
}

/** Whether a cluster counts workloads and has no past (yet) to hold them against. */
function isUnread(cluster: ClusterView): boolean {
  if (usualSource(cluster) !== null) return false
  return [...(cluster.now?.inbound.values() ?? [])].some(({ total }) => isCounted(total))
}

/** What the affected one misses of its goals. */
function goalsText(situation: Situation, id: string): string {
  const missed = goalsMissed(situation, situation.assessment.workloads.get(id))
  return missed.length === 0 ? '' : ` It misses its goal${missed.length === 1 ? '' : 's'}: ${missed.join(', ')}.`
}

/** Nothing is unusual, and yet somebody does not do what was promised: that is not "all quiet". */
function missesOnly(situation: Situation): { readonly subject: string; readonly text: string } | null {
  if (situation.goals.length === 0) return null
  const missing = [...situation.assessment.workloads.values()].flatMap((workload) => {
    const missed = workload.stale ? [] : goalsMissed(situation, workload)
    return missed.length === 0 ? [] : [{ id: workload.id, missed }]
  })
  const [first] = missing
  if (first === undefined) return null
  const who =
    missing.length === 1
      ? `${spoken(first.id)} misses its goals`
      : `${missing.length} workloads miss their goals, among them ${spoken(first.id)}`
  return { subject: first.id, text: `${who}: ${first.missed.join(', ')}` }
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
    text: `Something is off in ${subject === null ? 'a workload' : spoken(subject)}${how} but I cannot say why: ${why}.${subject === null ? '' : goalsText(situation, subject)}`,
    subject,
    suspect: null,
    sinceSeconds: workload === undefined ? null : offSince(workload.trouble),
    word: null,
  }
}

interface Dark {
  readonly entry: Entry
  readonly cluster: string
  readonly seconds: number
  readonly weight: number
}

/** Of the entries most of whose trouble lies in a cluster that does not answer, the one that it weighs most at. */
function inTheDark(situation: Situation, { entries }: Judgement): Dark | null {
  let heaviest: Dark | null = null
  for (const entry of entries) {
    const [most] = entry.decomposition.atLeast(0).sort((a, b) => b.seconds - a.seconds)
    const cluster = most === undefined ? null : silentIn(situation, most)
    if (most === undefined || cluster === null) continue
    const weight = weightOf(situation, { of: entry.id, trouble: entry.trouble, contributedSeconds: most.seconds })
    if (heaviest !== null && heaviest.weight >= weight) continue
    heaviest = { entry, cluster, seconds: most.seconds, weight }
  }
  return heaviest
}

/** The cluster that does not answer and that a part of somebody's trouble lies in; null where it does not. */
function silentIn({ clusters }: Situation, { kind, id }: Contribution): string | null {
  if (id.startsWith(BEYOND)) return id.slice(BEYOND.length)
  const cluster = kind === 'beyond' ? parseWorkloadId(id)?.cluster : undefined
  return cluster !== undefined && clusters.get(cluster)?.state !== 'current' ? cluster : null
}

/** As suspects are ranked. */
function weightOf(
  { assessment }: Situation,
  { of, trouble, contributedSeconds }: Pick<Suspect, 'of' | 'trouble' | 'contributedSeconds'>,
): number {
  return heldUpBy(trouble, contributedSeconds, assessment.workloads.get(of)?.now.requestsPerSecond ?? 0)
}

/** The time is lost beyond a seam into a cluster that does not answer: the direction is named, nobody is. */
function beyondSight(situation: Situation, { entry, cluster, seconds: extra }: Dark): Verdict {
  const silent = situation.clusters.get(cluster)
  const silence = silent === undefined ? '' : silenceOf(silent)
  const part = Math.min(extra, entry.totalSeconds)
  const lost =
    entry.trouble === 'latency'
      ? `is slow: ${seconds(part)} of the ${seconds(entry.totalSeconds)} it gained lie`
      : `fails: ${perSecond(part)} of its ${perSecond(entry.totalSeconds)} more failures lie`
  return {
    form: 'unknown',
    text: `${spoken(entry.id)} ${lost} beyond the seam to ${cluster}, as its caller sees it.${silence}`,
    subject: entry.id,
    suspect: null,
    sinceSeconds: sinceOf(situation.assessment.workloads.get(entry.id)?.trouble, entry.trouble),
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
  return silent.map(silenceOf).join('')
}

/** Of a view of the past there is nothing to count from. */
function silenceOf({ name, ageSeconds }: { readonly name: string; readonly ageSeconds: number }): string {
  return ageSeconds < 1 ? ` ${name} does not answer.` : ` ${name} has not answered for ${age(ageSeconds)}.`
}
