import {
  type Endpoint,
  events,
  heatmap,
  intervals,
  pods,
  queries,
  type Scope,
  type Snapshot,
} from '@goldseam/server/contract'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { get } from './client.ts'
import { type Asking, pollEvery, untilAnswered, worthRetrying } from './polling.ts'
import type { WorkloadAddress } from './queries.ts'

const STALE_MS = 5_000

type Part<Data> = Endpoint<z.ZodType<Scope>, z.ZodType<Data>>

/** One part of a workload's page; asked for only while it is open. */
function partQuery<Data extends { readonly snapshot: Snapshot }>(
  part: Part<Data>,
  { cluster, namespace, name }: WorkloadAddress,
  asking: Asking,
) {
  return queryOptions({
    queryKey: ['workload', cluster, namespace, name, part.path, asking.scope],
    queryFn: ({ signal }): Promise<Data> =>
      get(part, { params: { cluster, namespace, name }, query: asking.scope, signal }),
    refetchInterval: pollEvery(asking),
    refetchOnWindowFocus: asking.live,
    retry: worthRetrying,
    staleTime: STALE_MS,
  })
}

export const heatmapQuery = (address: WorkloadAddress, asking: Asking) => partQuery(heatmap, address, asking)
export const intervalsQuery = (address: WorkloadAddress, asking: Asking) => partQuery(intervals, address, asking)
export const podsQuery = (address: WorkloadAddress, asking: Asking) => partQuery(pods, address, asking)
export const eventsQuery = (address: WorkloadAddress, asking: Asking) => partQuery(events, address, asking)

/** The PromQL behind the numbers. Asked once: each time costs the cluster what the page costs. */
export function queriesQuery({ cluster, namespace, name }: WorkloadAddress, { scope }: Asking) {
  return queryOptions({
    queryKey: ['workload', cluster, namespace, name, 'queries', scope],
    queryFn: ({ signal }) => get(queries, { params: { cluster, namespace, name }, query: scope, signal }),
    refetchInterval: untilAnswered,
    retry: worthRetrying,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
