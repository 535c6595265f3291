import type { Clusters, Fleet, Suspects, WorkloadDetail } from '@goldseam/server/contract'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useParams } from '@tanstack/react-router'
import { type HeadView, viewOfHead } from '../answers/head.ts'
import { ApiProblem } from '../api/problem.ts'
import { clustersQuery, fleetQuery, suspectsQuery, workloadQuery } from '../api/queries.ts'
import { useAsking } from '../scope/use-asking.ts'

const ofFleet = (answer: Fleet) => viewOfHead(answer, answer.workloads, answer.suspects)
const ofClusters = (answer: Clusters) => viewOfHead(answer, [], [])
const ofSuspects = (answer: Suspects) => viewOfHead(answer, [], answer.suspects)
const ofWorkload = (answer: WorkloadDetail) => viewOfHead(answer, [answer.workload], answer.suspects)

const SCREENS = ['clusters', 'triage'] as const

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
  const screen = address.name !== '' ? 'workload' : (SCREENS.find((name) => pathname.startsWith(`/${name}`)) ?? 'fleet')

  const watching = { refetchInterval: false } as const
  const workload = useQuery({
    ...workloadQuery(address, asking),
    ...watching,
    enabled: screen === 'workload',
    select: ofWorkload,
  })
  // A page for something that is not there still shows what is wrong with all the rest.
  const nobody = screen === 'workload' && workload.error instanceof ApiProblem && workload.error.status === 404
  const onFleet = screen === 'fleet' || nobody
  const fleet = useQuery({ ...fleetQuery(asking), ...watching, enabled: onFleet, select: ofFleet })
  const clusters = useQuery({
    ...clustersQuery(asking),
    ...watching,
    enabled: screen === 'clusters',
    select: ofClusters,
  })
  const triage = useQuery({
    ...suspectsQuery(null, asking),
    ...watching,
    enabled: screen === 'triage',
    select: ofSuspects,
  })
  const watched = onFleet ? fleet : { clusters, triage, workload, fleet }[screen]
  return {
    view: watched.data,
    updatedAt: watched.dataUpdatedAt,
    fetching: watched.isFetching,
    failed: watched.isError,
    refetch: () => void watched.refetch(),
  }
}
