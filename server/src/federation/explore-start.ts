import { asksForBuckets } from '../dialects/count-questions.ts'
import { quantile } from '../dialects/promql.ts'
import type { WorkloadRef } from '../domain/identity.ts'
import type { ClusterPast } from './cluster-past.ts'

const P99 = 0.99

/**
 * PromQL to go on from in Explore: a workload's p99 over a window, in its metric's own unit; where its mesh (`dialect`)
 * counts no buckets, what counts its requests. Null where it is asked nothing.
 */
export function exploreStart(
  past: Pick<ClusterPast, 'questions'> | undefined,
  workload: WorkloadRef,
  windowSeconds: number,
  dialect: string | undefined,
): string | null {
  const asked = past?.questions(workload, windowSeconds).filter((one) => one.dialect === dialect) ?? []
  const buckets = asked.find(({ question }) => asksForBuckets(question))
  if (buckets !== undefined) return quantile(P99, buckets.question.promql)
  return asked[0]?.question.promql ?? null
}
