import { type CompareScope, endpoints, FailoverQuery, type Fleet, frozenSide, Scope } from '../contract/index.ts'
import type { ReadContext } from '../federation/read-api/read-answer.ts'
import type { Answers } from '../links/link-store.ts'
import { collectExplore } from './explore-evidence.ts'
import type { ClusterHandlers } from './handlers.ts'
import { invalidRequest } from './mount.ts'
import { resolveScope, timeOf } from './scope-of.ts'
import { wholeOf } from './written.ts'

export interface Evidence {
  /** The same page, looking at the instant of the answers for good. */
  readonly address: string
  readonly at: string
  readonly verdict: string
  readonly answers: Answers
  /** What was too large to be asked for. */
  readonly leftOut: readonly string[]
}

/** Who has the answers. */
export interface Asked {
  readonly handlers: ClusterHandlers
  readonly read: ReadContext
  /** Unix seconds. */
  readonly clock: () => number
}

/** Beside the page itself, the pages of those it names: one click further must not end in nothing. */
const MOST_WORKLOADS = 5

/** How many days the page of a failover looks back unless it is told. */
const DEFAULT_DAYS = '7'

/** The tabs of a workload's page. */
const PARTS = ['pods', 'intervals', 'events', 'heatmap', 'queries'] as const

/**
 * Asks everything that the page of an address shows, once. In the order of need, since what is large is cut from the
 * end. Rejects as the handlers do.
 */
export async function collectEvidence(
  { handlers, read, clock }: Asked,
  address: string,
  signal: AbortSignal,
): Promise<Evidence> {
  const url = atItsMoment(new URL(address, 'http://page'), clock())
  const query = scopeOf(url.searchParams)
  const ask = { params: {}, query, signal }
  const fleet = wholeOf(await handlers.fleet(ask))
  const page = workloadOf(url.pathname)
  const answers: Record<string, object> = {}
  const frozen = frozenAt(url, fleet.snapshot.at)
  let leftOut: readonly string[] = []
  if (url.pathname === '/explore') {
    answers[answerKey('clusters', {}, {})] = await handlers.clusters(ask)
    const { searchParams } = new URL(frozen, 'http://page')
    const { from, to } = scopeOf(searchParams)
    const times = resolveScope({ from, to }, Date.parse(fleet.snapshot.at) / 1_000, null)
    const kept = await collectExplore(read, searchParams, { from: times.fromSeconds, to: times.toSeconds }, signal)
    Object.assign(answers, kept.answers)
    leftOut = kept.leftOut
  }
  if (url.pathname === '/compare') {
    const sides = sidesOf(url.searchParams)
    answers[answerKey('compare', {}, sides)] = await handlers.compare({ ...ask, query: { ...query, ...sides } })
  }
  if (url.pathname === '/failover') {
    answers[answerKey('outlooks', {}, {})] = await handlers.outlooks(ask)
    const wanted = failoverOf(url.searchParams, query)
    // What cannot be answered is told by the page, then as now.
    const told = wanted === null ? null : await handlers.failover({ ...ask, query: wanted }).catch(() => null)
    if (wanted !== null && told !== null) answers[answerKey('failover', {}, wanted)] = told
  }
  const cluster = clusterOf(url.pathname)
  if (cluster !== null) {
    // A page of a cluster that nobody configured says so, then as now.
    const told = await handlers.cluster({ ...ask, params: { cluster } }).catch(() => null)
    if (told !== null) answers[answerKey('cluster', { cluster }, {})] = told
  }
  answers[answerKey('suspects', {}, {})] = await handlers.suspects(ask)
  answers[answerKey('alerts', {}, {})] = await handlers.alerts(ask)
  for (const id of [...new Set([...(page === null ? [] : [page]), ...namedIn(fleet)])].slice(0, MOST_WORKLOADS)) {
    const params = splitId(id)
    if (params === null || !fleet.workloads.some((workload) => workload.id === id)) continue
    answers[answerKey('workload', params, {})] = await handlers.workload({ params, query, signal })
    answers[answerKey('suspects', {}, { focus: id })] = await handlers.suspects({
      ...ask,
      query: { ...query, focus: id },
    })
  }
  const parts = page === null ? null : splitId(page)
  for (const name of parts === null ? [] : PARTS) {
    const params = parts ?? {}
    // A part that cannot be told now is missing later, too; the page says so in its place.
    const answer = await handlers[name]({ params, query, signal }).catch(() => null)
    if (answer !== null) answers[answerKey(name, params, {})] = answer
  }
  answers[answerKey('fleet', {}, {})] = fleet
  answers[answerKey('clusters', {}, {})] ??= await handlers.clusters(ask)
  answers[answerKey('topology', {}, {})] = wholeOf(await handlers.topology(ask))
  return { address: frozen, at: fleet.snapshot.at, verdict: fleet.verdict.text, answers, leftOut }
}

/** What decides, beside its path, what an answer says. */
export type AnswerQuery = Pick<CompareScope, 'a' | 'b'> &
  Partial<Pick<FailoverQuery, 'cluster' | 'split' | 'days'>> & { readonly focus?: string | undefined }

/** Names one answer: the endpoint, its path, and what else decides what it says. */
export function answerKey(
  name: keyof typeof endpoints,
  params: Readonly<Record<string, string>>,
  query: AnswerQuery,
): string {
  const path = endpoints[name].params.map((param) => params[param] ?? '').join('/')
  const sides = name === 'compare' ? JSON.stringify([query.a ?? '', query.b ?? '']) : ''
  const gone = name === 'failover' ? JSON.stringify([query.cluster, query.split ?? '', query.days ?? '']) : ''
  return [name, path, query.focus ?? '', sides, gone].filter((part) => part !== '').join(' ')
}

/** A map may show a moment of its window: then the window ends there. */
function atItsMoment(url: URL, nowSeconds: number): URL {
  const { searchParams } = url
  const at = searchParams.get('at') ?? ''
  if (url.pathname !== '/map' || at === '') return url
  searchParams.delete('at')
  const { from, to } = scopeOf(searchParams)
  const { fromSeconds, toSeconds } = resolveScope({ from, to }, nowSeconds, null)
  const momentSeconds = timeOf(at, nowSeconds, 'at')
  for (const [key, seconds] of [
    ['from', momentSeconds - (toSeconds - fromSeconds)],
    ['to', momentSeconds],
  ] as const)
    searchParams.set(key, isoTime(seconds))
  return url
}

/** As the page asks for it; null: no cluster is chosen, or not in words that are understood. */
function failoverOf(search: URLSearchParams, scope: Scope): FailoverQuery | null {
  const split = search.get('split') ?? ''
  const days = search.get('days') ?? DEFAULT_DAYS
  const wanted = { ...scope, cluster: search.get('gone') ?? '', days, ...(split === '' ? {} : { split }) }
  return FailoverQuery.safeParse(wanted).data ?? null
}

function scopeOf(search: URLSearchParams): Scope {
  const wanted = Object.fromEntries(
    ['from', 'to', 'window', 'cmp'].flatMap((key) => {
      const value = search.get(key)
      return value === null || value === '' ? [] : [[key, value]]
    }),
  )
  const parsed = Scope.safeParse(wanted)
  if (parsed.success) return parsed.data
  throw invalidRequest(
    parsed.error.issues.map(({ path, message }) => ({ pointer: `/address/${path.join('/')}`, detail: message })),
  )
}

/** As the page asks for them: what is left out is not asked. */
function sidesOf(search: URLSearchParams): Pick<CompareScope, 'a' | 'b'> {
  const sides = ['a', 'b'].flatMap((side) => {
    const text = search.get(side) ?? ''
    return text === '' ? [] : [[side, text]]
  })
  return Object.fromEntries(sides) as Pick<CompareScope, 'a' | 'b'>
}

function clusterOf(pathname: string): string | null {
  const [, name] = /^\/clusters\/([^/]+)$/.exec(pathname) ?? []
  try {
    return name === undefined ? null : decodeURIComponent(name)
  } catch {
    return null
  }
}

function workloadOf(pathname: string): string | null {
  const parts = /^\/d\/([^/]+)\/([^/]+)\/(.+)$/.exec(pathname)
  if (parts === null) return null
  try {
    return parts.slice(1).map(decodeURIComponent).join('/')
  } catch {
    return null
  }
}

function splitId(id: string): { cluster: string; namespace: string; name: string } | null {
  const [cluster, namespace, ...rest] = id.split('/')
  const name = rest.join('/')
  return cluster && namespace && name ? { cluster, namespace, name } : null
}

function namedIn({ verdict, suspects }: Fleet): string[] {
  const ids = [verdict.subject, verdict.suspect, ...suspects.map(({ id }) => id)]
  return ids.flatMap((id) => (id === null ? [] : id.split('~')))
}

/** A live address becomes one of the instant that was answered for; one of the past stays as it is. */
function frozenAt(url: URL, at: string): string {
  const { searchParams } = url
  const instantOf = (text: string, key: string) => isoTime(timeOf(text, Date.parse(at) / 1_000, key))
  for (const [key, fallback] of [
    ['from', 'now-30m'],
    ['to', 'now'],
  ] as const) {
    const text = searchParams.get(key) ?? fallback
    if (text.startsWith('now')) searchParams.set(key, instantOf(text, key))
  }
  for (const key of ['a', 'b']) {
    const side = searchParams.get(key)
    if (side !== null)
      searchParams.set(
        key,
        frozenSide(side, (text) => instantOf(text, key)),
      )
  }
  for (const key of ['asof', 'k', 'refresh', 'saved']) searchParams.delete(key)
  return `${url.pathname}${url.search}`
}

function isoTime(unixSeconds: number): string {
  return new Date(unixSeconds * 1_000).toISOString().replace(/\.000Z$/, 'Z')
}
