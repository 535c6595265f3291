import type { WorkloadRef } from '../../domain/identity.ts'
import type { Question } from '../dialect.ts'
import { anyOf, type Matcher, rate, rateFromBirth, saidBy, selector, sumBy, timeOf, union } from '../promql.ts'
import { FAILURE, INBOUND, labelOf, NO_FAILURE, WORKLOAD } from './labels.ts'

/** What the named workloads receive. Not split by host or client: that is for joining clusters, and known already. */
export function workloadQuestions(windowSeconds: number, workloads: readonly WorkloadRef[]): readonly Question[] {
  return questionsBy((by, expression) => sumBy([...WORKLOAD, ...by], expression), windowSeconds, workloads)
}

/** What each pod of a workload receives, as if it were a deployment of that name. */
export function podQuestions(windowSeconds: number, workload: WorkloadRef): readonly Question[] {
  const byPod: GroupedBy = (by, expression) =>
    saidBy('deployment', 'pod', sumBy(['namespace', 'pod', ...by], expression))
  return questionsBy(byPod, windowSeconds, [workload])
}

type GroupedBy = (by: readonly string[], expression: string) => string

function questionsBy(
  grouped: GroupedBy,
  windowSeconds: number,
  workloads: readonly WorkloadRef[],
): readonly Question[] {
  const kinds = [...new Set(workloads.map(({ kind }) => kind))].sort()
  if (kinds.length === 0) return []
  const inbound = (metric: string, by: readonly string[]) =>
    union(...kinds.map((kind) => grouped(by, rate(selector(metric, those(kind)), windowSeconds))))
  const those = (kind: string, ...more: Matcher[]) => [
    ...INBOUND,
    ...matching(workloads.filter((workload) => workload.kind === kind)),
    ...more,
  ]
  const counted = kinds.flatMap((kind) => [
    grouped(['classification'], rate(selector('response_total', those(kind, NO_FAILURE)), windowSeconds)),
    grouped(['classification'], rateFromBirth(windowSeconds, selector('response_total', those(kind, FAILURE)))),
  ])
  return [
    { name: 'inbound', promql: union(...counted), lane: 'fast' },
    { name: 'inboundTime', promql: timeOf('response_latency_ms', (metric) => inbound(metric, [])), lane: 'fast' },
    { name: 'inboundBuckets', promql: inbound('response_latency_ms_bucket', ['le']), lane: 'slow' },
  ]
}

/** Workloads of one kind: any of the namespaces with any of the names, one selector for all of them. */
export function matching(workloads: readonly WorkloadRef[]): readonly Matcher[] {
  const [first] = workloads
  if (first === undefined) return []
  return [
    anyOf(
      'namespace',
      workloads.map(({ namespace }) => namespace),
    ),
    anyOf(
      labelOf(first.kind),
      workloads.map(({ name }) => name),
    ),
  ]
}
