import type { Fleet, Suspect, Workload } from '@goldseam/server/contract'
import { markOf } from '../answers/status.ts'
import type { Zone } from '../format/clock.ts'
import { stretch } from '../format/stretch.ts'
import { nameInSentence } from '../format/workload-name.ts'
import { rangeTrouble } from '../scope/time-fits.ts'
import { parsePhrase } from '../scope/time-phrase.ts'
import { toInstantMs } from '../scope/time-range.ts'
import type { Mark } from '../ui/glyph.tsx'
import { matchScore } from './match-score.ts'

/** What choosing an entry does; the palette carries it out. */
export type Choice =
  | { readonly kind: 'workload'; readonly id: string }
  | { readonly kind: 'address'; readonly href: string }
  | { readonly kind: 'range'; readonly from: string; readonly to: string }
  | { readonly kind: 'cluster'; readonly name: string }
  | { readonly kind: 'action'; readonly name: string }

export interface PaletteItem {
  readonly key: string
  readonly title: string
  readonly detail: string
  readonly mark: Mark | null
  readonly choice: Choice
}

export interface PaletteAction {
  readonly name: string
  readonly title: string
  readonly hint: string
}

export interface PaletteWorld {
  readonly fleet: Pick<Fleet, 'workloads' | 'suspects' | 'clusters'> | undefined
  readonly screens: readonly { readonly path: string; readonly title: string }[]
  readonly actions: readonly PaletteAction[]
  readonly origin: string
  readonly nowMs: number
  readonly zone: Zone
}

const MOST_ITEMS = 12
/** Workloads that are called what was typed, where that could be a time as well. */
const MOST_BEFORE_TIME = 5
/** Trouble comes first among names that match about as well. */
const HEALTH_BONUS = { crit: 6, warn: 3, ok: 0, none: 0 } as const

/** What the palette offers for what is typed; the first entry is what Enter takes. Empty: the suspects, then the screens. */
export function paletteItems(typed: string, world: PaletteWorld): PaletteItem[] {
  const text = typed.trim()
  const { fleet, screens, actions } = world
  if (text === '') {
    return [...(fleet?.suspects ?? []).map(suspectItem), ...screens.map(screenItem), ...actions.map(actionItem)].slice(
      0,
      MOST_ITEMS,
    )
  }
  const address = addressItem(text, world)
  if (address) return [address]
  const time = timeItem(text, world)
  const scored: { readonly score: number; readonly item: PaletteItem; readonly isCalledSo?: boolean }[] = [
    ...(fleet?.workloads ?? []).map((workload) => {
      const score = matchScore(text, workload.id)
      const isCalledSo = workload.name.toLowerCase().startsWith(text.toLowerCase())
      return { score: score && score + HEALTH_BONUS[workload.health], item: workloadItem(workload), isCalledSo }
    }),
    ...(fleet?.clusters ?? []).map(({ name }) => ({ score: matchScore(text, name), item: clusterItem(name) })),
    ...screens.map((screen) => ({ score: matchScore(text, screen.title), item: screenItem(screen) })),
    ...actions.map((action) => ({ score: matchScore(text, action.title), item: actionItem(action) })),
  ]
  const found = scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.item.title.localeCompare(b.item.title))
  const first = isOneWord(text) ? found.filter(({ isCalledSo }) => isCalledSo).slice(0, MOST_BEFORE_TIME) : []
  const inOrder = time ? [...first, { item: time }, ...found.filter((one) => !first.includes(one))] : found
  return inOrder.map(({ item }) => item).slice(0, MOST_ITEMS)
}

/** "mon" and "d" are times, and beginnings of names; "3h" and "last mon" are said of times only. */
function isOneWord(text: string): boolean {
  return /^\p{L}+$/u.test(text)
}

function suspectItem({ id, rank, word, own }: Suspect): PaletteItem {
  const target = own.of === null ? id : id.includes('~') || id.startsWith('outside/') ? own.of : id
  const title = rank === 1 ? `Prime suspect: ${nameInSentence(id)}` : `Suspect ${rank}: ${nameInSentence(id)}`
  return { key: `suspect ${id}`, title, detail: word, mark: 'crit', choice: { kind: 'workload', id: target } }
}

function workloadItem(workload: Workload): PaletteItem {
  const { id, namespace, name, cluster } = workload
  return {
    key: `workload ${id}`,
    title: id.split('/').length > 3 ? id : `${namespace}/${name}`,
    detail: cluster,
    mark: markOf(workload),
    choice: { kind: 'workload', id },
  }
}

function clusterItem(name: string): PaletteItem {
  return {
    key: `cluster ${name}`,
    title: `Only ${name}`,
    detail: 'cluster',
    mark: null,
    choice: { kind: 'cluster', name },
  }
}

function screenItem({ path, title }: PaletteWorld['screens'][number]): PaletteItem {
  return { key: `screen ${path}`, title, detail: 'screen', mark: null, choice: { kind: 'address', href: path } }
}

function actionItem({ name, title, hint }: PaletteAction): PaletteItem {
  return { key: `action ${name}`, title, detail: hint, mark: null, choice: { kind: 'action', name } }
}

function timeItem(text: string, { nowMs, zone }: PaletteWorld): PaletteItem | null {
  const range = parsePhrase(text, nowMs, zone)
  if (range === null || rangeTrouble(range.from, range.to, nowMs) !== null) return null
  const shown = stretch(toInstantMs(range.from, nowMs) ?? nowMs, toInstantMs(range.to, nowMs) ?? nowMs, zone)
  const title = range.to === 'now' ? `${shown}, live` : shown
  return { key: 'time', title, detail: 'time range', mark: null, choice: { kind: 'range', ...range } }
}

/** A pasted link of this Goldseam. Links of others are not followed from here. */
function addressItem(text: string, { origin }: PaletteWorld): PaletteItem | null {
  if (!/^(https?:\/\/|\/(?!\/))/.test(text) || !URL.canParse(text, origin)) return null
  const url = new URL(text, origin)
  if (url.origin !== origin) return null
  const href = `${url.pathname}${url.search}${url.hash}`
  return { key: 'address', title: `Open ${href}`, detail: 'link', mark: null, choice: { kind: 'address', href } }
}
