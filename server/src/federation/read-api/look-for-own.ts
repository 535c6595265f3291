import type { Matcher } from '../../dialects/promql.ts'
import { CLUSTER_LABEL, selectorEdit } from './choose-clusters.ts'
import { askEach, type Member, type Part } from './fan-out.ts'
import { readList } from './merge-results.ts'
import { hidesOwn, missedOf, namingCluster, OWN_LABEL, speaksOfOwn } from './own-label.ts'
import type { Condition, ParsedPromql, Selector } from './parse-promql.ts'
import { type Fields, matchersOf, post, type ReadContext, type ReadScope } from './read-answer.ts'
import { ReadFailure } from './read-failure.ts'

/** What is known of labels `cluster` that series have of their own. */
export interface OwnLabels {
  /** Clusters where `exported_cluster` means such a label. */
  readonly moved: ReadonlySet<string>
  readonly infos: readonly string[]
}

/** Only series with such a label meet these. */
export function ownConditionsOf({ name }: Pick<Member, 'name'>): readonly Matcher[] {
  return ['', name].map((value): Matcher => ({ label: CLUSTER_LABEL, op: '!=', value }))
}

const BEFORE_SECONDS = 3_600

/**
 * Looks up what `exported_cluster` means in each cluster, where a query depends on it: the series it reads may as well
 * have a label of that very name. `times` are those of the query.
 */
export async function lookForOwn(
  queries: readonly ParsedPromql[],
  members: readonly Member[],
  times: Fields,
  { limits }: Pick<ReadContext, 'limits'>,
  scope: ReadScope,
): Promise<OwnLabels> {
  const asked = members.filter((member) => hidesOwn(member) && member.blind === undefined)
  const words = asked.length === 0 ? [] : [...new Set(queries.flatMap(namingCluster))]
  const infos = words.map(
    (word) => `${word} was evaluated in each cluster on its own, where there is no label "cluster"`,
  )
  if (asked.length === 0 || !queries.some(speaksOfOwn)) return { moved: new Set(), infos }
  const stretch = stretchOf(times)
  const matching = (member: Member, conditions: readonly Matcher[]) =>
    queries.flatMap((parsed) =>
      parsed.selectors.map((one) => narrowed(parsed, one, [...matchersOf(member), ...conditions])),
    )
  const asking = (conditionsOf: (member: Member) => readonly Matcher[]) =>
    answers((member) => {
      const match = matching(member, conditionsOf(member)).map((text) => ['match[]', text] as const)
      return post('/labels', [...stretch, ...match])
    })
  const answers = async (ask: Parameters<typeof askEach>[1]['ask']): Promise<readonly Part[]> => {
    try {
      return (await askEach(asked, { ask, read: readList }, limits, scope)).parts
    } catch (error) {
      if (error instanceof ReadFailure) return []
      throw error
    }
  }
  const [moving, calling] = await Promise.all([
    asking(ownConditionsOf),
    asking(() => [{ label: OWN_LABEL, op: '!=', value: '' }]),
  ])
  const having = (parts: readonly Part[], name: string) =>
    parts.some(({ cluster, rows }) => cluster === name && rows.length > 0)
  const known = new Set(moving.map(({ cluster }) => cluster))
  const moved = asked.filter(({ name }) => !known.has(name) || having(moving, name))
  const both = moved.filter(({ name }) => having(calling, name)).map(({ name }) => name)
  const meant = moved.filter(({ name }) => !both.includes(name))
  const missed = meant.flatMap(({ name }) =>
    [...new Set(queries.flatMap((parsed) => missedOf(parsed, name)))].map(
      (condition) =>
        `series of cluster ${name} whose own label "${CLUSTER_LABEL}" is "${name}" as well are missing: ${condition} leaves them out there`,
    ),
  )
  const untold = asked.filter(({ name }) => !known.has(name)).map(({ name }) => name)
  return {
    moved: new Set(meant.map(({ name }) => name)),
    infos: [
      ...infos,
      ...missed,
      ...both.map(
        (name) =>
          `cluster ${name} has series with a label "${OWN_LABEL}" and series with another "${CLUSTER_LABEL}": only the former were meant by it`,
      ),
      ...untold.map((name) => `cluster ${name} did not tell what "${OWN_LABEL}" is there`),
    ],
  }
}

/** Labels hardly change within an hour, and a query looks back. */
function stretchOf(times: Fields): Fields {
  const given = new Map(times)
  const start = given.get('start') ?? given.get('time')
  const end = given.get('end') ?? given.get('time')
  return [
    ...(start === undefined ? [] : [['start', String(Number(start) - BEFORE_SECONDS)] as const]),
    ...(end === undefined ? [] : [['end', end] as const]),
  ]
}

/** The series of a selector that meet further conditions, whatever it wants of their own label. */
function narrowed({ text }: ParsedPromql, selector: Selector, added: readonly Matcher[]): string {
  const condition = (one: Condition) => (one.matcher?.label === OWN_LABEL ? [] : [one.text])
  const braces = selectorEdit(selector, added, { edits: [], condition })
  return text.slice(selector.from, braces.from) + braces.text
}
