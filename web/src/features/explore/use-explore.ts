import { type QueryClient, type UseQueryResult, useQueries, useQueryClient } from '@tanstack/react-query'
import { type PromAnswer, queryPrometheus } from '../../api/prometheus.ts'
import type { Join, Stretch, View } from './explore-search.ts'
import { labelText } from './series.ts'
import { asksForAll } from './syntax.ts'
import { TOGETHER } from './together.ts'

/** One run of an expression; another `id` asks anew. */
export interface Run {
  readonly id: number
  readonly promql: string
  readonly stretch: Stretch
  readonly view: View
  /** `added`: one answer over all clusters, where it can be made of each one's. */
  readonly join: Join
  /** The code of saved evidence, whose answers it has; empty: the clusters are asked. */
  readonly saved: string
}

export interface ClusterAnswer {
  readonly cluster: string
  readonly query: UseQueryResult<PromAnswer>
}

/**
 * The same expression asked of each cluster on its own: one that is slow or fails holds up nobody else. What has one
 * answer over all of them is asked of all of them as well, or only that where answers are to be added up.
 */
export function useExplore(asked: readonly string[], run: Run): readonly ClusterAnswer[] {
  const joined = isJoined(asked, run)
  const both = asked.length > 1 && asksForAll(run.promql) ? [...asked, TOGETHER] : asked
  const clusters = joined ? [TOGETHER] : both
  const client = useQueryClient()
  const queries = useQueries({
    queries: clusters.map((cluster) => ({
      ...askedOf(cluster, asked, run),
      placeholderData: () => lastOf(client, cluster, run),
    })),
  })
  const answers = clusters.map((cluster, index) => ({ cluster, query: queries[index] as UseQueryResult<PromAnswer> }))
  return joined || clusters === asked ? answers : [...answers.slice(0, -1), sharedOnly(answers)]
}

/** One cluster asked, or all of them together. */
export function askedOf(cluster: string, asked: readonly string[], run: Run) {
  return {
    queryKey: ['explore', cluster, run, ...(cluster === TOGETHER ? [asked] : [])],
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<PromAnswer> => {
      const { stretch, view, promql, saved } = run
      const joined = isJoined(asked, run)
      const when = view === 'table' ? { at: stretch.to } : stretch
      if (cluster !== TOGETHER) return queryPrometheus(promql, when, { clusters: cluster, saved }, signal)
      const answer = await queryPrometheus(promql, when, { clusters: asked.join(','), join: joined, saved }, signal)
      if (joined) return answer
      // What has a cluster is that one's own, and stands there already.
      return { ...answer, series: answer.series.filter(({ labels }) => labels.cluster === undefined) }
    },
  }
}

/** There is nothing to be joined of one cluster. */
export function isJoined(asked: readonly string[], { join }: Pick<Run, 'join'>): boolean {
  return join === 'added' && asked.length > 1
}

/** Of what is over all clusters, what several of them have: the rest is one cluster's own and stands there already. */
function sharedOnly(answers: readonly ClusterAnswer[]): ClusterAnswer {
  const [over, ...own] = answers.toReversed() as [ClusterAnswer, ...ClusterAnswer[]]
  const counts = new Map<string, number>()
  for (const { query } of own) {
    for (const { labels } of query.data?.series ?? [])
      counts.set(labelText(labels), (counts.get(labelText(labels)) ?? 0) + 1)
  }
  const { data } = over.query
  if (data === undefined) return over
  const series = data.series.filter(({ labels }) => (counts.get(labelText(labels)) ?? 0) > 1)
  return { ...over, query: { ...over.query, data: { ...data, series } } as UseQueryResult<PromAnswer> }
}

/** What the same question brought last, for as long as the new answer is on its way. */
function lastOf(client: QueryClient, cluster: string, run: Run): PromAnswer | undefined {
  const like = client
    .getQueryCache()
    .findAll({ queryKey: ['explore', cluster] })
    .filter(({ queryKey: [, , key] }) => {
      const before = key as Run | undefined
      return (
        before?.promql === run.promql &&
        before.join === run.join &&
        before.saved === run.saved &&
        (before.view === 'table') === (run.view === 'table')
      )
    })
  const [newest] = like.sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
  return newest?.state.data as PromAnswer | undefined
}
