import { textFor } from './apart.ts'
import { askJoined } from './ask-joined.ts'
import { askWhole, type NotWhole } from './ask-whole.ts'
import { clustersChosen, queryFor, withoutMark } from './choose-clusters.ts'
import { cutPositions } from './cut-positions.ts'
import { askAny, askEach, type Member } from './fan-out.ts'
import { isQuantile } from './join-plan.ts'
import { withLeftOut } from './left-out.ts'
import { lookForOwn, type OwnLabels } from './look-for-own.ts'
import { readExemplars, readResult } from './merge-results.ts'
import { type Division, divide, isExact } from './needs-all.ts'
import { hidesOwn } from './own-label.ts'
import { type ParsedPromql, parsePromql, type Selector } from './parse-promql.ts'
import {
  type Fields,
  listOf,
  post,
  type Question,
  type ReadAnswer,
  type ReadContext,
  type ReadScope,
  resultOf,
  selected,
} from './read-answer.ts'
import { ReadFailure } from './read-failure.ts'
import { refuseCostly } from './refuse-costly.ts'
import { sortOf } from './sort-rows.ts'
import { wholeQuery } from './whole-query.ts'

const NOT_UNDERSTOOD = 'this version of Goldseam does not understand the query, though a Prometheus here does'
/** Begins the word on why there is no one answer over all clusters. */
const NOT_JOINED = 'not joined'
const NOTHING_CHOSEN = 'no cluster meets the conditions on the label "cluster"'

/** `/query` or `/query_range`; `fields` hold its times. */
export async function readQuery(
  context: ReadContext,
  path: '/query' | '/query_range',
  promql: string,
  fields: Fields,
  scope: ReadScope,
): Promise<ReadAnswer> {
  return withLeftOut(context, scope, [promql], await queried(context, path, promql, fields, scope))
}

async function queried(
  context: ReadContext,
  path: '/query' | '/query_range',
  promql: string,
  fields: Fields,
  scope: ReadScope,
): Promise<ReadAnswer> {
  const ask = (query: string) => post(path, [['query', query], ...fields])
  const plan = await planned(context, promql, ask, fields, scope)
  const { parsed, chosen, wanted, own } = plan
  if (wanted.length === 0) return askedOnce(plan, ask, scope)
  const division = divisionOf(plan)
  const whole = isExact(division) ? null : wholeQuery(parsed, chosen, wanted)
  const tried = whole === null ? null : await askWhole(whole, ask, context.limits, scope)
  if (tried !== null && 'outcome' in tried)
    return resultOf(
      cutPositions(tried.outcome, () => whole?.promql !== promql),
      [],
      scope.limit,
    )
  if (tried !== null && tried.failure.errorType === 'bad_data') return reworded(tried.failure, plan, ask, scope)
  const left = tried === null ? scope : withTimeLeft(scope, tried)
  const notWhole = tried === null ? [] : [tried.info]
  // Over a range Prometheus sorts nothing.
  const inOrder = wanted.length > 1 && path === '/query' ? sortOf(parsed) : null
  // What each of them says of a percentile tells nothing about all of them: that one is joined unasked.
  if (wanted.length > 1 && (scope.join || (!isExact(division) && isQuantile(parsed)))) {
    const joined = await askJoined(plan, { path, fields, limits: context.limits, inOrder }, left)
    if (!('reason' in joined)) return { ...joined, infos: [...joined.infos, ...own.infos, ...notWhole] }
    if (scope.join) notWhole.push(`${NOT_JOINED}: ${joined.reason}`)
  }
  if (division.refusal !== null) throw tried?.failure ?? new ReadFailure('bad_data', division.refusal)
  const texts = new Map(wanted.map((member) => [member.name, textFor(plan, member)]))
  const outcome = await askEach(
    wanted,
    {
      ask: ({ name }) => ask(texts.get(name) ?? promql),
      read: (data, member) => readResult(data, member, wanted.length === 1),
    },
    context.limits,
    left,
  ).catch((error: unknown) => reworded(error, plan, ask, left))
  const told = cutPositions(outcome, (cluster) => texts.get(cluster) !== promql)
  const infos = new Set([...division.infos, ...own.infos, ...notWhole])
  return resultOf(told, [...infos], scope.limit, inOrder)
}

/** Of one cluster only that is said which is not as if its series carried its name. */
function divisionOf({ parsed, chosen, wanted }: Plan): Pick<Division, 'infos' | 'refusal'> {
  const division = divide(parsed, chosen)
  return wanted.length > 1 ? division : { infos: wanted.some(hidesOwn) ? division.unlabelled : [], refusal: null }
}

/** Throws where whoever asks has waited long enough. */
function withTimeLeft(scope: ReadScope, { failure, seconds }: NotWhole): ReadScope {
  if (scope.timeoutSeconds === null) return scope
  const timeoutSeconds = scope.timeoutSeconds - seconds
  if (timeoutSeconds <= 0) throw failure
  return { ...scope, timeoutSeconds }
}

/** `/query_exemplars`. */
export async function readExemplarsOf(
  context: ReadContext,
  promql: string,
  fields: Fields,
  scope: ReadScope,
): Promise<ReadAnswer> {
  const ask = (query: string) => post('/query_exemplars', [['query', query], ...fields])
  const plan = await planned(context, promql, ask, fields, scope)
  if (plan.wanted.length === 0) return listOf({ parts: [], missing: [] }, [], 0)
  const question = { ask: (member: Member) => ask(textFor(plan, member)), read: readExemplars }
  const outcome = await askEach(plan.wanted, question, context.limits, scope).catch((error: unknown) =>
    reworded(error, plan, ask, scope),
  )
  const rows = outcome.parts.flatMap((part) => part.rows)
  return withLeftOut(context, scope, [promql], listOf(outcome, rows, 0))
}

/** A query understood: which clusters each of its selectors speaks of. */
interface Plan {
  readonly promql: string
  readonly parsed: ParsedPromql
  readonly members: readonly Member[]
  readonly chosen: ReadonlyMap<Selector, ReadonlySet<string>>
  /** Those that any selector speaks of. */
  readonly wanted: readonly Member[]
  readonly moved: ReadonlySet<string>
  readonly own: OwnLabels
}

async function planned(
  context: ReadContext,
  promql: string,
  ask: (query: string) => Question,
  fields: Fields,
  scope: ReadScope,
): Promise<Plan> {
  const members = selected(context, scope)
  const parsed = parsePromql(promql)
  if (parsed !== null) refuseCostly([parsed])
  const chosen = parsed === null ? null : clustersChosen(parsed, members)
  // What our grammar does not know is for a real Prometheus to refuse, in its own words.
  if (parsed === null || chosen === null) throw await notUnderstood(ask(promql), members, scope)
  const wanted = members.filter(({ name }) => [...chosen.values()].some((names) => names.has(name)))
  const own = await lookForOwn([parsed], wanted, fields, context, scope)
  return { promql, parsed, members, chosen, wanted, moved: own.moved, own }
}

/** Reads no series, or those of no cluster: one Prometheus can tell what it comes to, and any will do. */
async function askedOnce(
  { parsed, members }: Plan,
  ask: (query: string) => Question,
  scope: ReadScope,
): Promise<ReadAnswer> {
  const text = queryFor(parsed, () => false)
  const { cluster, answer } = await askAny(members, ask(text), scope)
  const { resultType, result, stats } = answer.data as { resultType: string; result: unknown[]; stats?: unknown }
  const part = { ...answer, cluster, type: resultType, rows: result.map(withoutMark), stats }
  const told = cutPositions({ parts: [part], missing: [] }, () => text !== parsed.text)
  const given = resultOf(told, [], scope.limit)
  return parsed.selectors.length === 0 ? given : { ...given, warnings: [...given.warnings, NOTHING_CHOSEN] }
}

/** A refusal speaks of positions in the text: they have to be those of the text that was sent to us. */
async function reworded(
  error: unknown,
  plan: Plan,
  ask: (query: string) => Question,
  scope: ReadScope,
): Promise<never> {
  const changed = plan.wanted.some((member) => textFor(plan, member) !== plan.promql)
  if (!changed || !(error instanceof ReadFailure) || error.errorType !== 'bad_data') throw error
  throw await notUnderstood(ask(plan.promql), plan.wanted, scope, error)
}

/** What a Prometheus has to say against the text; `otherwise` where it has nothing. */
export async function notUnderstood(
  question: Question,
  members: readonly Member[],
  scope: ReadScope,
  otherwise: ReadFailure = new ReadFailure('bad_data', NOT_UNDERSTOOD),
): Promise<ReadFailure> {
  try {
    await askAny(members, question, scope)
    return otherwise
  } catch (error) {
    if (error instanceof ReadFailure) return error
    throw error
  }
}
