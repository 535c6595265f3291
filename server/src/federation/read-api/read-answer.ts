import type { Matcher } from '../../dialects/promql.ts'
import type { ForwardedQuestion } from '../../prometheus/api.ts'
import { jsonOf } from '../../prometheus/json-text.ts'
import type { Asking, Member, Outcome, ReadLimits } from './fan-out.ts'
import { badParameter, warningOf } from './read-failure.ts'

export type Fields = readonly (readonly [name: string, value: string])[]

/** What a question is asked with, besides its own fields. */
export interface ReadScope extends Asking {
  /** Names of clusters; null = all. */
  readonly clusters: readonly string[] | null
  /** Most rows to hand back; 0 = all. */
  readonly limit: number
  /** One answer over all clusters is wanted, where it can be made of each one's. */
  readonly join?: boolean
}

/** `data` in pieces: rows with commas between a head and a tail, so that it can be written bit by bit. */
export interface ReadAnswer {
  readonly head: string
  readonly rows: readonly unknown[]
  readonly tail: string
  readonly warnings: readonly string[]
  readonly infos: readonly string[]
}

/** A row as JSON: samples that nobody looked into are written as they came. */
export function rowText(row: unknown): string {
  return jsonOf(row)
}

export interface ReadContext {
  /** Changes where clusters are discovered. */
  readonly members: () => readonly Member[]
  /** Clusters that are there and no members, in words: under their name, or under the host of an endpoint. */
  readonly leftOut: () => readonly { readonly cluster: string; readonly text: string }[]
  /** Once `members` are those of now: while nobody watches, others may have come. */
  readonly upToDate: () => Promise<void>
  readonly limits: ReadLimits
}

export type Question = Omit<ForwardedQuestion, 'timeoutSeconds'>

const TRUNCATED = 'results truncated due to limit'

/** The members that are asked for by name. Throws on a name that is not there. */
export function selected(context: ReadContext, { clusters }: ReadScope): readonly Member[] {
  const members = context.members()
  if (clusters === null) return members
  const known = members.map(({ name }) => name)
  for (const name of clusters) {
    if (!known.includes(name))
      throw badParameter('c', `cluster ${name} is not configured here (known: ${known.join(', ')})`)
  }
  return members.filter(({ name }) => clusters.includes(name))
}

export function post(path: string, fields: Fields): Question {
  return { path: `/api/v1${path}`, method: 'POST', fields }
}

export function get(path: string, fields: Fields): Question {
  return { path: `/api/v1${path}`, method: 'GET', fields }
}

/** What tells a member's series from others behind the same endpoint. */
export function matchersOf({ matcher }: Member): readonly Matcher[] {
  return matcher === null ? [] : [matcher]
}

/** The answer of a query: as the only cluster gave it, or the series of all, put in order before they are cut. */
export function resultOf(
  outcome: Outcome,
  infos: readonly string[],
  limit: number,
  inOrder: ((rows: readonly unknown[]) => readonly unknown[]) | null = null,
): ReadAnswer {
  const types = outcome.parts.map(({ type }) => type)
  const type = types.includes('matrix') ? 'matrix' : (types[0] ?? 'vector')
  const given = outcome.parts.flatMap((part) => part.rows)
  const rows = inOrder === null || type !== 'vector' ? given : inOrder(given)
  const answer = listOf(outcome, rows, type === 'vector' || type === 'matrix' ? limit : 0)
  return {
    ...answer,
    head: `{"resultType":${JSON.stringify(type)},"result":[`,
    tail: `]${statsOf(outcome)}}`,
    infos: [...infos, ...answer.infos],
  }
}

/** Of whoever answered alone: what several cost is nobody's. */
function statsOf({ parts, missing }: Outcome): string {
  const stats = parts.length === 1 && missing.length === 0 ? parts[0]?.stats : undefined
  return stats === undefined ? '' : `,"stats":${jsonOf(stats)}`
}

/** A list, cut at the limit as Prometheus 3 does, with what came along and what is missing. */
export function listOf({ parts, missing }: Outcome, rows: readonly unknown[], limit: number): ReadAnswer {
  const cut = limit > 0 && rows.length > limit
  const told = (one: 'warnings' | 'infos') =>
    parts.flatMap(({ cluster, [one]: texts }) =>
      texts.map((text) => (parts.length === 1 || text === TRUNCATED ? text : `cluster ${cluster}: ${text}`)),
    )
  const warnings = [...missing.map(warningOf), ...told('warnings'), ...(cut ? [TRUNCATED] : [])]
  return {
    head: '[',
    rows: cut ? rows.slice(0, limit) : rows,
    tail: ']',
    warnings: [...new Set(warnings)],
    infos: told('infos'),
  }
}
