import type { WallFrame, WallHero } from '@goldseam/server/contract'
import { clock } from '../format/clock.ts'
import { latency } from '../format/latency.ts'
import { printed } from '../format/quantity.ts'
import { ratio, share } from '../format/ratio.ts'
import { parseEdgeId, shortName } from '../format/workload-name.ts'
import type { Mark } from '../ui/glyph.tsx'
import { counted, dataAgeSeconds, freshnessOf, roughly, type WallState } from './state.ts'

export interface HeroView {
  readonly tone: 'quiet' | 'crit' | 'partial' | 'blind' | 'pair'
  readonly mark: Mark
  readonly title: string
  /** The cluster, beside the name. */
  readonly beside: string
  /** Facts that stand in the first line as far as there is room. */
  readonly facts: readonly string[]
  /** One line each, in the order of their worth. */
  readonly lines: readonly string[]
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
      `on ${bare(origin)}/wall/pair enter ${code}`,
      `${link.why}; ${ageLine}`,
    ])
  }
  if (link.state === 'refused') return screen('blind', 'unknown', 'This wall shows nothing', [link.why, ageLine])
  if (frame === null) {
    if (link.state === 'lost') return screen('blind', 'unknown', 'NO DATA', [`${link.why}; it is tried again for ever`])
    return screen('pair', 'none', 'Reading the clusters', ['the first picture takes a few seconds'])
  }
  const freshness = freshnessOf(state, nowMs)
  if (freshness === 'blind' || freshness === 'dead') {
    const why = link.state === 'lost' ? link.why : 'the server sends nothing new'
    return screen('blind', 'stale', `NO DATA for ${counted(age ?? 0)}`, [why, `last seen: ${lastSeen(frame)}`])
  }
  return heroOf(frame, age)
}

function heroOf(frame: WallFrame, age: number | null): HeroView {
  const { hero } = frame
  switch (hero.form) {
    case 'quiet':
      return screen('quiet', 'ok', 'All quiet', [quietLine(frame)])
    case 'partial':
      return screen('partial', 'stale', 'Not all is seen', [hero.text, elseLine(frame)])
    case 'blind':
      return screen('blind', 'stale', age === null ? 'NO DATA' : `NO DATA for ${counted(age)}`, [hero.text])
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
  const word = hero.form === 'suspect' ? `prime suspect, ${hero.word ?? 'weak'}` : ''
  const hurt = hero.victims.length === 0 ? word : `slowing ${victimText(hero.victims)}`
  const first = hero.form === 'suspect' ? `${hurt}${others}` : `${hero.text}${others}`
  return {
    tone: 'crit',
    mark: hero.form === 'suspect' ? 'crit' : 'critOpen',
    title: edge === null ? shortName(id) : `${shortName(edge.from)} to ${shortName(edge.to)}`,
    beside: id.startsWith('outside/') ? '' : cluster,
    facts: [
      hero.victims.length === 0 ? '' : (hero.word ?? ''),
      own,
      [p99, grown].filter(Boolean).join(' '),
      since,
    ].filter(Boolean),
    lines: [first],
    named: true,
  }
}

const NAMED_VICTIMS = 4

/** `shop/web (east), cart, rates and 3 more`: the first in full, the others by their last name. */
function victimText(ids: readonly string[]): string {
  const [first = '', ...others] = ids
  const [cluster = ''] = first.split('/')
  const named = others.slice(0, NAMED_VICTIMS - 1).map((id) => shortName(id).split('/').at(-1) ?? id)
  const more = others.length - named.length
  return [`${shortName(first)} (${cluster})`, ...named].join(', ') + (more > 0 ? ` and ${more} more` : '')
}

function quietLine(frame: WallFrame): string {
  const count = frame.clusters.reduce((sum, { names }) => sum + names.length, 0)
  const now = Date.parse(frame.sentAt)
  const last =
    frame.lastTroubleAt === null
      ? `none in trouble since ${clock(frame.watchingSince, 'local')}`
      : `last trouble ${roughly((now - Date.parse(frame.lastTroubleAt)) / 1_000)} ago`
  const clusters = frame.clusters.length
  return `${count} deployments in ${clusters} ${clusters === 1 ? 'cluster' : 'clusters'}, ${last}`
}

function elseLine({ clusters }: WallFrame): string {
  const seen = clusters.filter(({ state }) => state === 'ok' || state === 'partial')
  const count = seen.reduce((sum, { names }) => sum + names.length, 0)
  return `nothing unusual in the ${count} deployments that are seen`
}

function lastSeen(frame: WallFrame): string {
  const { form, id } = frame.hero
  return form === 'suspect' || form === 'trouble' ? `trouble in ${shortName(id ?? '')}` : 'all quiet'
}

function screen(tone: HeroView['tone'], mark: Mark, title: string, lines: readonly string[]): HeroView {
  return { tone, mark, title, beside: '', facts: [], lines, named: false }
}

function bare(origin: string): string {
  return origin.replace(/^https?:\/\//, '')
}
