import { cluster } from '@goldseam/server/contract'
import { queryOptions } from '@tanstack/react-query'
import { get } from './client.ts'
import { type Asking, pollEvery } from './polling.ts'
import { common } from './queries.ts'

/** One cluster in full. Another cluster's answer never stands in. */
export function clusterQuery(name: string, asking: Asking) {
  return queryOptions({
    ...common,
    queryKey: ['cluster', name, asking.scope],
    queryFn: ({ signal }) => get(cluster, { params: { cluster: name }, query: asking.scope, signal }),
    refetchInterval: pollEvery(asking),
    refetchOnWindowFocus: asking.live,
    placeholderData: (previous) => (previous?.cluster.name === name ? previous : undefined),
  })
}
