import { alerts, clusters, fleet, suspects, topology, workload } from '@goldseam/server/contract'
import { keepPreviousData, queryOptions, replaceEqualDeep } from '@tanstack/react-query'
import { get } from './client.ts'
import { type Asking, pollEvery, worthRetrying } from './polling.ts'

/** Answers stay good for a moment, so that going from screen to screen does not ask twice. */
export const common = { retry: worthRetrying, staleTime: 5_000 } as const

export interface WorkloadAddress {
  readonly cluster: string
  readonly namespace: string
  readonly name: string
}

/** A first look at a fleet of any size takes about 90 KB; a screen shows a tenth of it. */
const FIRST_ROWS = '1000'

/** Of more workloads, comparing two answers part by part takes longer than drawing anew what is on screen. */
const COMPARED_WORKLOADS = 400

function shareUnchanged(before: unknown, next: unknown): unknown {
  const { workloads } = (next ?? {}) as { workloads?: readonly unknown[] }
  return (workloads?.length ?? 0) > COMPARED_WORKLOADS ? next : replaceEqualDeep(before, next)
}

export function fleetQuery(asking: Asking) {
  return queryOptions({
    ...common,
    queryKey: ['fleet', asking.scope],
    structuralSharing: shareUnchanged,
    queryFn: async ({ signal, client, queryKey }) => {
      const ask = (query: Asking['scope']) => get(fleet, { query: { ...query, as: 'table' }, signal })
      if (client.getQueryData(queryKey) !== undefined) return ask(asking.scope)
      const first = await ask({ ...asking.scope, first: FIRST_ROWS })
      if (first.more === undefined) return first
      // On screen while the rest is on its way.
      client.setQueryData(queryKey, first)
      return ask(asking.scope)
    },
    refetchInterval: pollEvery(asking),
    refetchOnWindowFocus: asking.live,
    placeholderData: keepPreviousData,
  })
}

export function clustersQuery(asking: Asking) {
  return queryOptions({
    ...common,
    queryKey: ['clusters', asking.scope],
    queryFn: ({ signal }) => get(clusters, { query: asking.scope, signal }),
    refetchInterval: pollEvery(asking),
    refetchOnWindowFocus: asking.live,
    placeholderData: keepPreviousData,
  })
}

export function topologyQuery(asking: Asking) {
  return queryOptions({
    ...common,
    queryKey: ['topology', asking.scope],
    queryFn: ({ signal }) => get(topology, { query: asking.scope, signal }),
    refetchInterval: pollEvery(asking),
    refetchOnWindowFocus: asking.live,
    placeholderData: keepPreviousData,
  })
}

export function workloadQuery({ cluster, namespace, name }: WorkloadAddress, asking: Asking) {
  return queryOptions({
    ...common,
    queryKey: ['workload', cluster, namespace, name, asking.scope],
    queryFn: ({ signal }) => get(workload, { params: { cluster, namespace, name }, query: asking.scope, signal }),
    refetchInterval: pollEvery(asking),
    refetchOnWindowFocus: asking.live,
    // Another window of the same workload keeps the picture; another workload must never show this one's numbers.
    placeholderData: (previous) =>
      previous?.workload.cluster === cluster &&
      previous.workload.namespace === namespace &&
      nameOf(previous.workload.id) === name
        ? previous
        : undefined,
  })
}

/**
 * The argument: what each part adds, what is cleared, what cannot be judged; for one workload's slowdown, or with
 * null for all that is wrong anywhere.
 */
export function suspectsQuery(focus: string | null, asking: Asking) {
  const query = focus === null ? asking.scope : { ...asking.scope, focus }
  return queryOptions({
    ...common,
    queryKey: ['suspects', focus, asking.scope],
    queryFn: ({ signal }) => get(suspects, { query, signal }),
    refetchInterval: pollEvery(asking),
    refetchOnWindowFocus: asking.live,
    // Only another window of the same question may stand in.
    placeholderData: (previous) => (previous?.focus === focus ? previous : undefined),
  })
}

export function alertsQuery(asking: Asking) {
  return queryOptions({
    ...common,
    queryKey: ['alerts', asking.scope],
    queryFn: ({ signal }) => get(alerts, { query: asking.scope, signal }),
    refetchInterval: pollEvery(asking),
    refetchOnWindowFocus: asking.live,
    placeholderData: keepPreviousData,
  })
}

function nameOf(id: string): string {
  return id.split('/').slice(2).join('/')
}
