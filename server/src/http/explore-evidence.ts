import { z } from 'zod'
import { EXPLORE_QUANTILES, type ExploreStretch, exploreQuantile, exploreStretch, readCode } from '../contract/index.ts'
import { type ReadAnswer, type ReadContext, type ReadScope, rowText } from '../federation/read-api/read-answer.ts'
import { badParameter, ReadFailure } from '../federation/read-api/read-failure.ts'
import { readQuery } from '../federation/read-api/read-query.ts'
import { StoreAway } from '../links/guarded-store.ts'

/** One question of the page, as the read API is asked it. When is told by the address that it is kept with. */
export interface KeptQuestion {
  readonly path: '/query' | '/query_range'
  readonly clusters: readonly string[]
  readonly join: boolean
  readonly promql: string
}

const ERROR_TYPES = [
  ...['bad_data', 'execution', 'timeout', 'canceled'],
  ...['unavailable', 'internal', 'not_found', 'not_acceptable'],
] as const

/** An answer as it is kept: what came, or how it failed. */
const Kept = z.union([
  z.object({
    type: z.string(),
    rows: z.array(z.unknown()),
    warnings: z.array(z.string()),
    infos: z.array(z.string()),
  }),
  z.object({ errorType: z.enum(ERROR_TYPES), error: z.string() }),
])
type Kept = z.infer<typeof Kept>

export interface KeptExplore {
  readonly answers: Readonly<Record<string, object>>
  /** Names of answers that would have been too large together with those before. */
  readonly leftOut: readonly string[]
}

/** Of all answers of the page, uncompressed: series of numbers become about a fifth of it. */
const MOST_CHARACTERS = 3_145_728
const MOST_EXPRESSIONS = 8
const TIMEOUT_SECONDS = 10

/** Names the answer to a question; people read it where it was too large. */
export function exploreKey({ path, clusters, join, promql }: KeptQuestion): string {
  return `explore ${path === '/query' ? 'table' : 'range'} ${[...clusters].sort().join(',')}${join ? ' joined' : ''} ${promql}`
}

/**
 * Asks what the page of Explore asks, in the order of need: as it is looked at first, then for its other views. Its
 * address is frozen: from and to are instants, unix seconds.
 */
export async function collectExplore(
  read: ReadContext,
  search: URLSearchParams,
  { from, to }: { readonly from: number; readonly to: number },
  signal: AbortSignal,
): Promise<KeptExplore> {
  const stretch = exploreStretch(from, to, search.get('step') ?? '')
  const paths = ['/query_range', '/query'] as const
  const inOrder = search.get('view') === 'table' ? paths.toReversed() : paths
  const answers: Record<string, object> = {}
  const leftOut: string[] = []
  let characters = 0
  const keep = ({ key, kept, size }: Answered) => {
    if (characters + size > MOST_CHARACTERS) return void leftOut.push(key)
    characters += size
    answers[key] = kept
  }
  for (const path of inOrder) {
    for (const promql of expressionsIn(search)) {
      const questions = questionsOf(path, promql, read, search)
      const answered = await Promise.all(questions.map((question) => askOne(read, question, stretch, signal)))
      answered.forEach(keep)
      const native = questions.filter((_, index) => answered[index]?.hasNative === true)
      const quantiles = native.flatMap((question) =>
        EXPLORE_QUANTILES.map((q) => ({ ...question, promql: exploreQuantile(q, promql) })),
      )
      for (const one of await Promise.all(quantiles.map((question) => askOne(read, question, stretch, signal))))
        keep(one)
    }
  }
  return { answers, leftOut }
}

interface Answered {
  readonly key: string
  readonly kept: Kept
  readonly size: number
  /** Whether there are native histograms in it. */
  readonly hasNative: boolean
}

async function askOne(
  read: ReadContext,
  question: KeptQuestion,
  { from, to, step }: ExploreStretch,
  signal: AbortSignal,
): Promise<Answered> {
  const { path, clusters, join, promql } = question
  const times = path === '/query' ? { time: to } : { start: from, end: to, step }
  const fields = Object.entries(times).map(([name, value]): [string, string] => [name, String(value)])
  const scope: ReadScope = { clusters, join, limit: 0, timeoutSeconds: TIMEOUT_SECONDS, signal }
  const { kept, size } = await readQuery(read, path, promql, fields, scope).then(keptAnswer, keptFailure)
  const isNative = (row: unknown) => row instanceof Object && ('histogram' in row || 'histograms' in row)
  return { key: exploreKey(question), kept, size, hasNative: 'rows' in kept && kept.rows.some(isNative) }
}

function expressionsIn(search: URLSearchParams): string[] {
  const texts = Array.from({ length: MOST_EXPRESSIONS }, (_, index) => search.get(`e${index + 1}`) ?? '')
  return texts.filter((promql) => promql.trim() !== '')
}

function questionsOf(
  path: KeptQuestion['path'],
  promql: string,
  read: ReadContext,
  search: URLSearchParams,
): readonly KeptQuestion[] {
  const on = new Set((search.get('on') ?? '').split(',').filter(Boolean))
  const clusters = read.members().flatMap(({ name }) => (on.size === 0 || on.has(name) ? [name] : []))
  if (clusters.length === 0) return []
  const together = (join: boolean): KeptQuestion => ({ path, clusters, join, promql })
  if (clusters.length > 1 && search.get('join') === 'added') return [together(true)]
  const each = clusters.map((cluster): KeptQuestion => ({ path, clusters: [cluster], join: false, promql }))
  // Those have an answer over all clusters as well.
  return clusters.length > 1 && promql.includes('histogram_quantile') ? [...each, together(false)] : each
}

function keptAnswer({ head, rows, tail, warnings, infos }: ReadAnswer): { kept: Kept; size: number } {
  const text = `${head}${rows.map(rowText).join()}${tail}`
  const { resultType, result } = JSON.parse(text) as { resultType: string; result: unknown[] }
  return { kept: { type: resultType, rows: result, warnings: [...warnings], infos: [...infos] }, size: text.length }
}

function keptFailure(failure: unknown): { kept: Kept; size: number } {
  if (!(failure instanceof ReadFailure)) throw failure
  return { kept: { errorType: failure.errorType, error: failure.message }, size: failure.message.length }
}

interface SavedBy {
  answers(code: string): Promise<Readonly<Record<string, object>> | null>
  find(code: string): Promise<{ readonly leftOut: readonly string[] } | null>
}

/** What the store says. Throws in Prometheus' way where it cannot be asked. */
async function toldBy<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof StoreAway) throw new ReadFailure('unavailable', `${error.message}; try again in a moment`)
    throw error
  }
}

/** A kept answer as it was given. Throws the failure that was kept, and one of its own where there is none. */
export async function keptExplore(links: SavedBy, code: string, question: KeptQuestion): Promise<ReadAnswer> {
  const known = readCode(code)
  if (known === null) throw badParameter('saved', 'no code of saved evidence: those are 4 to 16 letters and digits')
  const answers = await toldBy(links.answers(known))
  if (answers === null)
    throw new ReadFailure('not_found', `there is no saved evidence ${code}, or it is no longer kept`)
  const key = exploreKey(question)
  const kept = Kept.safeParse(answers[key]).data
  if (kept === undefined) {
    const tooLarge = (await toldBy(links.find(known)))?.leftOut.includes(key) === true
    const why = tooLarge ? 'was too large to be kept with' : 'was not saved with'
    throw new ReadFailure('not_found', `this ${why} the evidence ${code}; ask the clusters for this window instead`)
  }
  if ('errorType' in kept) throw new ReadFailure(kept.errorType, kept.error)
  const { type, rows, warnings, infos } = kept
  return { head: `{"resultType":${JSON.stringify(type)},"result":[`, rows, tail: ']}', warnings, infos }
}
