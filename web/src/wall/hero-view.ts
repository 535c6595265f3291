import type { WallFrame, WallHero } from '@goldseam/server/contract'
import { clock } from '../format/clock.ts'
import { latency } from '../format/latency.ts'
import { printed } from '../format/quantity.ts'
import { ratio, share } from '../format/ratio.ts'
import { parseEdgeId, shortName } from '../format/workload-name.ts'
import type { Mark } from '../ui/glyph.tsx'
import type { Fact } from './fitting.ts'
import { counted, dataAgeSeconds, freshnessOf, middle, passedSeconds, roughly, type WallState } from './state.ts'

export type Wordings = readonly string[]

export interface HeroView {
  readonly tone: 'quiet' | 'crit' | 'partial' | 'blind' | 'pair'
  readonly mark: Mark
  readonly title: string
  /** The cluster, beside the name. */
  readonly beside: string
  /** Facts that stand in the first line as far as there is room; where there is not, those of little worth go. */
  readonly facts: readonly Fact[]
  /** In the order of their worth; each in several wordings, the fullest first: what has no room is said shorter. */
  readonly lines: readonly Wordings[]
  /** Whether the title is a name, which may be shortened in its middle. */
  readonly named: boolean
}

/** What takes the place of honour. Being blind comes before what was last seen: a frozen picture must not look live. */
export function heroView(state: WallState, nowMs: number, origin: string): HeroView {
  const { link, frame } = state
  const age = dataAgeSeconds(state, nowMs)
  const ageLine = age === null ? 'no data yet' : `data is ${counted(age)} old`
  if (link.state === 'unpaired') {
    const code = link.code === null ? 'asking for a code' : `code ${link.code}`
    return screen('pair', 'unknown', 'Pair this screen', [
      [`on ${bare(origin)}/wall/pair enter ${code}`, code],
      [`${link.why}; ${ageLine}`, ageLine],
    ])
  }
  if (link.state === 'refused')
    return screen('blind', 'unknown', 'Wrong address', [[link.why, 'see its address'], [ageLine]])
  if (frame === null) {
    if (link.state === 'lost')
      return screen('blind', 'unknown', 'NO DATA', [[`${link.why}; it is tried again for ever`, link.why]])
    return screen('pair', 'none', 'Reading the clusters', [['the first picture takes a few seconds', 'one moment']])
  }
  const freshness = freshnessOf(state, nowMs)
  if (freshness === 'blind' || freshness === 'dead') {
    const why = link.state === 'lost' ? link.why : 'the server sends nothing new'
    // Where no cluster ever answered there was nothing before either.
    const silentSeconds = age ?? passedSeconds(state, nowMs)
    return screen('blind', 'stale', `NO DATA for ${counted(silentSeconds)}`, [
      [why, 'no answer'],
      [`last seen: ${lastSeen(frame)}`, lastSeen(frame)],
    ])
  }
  return heroOf(frame, age)
}

function heroOf(frame: WallFrame, age: number | null): HeroView {
  const { hero } = frame
  switch (hero.form) {
    case 'quiet':
      return screen('quiet', 'ok', 'All quiet', [quietLine(frame)])
    case 'partial':
      return screen('partial', 'stale', 'Not all is seen', [
        [hero.text, ...silentText(frame), 'not all can be judged'],
        elseLine(frame),
      ])
    case 'blind':
      return screen('blind', 'stale', age === null ? 'NO DATA' : `NO DATA for ${counted(age)}`, [
        [hero.text, frame.clusters.length === 0 ? 'no cluster is known' : 'no cluster answers'],
      ])
    case 'suspect':
    case 'trouble':
      return trouble(frame, hero)
    default:
      return hero.form satisfies never
  }
}

function trouble(frame: WallFrame, hero: WallHero): HeroView {
  const id = hero.id ?? ''
  const edge = parseEdgeId(id)
  const [cluster = ''] = (edge?.to ?? id).split('/')
  const since =
    hero.since === null
      ? ''
      : `since ${clock(hero.since, 'local')} (${roughly((Date.parse(frame.snapshot.at) - Date.parse(hero.since)) / 1_000)})`
  const own = hero.ownShare === null ? '' : `own ${printed(share(hero.ownShare))}`
  const p99 = hero.p99Seconds === null ? '' : `p99 ${printed(latency(hero.p99Seconds))}`
  const grown = hero.changeRatio === null ? '' : printed(ratio(hero.changeRatio))
  const others = hero.others > 0 ? `; ${hero.others} other ${hero.others === 1 ? 'problem' : 'problems'}` : ''
  const why = [hero.text, ...silentText(frame), 'cause unknown']
  const wordings = hero.form === 'suspect' ? hurtText(hero) : why
  return {
    tone: 'crit',
    mark: hero.form === 'suspect' ? 'crit' : 'critOpen',
    title: edge === null ? shortName(id) : `${shortName(edge.from)} to ${shortName(edge.to)}`,
    beside: id.startsWith('outside/') ? '' : cluster,
    facts: [
      { text: hero.victims.length === 0 ? '' : (hero.word ?? ''), worth: 1 },
      { text: own, worth: 2 },
      { text: [p99, grown].filter(Boolean).join(' '), worth: 3 },
      { text: since, worth: 4 },
    ].filter(({ text }) => text !== ''),
    lines: [wordings.map((words) => `${words}${others}`)],
    named: true,
  }
}

const NAMED_VICTIMS = 4

/** `slowing shop/web (east), cart, rates and 3 more`: the first in full, the others by their last name, or as a number. */
function hurtText({ victims, word }: WallHero): Wordings {
  const [first = ''] = victims
  const count = victims.length
  if (count === 0) return [`prime suspect, ${word ?? 'weak'}`, 'prime suspect']
  const [cluster = ''] = first.split('/')
  const last = (id: string) => shortName(id).split('/').at(-1) ?? id
  const named = (most: number, full: string) => {
    const others = victims.slice(1, most).map(last)
    const more = count - 1 - others.length
    return `slowing ${[full, ...others].join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  }
  const full = `${shortName(first)} (${cluster})`
  const fewer = Array.from({ length: NAMED_VICTIMS }, (_, left) => named(NAMED_VICTIMS - left, full))
  return [...fewer, named(1, last(first)), `slowing ${count} ${count === 1 ? 'other' : 'others'}`, `slowing ${count}`]
}

function quietLine(frame: WallFrame): Wordings {
  const count = frame.clusters.reduce((sum, { names }) => sum + names.length, 0)
  const now = Date.parse(frame.sentAt)
  const since = (at: string) => roughly((now - Date.parse(at)) / 1_000)
  const last =
    frame.lastTroubleAt === null
      ? `none in trouble for ${since(frame.watchingSince)}`
      : `last trouble ${since(frame.lastTroubleAt)} ago`
  const clusters = frame.clusters.length
  return [`${count} deployments in ${clusters} ${clusters === 1 ? 'cluster' : 'clusters'}, ${last}`, last]
}

/** Who is silent, shorter than the server says it; nothing where all answer. */
function silentText({ clusters }: WallFrame): Wordings {
  const silent = clusters.filter(({ state }) => state !== 'ok' && state !== 'partial')
  const [first] = silent
  if (first === undefined) return []
  if (silent.length === 1) return [`${first.name} does not answer`, `${middle(first.name, 8)} silent`]
  return [`${first.name} and ${silent.length - 1} more do not answer`, `${silent.length} clusters silent`]
}

function elseLine({ clusters }: WallFrame): Wordings {
  const seen = clusters.filter(({ state }) => state === 'ok' || state === 'partial')
  const count = seen.reduce((sum, { names }) => sum + names.length, 0)
  return [`nothing unusual in the ${count} deployments that are seen`, 'else nothing unusual']
}

function lastSeen(frame: WallFrame): string {
  const { form, id } = frame.hero
  switch (form) {
    case 'suspect':
    case 'trouble':
      return `trouble in ${shortName(id ?? '')}`
    case 'partial':
      return 'not all was seen'
    case 'blind':
      return 'no cluster answered'
    case 'quiet':
      return 'all quiet'
    default:
      return form satisfies never
  }
}

function screen(tone: HeroView['tone'], mark: Mark, title: string, lines: readonly Wordings[]): HeroView {
  return { tone, mark, title, beside: '', facts: [], lines, named: false }
}

function bare(origin: string): string {
  return origin.replace(/^https?:\/\//, '')
}
