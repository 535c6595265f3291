import type { Matcher } from '../../dialects/promql.ts'
import { spelledFor } from './apart.ts'
import { CLUSTER_LABEL, queryFor } from './choose-clusters.ts'
import { askAny, askEach, type EachQuestion, type Member, type Outcome } from './fan-out.ts'
import { withLeftOut } from './left-out.ts'
import { lookForOwn, ownConditionsOf } from './look-for-own.ts'
import { selectorsOf } from './match-selectors.ts'
import { readLabelSets, readList } from './merge-results.ts'
import { hidesOwn, OWN_LABEL } from './own-label.ts'
import { type ParsedPromql, parsePromql } from './parse-promql.ts'
import {
  type Fields,
  get,
  listOf,
  matchersOf,
  post,
  type Question,
  type ReadAnswer,
  type ReadContext,
  type ReadScope,
  selected,
} from './read-answer.ts'
import { missingBy, ReadFailure } from './read-failure.ts'

/** Label sets or names are asked for with `match[]` selectors and a stretch of time (`fields`). */
export interface Matched {
  readonly match: readonly string[]
  readonly fields: Fields
}

/** `/series`. */
export async function readSeries(context: ReadContext, matched: Matched, scope: ReadScope): Promise<ReadAnswer> {
  const outcome = await matching(context, post('/series', matched.fields), matched.match, scope, readLabelSets)
  return withLeftOut(context, scope, matched.match, listOf(outcome, rowsOf(outcome), scope.limit))
}

/** `/labels`: with `cluster`, wherever there is anything. */
export async function readLabels(context: ReadContext, matched: Matched, scope: ReadScope): Promise<ReadAnswer> {
  const outcome = await matching(context, post('/labels', matched.fields), matched.match, scope, readList)
  const names = new Set(rowsOf(outcome).map(String))
  const having = outcome.parts.filter(({ rows }) => rows.includes(CLUSTER_LABEL)).map(({ cluster }) => cluster)
  const own = await ofOwnLabel(context, post('/labels', matched.fields), matched.match, scope, having)
  if (names.size > 0) names.add(CLUSTER_LABEL)
  if (rowsOf(own).length > 0) names.add(OWN_LABEL)
  return withLeftOut(context, scope, matched.match, listOf(outcome, [...names].sort(), scope.limit))
}

/** `/label/<name>/values`. */
export async function readLabelValues(
  context: ReadContext,
  label: string,
  matched: Matched,
  scope: ReadScope,
): Promise<ReadAnswer> {
  return withLeftOut(context, scope, matched.match, await labelValuesOf(context, label, matched, scope))
}

async function labelValuesOf(
  context: ReadContext,
  label: string,
  matched: Matched,
  scope: ReadScope,
): Promise<ReadAnswer> {
  if (label === CLUSTER_LABEL) return clusterNames(context, matched, scope)
  const question = get(`/label/${inPath(label)}/values`, matched.fields)
  const told = await matching(context, question, matched.match, scope, readList)
  const outcome = label === OWN_LABEL ? both(told, await ownValues(context, matched, scope)) : told
  return listOf(outcome, [...new Set(rowsOf(outcome).map(String))].sort(), scope.limit)
}

/** Names that a path cannot carry, or that would be read as others in it, in the way that Prometheus 3 has for them. */
function inPath(label: string): string {
  if (!label.includes('/') && !/^\.+$/.test(label) && !label.startsWith('U__')) return encodeURIComponent(label)
  const signs = [...label].map((sign) => {
    if (sign === '_') return '__'
    return /[a-zA-Z0-9]/.test(sign) ? sign : `_${sign.codePointAt(0)?.toString(16)}_`
  })
  return `U__${signs.join('')}`
}

function ownValues(context: ReadContext, { match, fields }: Matched, scope: ReadScope): Promise<Outcome> {
  const question = get(`/label/${CLUSTER_LABEL}/values`, fields)
  const names = selected(context, scope).map(({ name }) => name)
  return ofOwnLabel(context, question, match, scope, names)
}

/** Of series with a label `cluster` of their own, in those of the clusters whose Prometheus may have any. */
async function ofOwnLabel(
  context: ReadContext,
  question: Question,
  match: readonly string[],
  scope: ReadScope,
  names: readonly string[],
): Promise<Outcome> {
  const hiding = selected(context, scope).filter((member) => hidesOwn(member) && names.includes(member.name))
  if (hiding.length === 0) return { parts: [], missing: [] }
  const clusters = hiding.map(({ name }) => name)
  try {
    return await matching(context, question, match, { ...scope, clusters }, readList, ownConditionsOf)
  } catch (error) {
    if (error instanceof ReadFailure && error.missing.length > 0) return { parts: [], missing: error.missing }
    throw error
  }
}

/** What is missing in one of them is missing. */
function both(one: Outcome, other: Outcome): Outcome {
  const known = new Set(one.missing.map(({ cluster }) => cluster))
  return {
    parts: [...one.parts, ...other.parts],
    missing: [...one.missing, ...other.missing.filter(({ cluster }) => !known.has(cluster))],
  }
}

/** Those that have a matching series; without a condition all, for nobody need be asked. */
async function clusterNames(context: ReadContext, { match, fields }: Matched, scope: ReadScope): Promise<ReadAnswer> {
  if (match.length === 0) {
    const members = selected(context, scope)
    const names = members.flatMap(({ name, blind }) => (blind === undefined ? [name] : []))
    const missing = members.flatMap(({ name, blind }) => (blind === undefined ? [] : [missingBy(name, blind)]))
    return listOf({ parts: [], missing }, names.sort(), scope.limit)
  }
  const stretch = fields.filter(([name]) => name !== 'limit')
  const outcome = await matching(context, post('/labels', [...stretch, ['limit', '1']]), match, scope, readList)
  const having = outcome.parts.filter(({ rows }) => rows.length > 0).map(({ cluster }) => cluster)
  return listOf(outcome, having.sort(), scope.limit)
}

/** `/metadata`: what metrics are, which does not depend on the cluster. `limit` < 0 = all of them. */
export async function readMetadata(
  context: ReadContext,
  fields: Fields,
  limit: number,
  scope: ReadScope,
): Promise<ReadAnswer> {
  const question: EachQuestion = {
    ask: () => get('/metadata', fields),
    read: (data) => ({ type: '', rows: Object.entries(data ?? {}) }),
  }
  const outcome = await askEach(selected(context, scope), question, context.limits, scope)
  const known = new Map<string, Map<string, unknown>>()
  for (const [metric, entries] of rowsOf(outcome) as [string, unknown][]) {
    if (!known.has(metric) && limit >= 0 && known.size >= limit) continue
    const kinds = known.get(metric) ?? new Map<string, unknown>()
    for (const entry of Array.isArray(entries) ? entries : [])
      kinds.set(JSON.stringify(Object.entries(entry ?? {}).sort()), entry)
    known.set(metric, kinds)
  }
  // Each cluster keeps to it, and two of them may tell of one metric in other words.
  const most = Number(fields.find(([name]) => name === 'limit_per_metric')?.[1] ?? 0)
  const entriesOf = (kinds: ReadonlyMap<string, unknown>) => [...kinds.values()].slice(0, most > 0 ? most : undefined)
  const merged = Object.fromEntries([...known].map(([metric, kinds]) => [metric, entriesOf(kinds)]))
  return withLeftOut(context, scope, [], { ...listOf(outcome, [], 0), head: JSON.stringify(merged), tail: '' })
}

/** `/format_query`, `/parse_query`: about a text only, so any Prometheus can tell. */
export async function readAboutText(
  context: ReadContext,
  path: string,
  fields: Fields,
  scope: ReadScope,
): Promise<ReadAnswer> {
  const { answer } = await askAny(selected(context, scope), post(path, fields), scope)
  return { ...listOf({ parts: [], missing: [] }, [], 0), head: JSON.stringify(answer.data), tail: '' }
}

/** Asks the clusters that any of the selectors speaks of, each with its own. */
async function matching(
  context: ReadContext,
  question: Question,
  match: readonly string[],
  scope: ReadScope,
  read: EachQuestion['read'],
  more: (member: Member) => readonly Matcher[] = () => [],
): Promise<Outcome> {
  const members = selected(context, scope)
  const asText = (texts: readonly string[]): Question => ({
    ...question,
    fields: [...question.fields, ...texts.map((text) => ['match[]', text] as const)],
  })
  const listsNames = question.path !== '/api/v1/series'
  const understood = await selectorsOf(match, asText(match), members, scope)
  const ownOf = (member: Member): readonly ParsedPromql[] =>
    understood
      .filter(({ chosen }) => [...chosen.values()].some((names) => names.has(member.name)))
      .map(({ one }) => one)
  const textsFor = (member: Member): readonly string[] => {
    const own = ownOf(member)
    const everything = match.length === 0 || (listsNames && own.some(isWholeCluster))
    const added = [...matchersOf(member), ...more(member)]
    if (!everything) return own.map((one) => queryFor(one, () => true, added, spelledFor(one, member, moved)))
    return added.length === 0 ? [] : [queryFor(EVERY_SERIES, () => true, added)]
  }
  const { moved } = await lookForOwn(
    understood.map(({ one }) => one),
    members,
    question.fields,
    context,
    scope,
  )
  const wanted = members.filter((member) => match.length === 0 || ownOf(member).length > 0)
  if (wanted.length === 0) return { parts: [], missing: [] }
  return askEach(wanted, { ask: (member) => asText(textsFor(member)), read }, context.limits, scope)
}

/** `{}`: what a member's own condition is added to. */
const EVERY_SERIES: ParsedPromql = parsePromql('{}') ?? neverNull()

/** Only conditions on the cluster: without them nothing is left to ask for. */
function isWholeCluster({ selectors }: ParsedPromql): boolean {
  return selectors.every(
    ({ named, conditions }) => !named && conditions.every(({ matcher }) => matcher?.label === CLUSTER_LABEL),
  )
}

function rowsOf({ parts }: Outcome): readonly unknown[] {
  return parts.flatMap(({ rows }) => rows)
}

function neverNull(): never {
  throw new Error('the grammar does not know {}')
}
