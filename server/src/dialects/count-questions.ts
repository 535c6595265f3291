import type { WorkloadRef } from '../domain/identity.ts'
import type { Dialect, Question } from './dialect.ts'

/** What counts the requests that workloads receive, by the dialects' names for it. */
const COUNTS = ['inbound', 'requests', 'downstream', 'graph', 'spans']
/** What counts their latencies. */
const BUCKETS = ['inboundBuckets', 'downstreamBuckets', 'buckets', 'graphBuckets', 'spanBuckets']

/**
 * How many requests these workloads received over a window and how many of them failed, with their latency buckets
 * where these are wanted: the least that can be asked, because long windows read many samples. Where a dialect cannot
 * be asked for single workloads, the answer holds them all.
 */
export function countQuestions(
  dialect: Dialect,
  windowSeconds: number,
  workloads: readonly WorkloadRef[],
  withBuckets: boolean,
): readonly Question[] {
  const asked = dialect.workloadQuestions?.(windowSeconds, workloads) ?? dialect.questions(windowSeconds)
  const names = withBuckets ? [...COUNTS, ...BUCKETS] : COUNTS
  return asked.filter(({ name }) => names.includes(name))
}

/** Whether a question is for the latency buckets of what workloads receive. */
export function asksForBuckets({ name }: Question): boolean {
  return BUCKETS.includes(name)
}
