import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import { type PromAnswer, queryPrometheus } from '../../api/prometheus.ts'
import type { Stretch, View } from './explore-search.ts'

/** One run of an expression; another `id` asks anew. */
export interface Run {
  readonly id: number
  readonly promql: string
  readonly stretch: Stretch
  readonly view: View
}

export interface ClusterAnswer {
  readonly cluster: string
  readonly query: UseQueryResult<PromAnswer>
}

/** The same expression asked of each cluster on its own: one that is slow or fails holds up nobody else. */
export function useExplore(clusters: readonly string[], run: Run | null): readonly ClusterAnswer[] {
  const queries = useQueries({
    queries: clusters.map((cluster) => ({
      queryKey: ['explore', cluster, run],
      enabled: run !== null,
      retry: false,
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 60_000,
      queryFn: ({ signal }: { signal: AbortSignal }) => {
        if (run === null) throw new Error('nothing to ask')
        const { stretch, view, promql } = run
        return queryPrometheus(promql, view === 'table' ? { at: stretch.to } : stretch, cluster, signal)
      },
    })),
  })
  return clusters.map((cluster, index) => ({ cluster, query: queries[index] as UseQueryResult<PromAnswer> }))
}
