import { list, object } from '../../prometheus/envelope.ts'
import { askEach, type Member } from './fan-out.ts'
import { meets, refuseCostlyPatterns } from './label-patterns.ts'
import { withLeftOut } from './left-out.ts'
import { type MatchSelector, selectorsOf } from './match-selectors.ts'
import { readAlerts, readRuleGroups } from './merge-results.ts'
import type { Selector } from './parse-promql.ts'
import {
  type Fields,
  get,
  listOf,
  post,
  type ReadAnswer,
  type ReadContext,
  type ReadScope,
  selected,
} from './read-answer.ts'

type Json = Readonly<Record<string, unknown>>

/** Which rules are wanted; an empty list = all. */
export interface RuleFilter {
  readonly names: readonly string[]
  readonly groups: readonly string[]
  /** As they are told here or by their own Prometheus. */
  readonly files: readonly string[]
  /** Selectors, of which a rule's labels meet one. */
  readonly match: readonly string[]
}

/**
 * `/rules`: every group of every cluster. It is chosen here what is wanted of them: an older Prometheus does not know
 * how, and none knows its cluster or what its files are called here.
 */
export async function readRules(
  context: ReadContext,
  fields: Fields,
  filter: RuleFilter,
  scope: ReadScope,
): Promise<ReadAnswer> {
  const members = selected(context, scope)
  const asText = filter.match.map((text) => ['match[]', text] as const)
  const match = await selectorsOf(filter.match, post('/labels', asText), members, scope)
  refuseCostlyPatterns(
    match.flatMap(({ one }) =>
      one.selectors.flatMap((selector) =>
        isNamed(selector) ? [] : selector.conditions.flatMap(({ matcher }) => matcher ?? []),
      ),
    ),
  )
  const question = { ask: () => get('/rules', fields), read: readRuleGroups }
  const outcome = await askEach(members, question, context.limits, scope)
  const groups = outcome.parts.flatMap(({ cluster, rows }) =>
    rows.flatMap((row) => chosenOf(object(row, 'group'), cluster, filter, match)),
  )
  const answer = { ...listOf(outcome, groups, 0), head: '{"groups":[', tail: ']}' }
  return withLeftOut(context, scope, [], answer)
}

/** The group with the rules that are wanted; nothing where there are none. */
function chosenOf(group: Json, cluster: string, filter: RuleFilter, match: readonly MatchSelector[]): readonly Json[] {
  const { names, groups, files } = filter
  if (names.length + groups.length + files.length + match.length === 0) return [group]
  const file = String(group.file)
  const own = file.slice(cluster.length + 1)
  if (groups.length > 0 && !groups.includes(String(group.name))) return []
  if (files.length > 0 && !files.includes(file) && !files.includes(own)) return []
  const rules = list(group.rules, 'rules').filter((given) => {
    const rule = object(given, 'rule')
    if (names.length > 0 && !names.includes(String(rule.name))) return false
    return match.length === 0 || match.some(({ one }) => isMet(one, object(rule.labels ?? {}, 'labels')))
  })
  return rules.length === 0 ? [] : [{ ...group, rules }]
}

/** Labels alone count, as in Prometheus: a rule has no label with its name. */
function isMet({ selectors }: MatchSelector['one'], labels: Json): boolean {
  return selectors.every(
    (selector) =>
      !isNamed(selector) &&
      selector.conditions.every(
        ({ matcher }) => matcher === null || meets(matcher, String(labels[matcher.label] ?? '')),
      ),
  )
}

function isNamed({ named, conditions }: Selector): boolean {
  return named || conditions.some(({ matcher }) => matcher === null)
}

/** `/alerts`: those that fire or are pending anywhere. */
export async function readActiveAlerts(context: ReadContext, scope: ReadScope): Promise<ReadAnswer> {
  const ask = ({ matcher }: Member) => (matcher === null ? get('/alerts', []) : get('/rules', [['type', 'alert']]))
  const question = { ask, read: readAlerts }
  const outcome = await askEach(selected(context, scope), question, context.limits, scope)
  const alerts = outcome.parts.flatMap(({ rows }) => rows)
  const answer = { ...listOf(outcome, alerts, 0), head: '{"alerts":[', tail: ']}' }
  return withLeftOut(context, scope, [], answer)
}
