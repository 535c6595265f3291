import type { Clusters, Fleet, WorkloadDetail } from '@goldseam/server/contract'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useParams } from '@tanstack/react-router'
import { type HeadView, viewOfHead } from '../answers/head.ts'
import { clustersQuery, fleetQuery, workloadQuery } from '../api/queries.ts'
import { useAsking } from '../scope/use-asking.ts'

const ofFleet = (answer: Fleet) => viewOfHead(answer, answer.workloads, answer.suspects)
const ofClusters = (answer: Clusters) => viewOfHead(answer, [], [])
const ofWorkload = (answer: WorkloadDetail) => viewOfHead(answer, [answer.workload], answer.suspects)

export interface Head {
  readonly view: HeadView | undefined
  readonly updatedAt: number
  readonly fetching: boolean
  readonly failed: boolean
  readonly refetch: () => void
}

/**
 * The frame watches the very answer that the screen shows, so that verdict, clusters and numbers are of one snapshot
 * and nothing is asked twice. The screen polls; the frame only looks.
 */
export function useHead(): Head {
  const asking = useAsking()
  const params: { cluster?: string; ns?: string; name?: string } = useParams({ strict: false })
  const { pathname } = useLocation()
  const address = { cluster: params.cluster ?? '', namespace: params.ns ?? '', name: params.name ?? '' }
  const screen = address.name !== '' ? 'workload' : pathname.startsWith('/clusters') ? 'clusters' : 'fleet'

  const watching = { refetchInterval: false } as const
  const fleet = useQuery({ ...fleetQuery(asking), ...watching, enabled: screen === 'fleet', select: ofFleet })
  const clusters = useQuery({
    ...clustersQuery(asking),
    ...watching,
    enabled: screen === 'clusters',
    select: ofClusters,
  })
  const workload = useQuery({
    ...workloadQuery(address, asking),
    ...watching,
    enabled: screen === 'workload',
    select: ofWorkload,
  })
  const watched = { fleet, clusters, workload }[screen]
  return {
    view: watched.data,
    updatedAt: watched.dataUpdatedAt,
    fetching: watched.isFetching,
    failed: watched.isError,
    refetch: () => void watched.refetch(),
  }
}
