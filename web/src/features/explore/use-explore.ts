import { type QueryClient, type UseQueryResult, useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Asked, untilAnswered } from '../../api/polling.ts'
import { isWorded, type PromAnswer, queryPrometheus } from '../../api/prometheus.ts'
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
  /** The run that its data is of, where this one failed and there is none of it. */
  readonly earlier: Run | null
}

interface Question {
  readonly cluster: string
  readonly run: Run
}

/**
 * The same expression asked of each cluster on its own: one that is slow or fails holds up nobody else. What has one
 * answer over all of them is asked of all of them as well, or only that where answers are to be added up.
 */
export function useExplore(asked: readonly string[], run: Run): readonly ClusterAnswer[] {
  const joined = isJoined(asked, run)
  const both = asked.length > 1 && asksForAll(run.promql) ? [...asked, TOGETHER] : asked
  const clusters = joined ? [TOGETHER] : both
  const answers = useAnswers(
    clusters.map((cluster) => ({ cluster, run })),
    asked,
  )
  return joined || clusters === asked ? answers : [...answers.slice(0, -1), sharedOnly(answers)]
}

/** What each question brings; until it does, or where it failed, what the same one brought the last time. */
export function useAnswers(questions: readonly Question[], asked: readonly string[]): readonly ClusterAnswer[] {
  const client = useQueryClient()
  // A server can be away for longer than the cache keeps what is not looked at.
  const [kept] = useState(() => new Map<string, Kept>())
  const before = questions.map(({ cluster, run }) => kept.get(kindOf(cluster, run)) ?? lastOf(client, cluster, run))
  const queries: readonly UseQueryResult<PromAnswer>[] = useQueries({
    queries: questions.map(({ cluster, run }, index) => ({
      ...askedOf(cluster, asked, run),
      placeholderData: () => before[index]?.answer,
    })),
  })
  useEffect(() => {
    const kinds = questions.map(({ cluster, run }) => kindOf(cluster, run))
    for (const kind of kept.keys()) if (!kinds.includes(kind)) kept.delete(kind)
    for (const [index, { run }] of questions.entries()) {
      const { data, isPlaceholderData } = queries[index] ?? {}
      if (data && !isPlaceholderData) kept.set(kinds[index] ?? '', { answer: data, run })
    }
  })
  return questions.map(({ cluster }, index): ClusterAnswer => {
    const query = queries[index] as UseQueryResult<PromAnswer>
    const last = before[index]
    const isOwn = query.data !== undefined && !query.isPlaceholderData
    // It is so, too, while it is asked again after it failed.
    if (isOwn || last === undefined || query.errorUpdateCount === 0) return { cluster, query, earlier: null }
    return { cluster, query: { ...query, data: last.answer } as UseQueryResult<PromAnswer>, earlier: last.run }
  })
}

/** A cluster that refused in Prometheus' words would most often do so again; a server that restarts is back in a while. */
export function askedAgainMs(asked: Asked): number | false {
  return isWorded(asked.state.error) ? false : untilAnswered(asked)
}

/** One cluster asked, or all of them together. */
function askedOf(cluster: string, asked: readonly string[], run: Run) {
  return {
    queryKey: ['explore', cluster, run, ...(cluster === TOGETHER ? [asked] : [])],
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    refetchInterval: askedAgainMs,
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

interface Kept {
  readonly answer: PromAnswer
  readonly run: Run
}

/** The same for runs of which one can stand for another for a while. */
function kindOf(cluster: string, { promql, join, saved, view }: Run): string {
  return JSON.stringify([cluster, promql, join, saved, view === 'table'])
}

/** What the same question brought last, for as long as the new answer is on its way. */
function lastOf(client: QueryClient, cluster: string, run: Run): Kept | undefined {
  const kind = kindOf(cluster, run)
  const [newest] = client
    .getQueryCache()
    .findAll({ queryKey: ['explore', cluster] })
    .flatMap(({ queryKey: [, , key], state }) => {
      const before = key as Run | string | null | undefined
      if (typeof before !== 'object' || before === null || state.data === undefined) return []
      return kindOf(cluster, before) === kind
        ? [{ answer: state.data as PromAnswer, run: before, atMs: state.dataUpdatedAt }]
        : []
    })
    .sort((a, b) => b.atMs - a.atMs)
  return newest
}
