import { apart, textFor } from './apart.ts'
import { askEach, type Member, type ReadLimits } from './fan-out.ts'
import { type MergedRows, mergeBuckets, readBuckets } from './merge-buckets.ts'
import { mergedQuantile } from './merged-quantile.ts'
import { divide, isExact } from './needs-all.ts'
import type { ParsedPromql } from './parse-promql.ts'
import { type Fields, post, type ReadAnswer, type ReadScope, resultOf } from './read-answer.ts'
import { ReadFailure } from './read-failure.ts'

interface Planned {
  readonly parsed: ParsedPromql
  readonly members: readonly Member[]
  readonly wanted: readonly Member[]
}

interface Asked {
  readonly path: '/query' | '/query_range'
  readonly fields: Fields
  readonly limits: ReadLimits
}

/**
 * A quantile over several clusters from their buckets: each is asked for its sums, which are added up before the
 * quantile is taken. Null where the query is no such one, or the buckets are native; then each cluster has its own.
 */
export async function askMerged(
  plan: Planned,
  { path, fields, limits }: Asked,
  scope: ReadScope,
): Promise<ReadAnswer | null> {
  const merged = mergedQuantile(plan.parsed)
  const buckets = merged === null ? null : apart(merged.buckets, plan.members)
  const summed = merged === null ? null : apart(merged.summed, plan.members)
  if (merged === null || buckets === null || summed === null) return null
  // What is summed has to be each cluster's own affair, or the sums would not add up.
  if (!isExact(divide(summed.parsed, summed.chosen))) return null
  let native = false
  // A limit is one of the answer, not of the buckets that it takes.
  const given = fields.filter(([name]) => name !== 'limit')
  const outcome = await askEach(
    plan.wanted,
    {
      ask: (member) => post(path, [['query', textFor(buckets, member)], ...given]),
      read: (data) => {
        const read = readBuckets(data)
        native ||= read === null
        return read ?? { type: '', rows: [] }
      },
    },
    limits,
    scope,
  ).catch((error: unknown) => {
    // Asked as it was written the refusal speaks of the right places.
    if (error instanceof ReadFailure && error.errorType === 'bad_data') return null
    throw error
  })
  if (outcome === null || native) return null
  const found = mergeBuckets(outcome.parts, merged.q, merged.steps)
  const parts = outcome.parts.map((part, index) => ({ ...part, type: found.type, rows: index === 0 ? found.rows : [] }))
  return resultOf({ ...outcome, parts }, toldOf(found), scope.limit)
}

/** How it came about. */
function toldOf({ clusters, lostBounds }: MergedRows): string[] {
  const whose = clusters.join(', ')
  const told =
    clusters.length > 1
      ? `histogram_quantile was taken once: the buckets of ${whose} were added up by "le" before, no percentile was averaged`
      : `histogram_quantile is over all clusters that were asked; ${clusters.length === 0 ? 'none' : `only ${whose}`} had such buckets`
  if (lostBounds.length === 0) return [told]
  return [told, `their buckets differ: only boundaries that all have could be kept, not ${lostBounds.join(', ')}`]
}
