import { apart, type Chosen, textFor } from './apart.ts'
import { CLUSTER_LABEL } from './choose-clusters.ts'
import { cutPositions } from './cut-positions.ts'
import { askEach, type Member, type Outcome, type ReadLimits, type Taken } from './fan-out.ts'
import { type Asked, askedIn, type JoinPlan, joinPlan, NotJoinable } from './join-plan.ts'
import type { JoinRow } from './join-row.ts'
import { joinRows, readJoinRows } from './join-rows.ts'
import { labelled } from './merge-results.ts'
import { divide, isExact } from './needs-all.ts'
import type { ParsedPromql } from './parse-promql.ts'
import { type Fields, post, type ReadAnswer, type ReadScope, resultOf } from './read-answer.ts'
import { type Missing, ReadFailure } from './read-failure.ts'
import { writtenRows } from './write-rows.ts'

interface Planned {
  readonly parsed: ParsedPromql
  readonly members: readonly Member[]
  readonly wanted: readonly Member[]
  readonly moved: ReadonlySet<string>
}

interface Asking {
  readonly path: '/query' | '/query_range'
  readonly fields: Fields
  readonly limits: ReadLimits
  readonly inOrder: Parameters<typeof resultOf>[3]
}

/** Questions to each cluster at once; a page of sums and quotients takes a handful. */
const MOST_PARTS = 20

/** An answer over all clusters, or why there is none. */
export type JoinedAnswer = ReadAnswer | { readonly reason: string }

/**
 * One answer over several clusters, where it can be made of each one's own: sums and counts are added up, of the
 * largest the largest is taken, buckets are added up before a quantile is. A cluster that does not answer to a part
 * of it is missing in all of it, or the parts would be of unlike clusters.
 */
export async function askJoined(plan: Planned, asking: Asking, scope: ReadScope): Promise<JoinedAnswer> {
  try {
    const join = joinPlan(plan.parsed)
    const questions = new Map(askedIn(join).map((asked) => [asked, questionOf(asked, plan)]))
    return await answered(join, questions, plan, asking, scope)
  } catch (error) {
    if (error instanceof NotJoinable) return { reason: error.message }
    // Asked as it was written the refusal speaks of the right places.
    if (error instanceof ReadFailure && error.errorType === 'bad_data') return { reason: error.message }
    throw error
  }
}

function questionOf(asked: Asked, { members, moved }: Planned): Chosen {
  const [question, inner] = [apart(asked.text, members, moved), apart(asked.inner, members, moved)]
  if (question === null || inner === null) throw new NotJoinable('a part of it is not understood alone')
  if (inner.parsed.selectors.length === 0)
    throw new NotJoinable(`${asked.word} here reads no series, which would be there once for each cluster`)
  const division = divide(inner.parsed, inner.chosen)
  if (!isExact(division)) throw new NotJoinable(division.refusal ?? division.infos.join('; '))
  return question
}

async function answered(
  join: JoinPlan,
  questions: ReadonlyMap<Asked, Chosen>,
  { wanted }: Planned,
  { path, fields, limits, inOrder }: Asking,
  scope: ReadScope,
): Promise<ReadAnswer> {
  // A limit is one of the answer, not of the parts that it takes.
  const given = fields.filter(([name]) => name !== 'limit')
  // The same text has the same answer: it is asked once, however often it stands there.
  const byText = new Map([...questions].map(([{ text }, question]) => [text, question]))
  if (byText.size > MOST_PARTS)
    throw new NotJoinable(
      `it takes ${byText.size} questions to each cluster, more than the ${MOST_PARTS} that one answer may take; split it up`,
    )
  const taken: Taken = { bytes: 0, rows: 0 }
  const outcomeByText = new Map(
    await Promise.all(
      [...byText].map(async ([text, question]) => {
        const outcome = await askEach(
          wanted,
          {
            ask: (member) => post(path, [['query', textFor(question, member)], ...given]),
            read: (data, member) => readJoinRows(data, (labels) => withoutCluster(labels, member)),
          },
          limits,
          scope,
          taken,
        )
        return [text, outcome] as const
      }),
    ),
  )
  const outcomes = [...outcomeByText.values()]
  const missing = missingIn(outcomes)
  const gone = new Set(missing.map(({ cluster }) => cluster))
  if (gone.size === wanted.length) throw new ReadFailure('unavailable', 'no cluster answered to every part', missing)
  const answers = new Map(
    [...outcomeByText].map(([text, { parts }]) => [
      text,
      new Map(
        parts
          .filter(({ cluster }) => !gone.has(cluster))
          .map((part) => [part.cluster, part.rows as readonly JoinRow[]]),
      ),
    ]),
  )
  const { rows, lostBounds, warnings } = joinRows(join, ({ text }) => answers.get(text) ?? new Map())
  const parts = outcomes.flatMap((outcome) => outcome.parts.filter(({ cluster }) => !gone.has(cluster)))
  const type = parts.some((part) => part.type === 'matrix') ? 'matrix' : 'vector'
  const written = writtenRows(rows, type)
  const told = parts.map((part, index) => ({ ...part, type, rows: index === 0 ? written : [] }))
  const having = new Set(parts.filter((part) => part.rows.length > 0).map(({ cluster }) => cluster))
  const names = wanted.map(({ name }) => name).filter((name) => !gone.has(name))
  const answer = resultOf(
    cutPositions({ parts: told, missing }, () => true),
    toldOf(join, names, having, lostBounds),
    scope.limit,
    inOrder,
  )
  return { ...answer, warnings: [...answer.warnings, ...warnings] }
}

/** What the cluster was left out of: a label of that name is one of the series' own, and called otherwise. */
function withoutCluster(labels: JoinRow['labels'], member: Member): JoinRow['labels'] {
  const { [CLUSTER_LABEL]: _cluster, ...rest } = labelled(labels, member)
  return rest as JoinRow['labels']
}

/** A cluster that is missing in one part is missing. */
function missingIn(outcomes: readonly Outcome[]): readonly Missing[] {
  const byCluster = new Map<string, Missing>()
  for (const { missing } of outcomes) for (const one of missing) byCluster.set(one.cluster, one)
  return [...byCluster.values()]
}

const TOLD: Readonly<Record<string, string>> = {
  sum: 'sums were added up',
  count: 'counts were added up',
  max: 'the largest of their largest was taken',
  min: 'the smallest of their smallest was taken',
  avg: 'averages were made of their sums and counts',
  group: 'groups were put together',
}

/** How it came about. */
function toldOf(
  join: JoinPlan,
  asked: readonly string[],
  having: ReadonlySet<string>,
  lostBounds: readonly number[],
): string[] {
  const without = asked.filter((name) => !having.has(name))
  const whose = `joined over ${asked.filter((name) => having.has(name)).join(', ') || 'none'}`
  const empty = without.length === 0 ? '' : `; no such series in ${without.join(', ')}`
  const how = new Set(howOf(join))
  const told = [`${whose}: ${[...how].join('; ')}${empty}`]
  if (lostBounds.length === 0) return told
  return [...told, `their buckets differ: only boundaries that all have could be kept, not ${lostBounds.join(', ')}`]
}

function howOf(plan: JoinPlan): readonly string[] {
  switch (plan.kind) {
    case 'asked':
      return [TOLD[plan.word] ?? plan.word]
    case 'quantile':
      return ['buckets were added up before the quantile was taken, no percentile was averaged']
    case 'ofNative':
      return ['native histograms were added up']
    case 'each':
      return howOf(plan.of)
    default:
      return [...howOf(plan.left), ...howOf(plan.right)]
  }
}
