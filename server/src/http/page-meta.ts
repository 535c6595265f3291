import type { Entry } from '../links/link-store.ts'
import { PREVIEW_SIZE } from './preview-svg.ts'

/** What a preview of a link says. */
export interface PageMeta {
  readonly title: string
  readonly description: string
  /** Address of a picture with the same words; unset: none. */
  readonly image?: string
}

/** What is known without asking anybody. */
export interface KnownVerdict {
  readonly atSeconds: number
  readonly text: string
  readonly named: readonly string[]
}

const SCREENS: Readonly<Record<string, string>> = {
  fleet: 'Fleet',
  map: 'Map',
  triage: 'Triage',
  compare: 'Compare',
  explore: 'Explore',
  clusters: 'Clusters',
  wall: 'Wall',
}
const ABOUT = 'Golden signals and service edges over several clusters in one picture'
const LONGEST = 300
/** A frozen link is mostly looked at right after it was made: the verdict of that minute is the one it shows. */
const SAME_MOMENT_SECONDS = 90

/** Title and description of a page, from what was asked for already: a preview never makes Goldseam ask a cluster. */
export function pageMeta(url: URL, verdict: KnownVerdict | null, entry: Entry | null): PageMeta {
  if (entry !== null) return entryMeta(entry)
  const what = nameOf(url.pathname)
  const title = what === '' ? 'Goldseam' : `${what} - Goldseam`
  const to = url.searchParams.get('to') ?? 'now'
  const frozenAt = to.startsWith('now') ? null : Date.parse(to) / 1_000
  if (frozenAt !== null && !(verdict && Math.abs(verdict.atSeconds - frozenAt) <= SAME_MOMENT_SECONDS))
    return { title, description: Number.isNaN(frozenAt) ? ABOUT : `Frozen view, ${utc(frozenAt)}` }
  if (verdict === null) return { title, description: ABOUT }
  const id = idOf(url.pathname)
  const unnamed = id !== null && !verdict.named.includes(id)
  const quiet = unnamed && verdict.named.length > 0 ? `${id} is not part of it.` : ''
  return {
    title,
    description: clipped([`${utc(verdict.atSeconds)}: ${verdict.text}`, quiet].filter(Boolean).join(' ')),
  }
}

function entryMeta({ title, kind, verdict, createdAtSeconds, snapshotAtSeconds, state }: Entry): PageMeta {
  const name = clipped(title === '' ? 'Goldseam' : title)
  if (state === 'expired') return { title: name, description: `A link of ${utc(createdAtSeconds)} that has expired` }
  if (kind === 'link') return { title: name, description: `A link of ${utc(createdAtSeconds)}` }
  return {
    title: name,
    description: clipped(`Saved evidence, ${utc(snapshotAtSeconds ?? createdAtSeconds)}: ${verdict ?? ''}`),
  }
}

/** Puts them into the page's head. Everything is escaped: names come out of addresses and metrics. */
export function withMeta(html: string, { title, description, image }: PageMeta): string {
  const tags = [
    `<meta property="og:site_name" content="Goldseam" />`,
    `<meta property="og:type" content="website" />`,
    `<meta property="og:title" content="${escaped(title)}" />`,
    `<meta property="og:description" content="${escaped(description)}" />`,
    `<meta name="twitter:card" content="${image === undefined ? 'summary' : 'summary_large_image'}" />`,
    ...(image === undefined ? [] : imageTags(image)),
  ]
  // A function: in a text, `$&` of a title would stand for something.
  return html.replace('</head>', () => `  ${tags.join('\n    ')}\n  </head>`)
}

function imageTags(address: string): string[] {
  const { width, height } = PREVIEW_SIZE
  return [
    `<meta property="og:image" content="${escaped(address)}" />`,
    `<meta property="og:image:width" content="${width}" />`,
    `<meta property="og:image:height" content="${height}" />`,
  ]
}

/** Tells the page which build it is of: its first answer may come from the next one already. */
export function withBuild(html: string, build: string): string {
  return html.replace('</head>', () => `  <meta name="goldseam-build" content="${escaped(build)}" />\n  </head>`)
}

function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '').replace(/\p{Cc}/gu, ' ')
}

function clipped(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 3)}...`
}

function nameOf(pathname: string): string {
  const id = idOf(pathname)
  if (id !== null) {
    const [cluster = '', ...rest] = id.split('/')
    return clipped(`${rest.join('/')} (${cluster})`)
  }
  return SCREENS[pathname.split('/')[1] ?? ''] ?? ''
}

function idOf(pathname: string): string | null {
  const parts = /^\/d\/([^/]+)\/([^/]+)\/(.+)$/.exec(pathname)
  try {
    return parts === null ? null : parts.slice(1).map(decodeURIComponent).join('/')
  } catch {
    return null
  }
}

/** "21 Nov 03:31 UTC". */
function utc(atSeconds: number): string {
  const at = new Date(atSeconds * 1_000)
  const month = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'][at.getUTCMonth()]
  return `${at.getUTCDate()} ${month} ${at.toISOString().slice(11, 16)} UTC`
}
