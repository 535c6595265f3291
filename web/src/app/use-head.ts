import type { Clusters, Fleet, Suspects, WorkloadDetail } from '@goldseam/server/contract'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useParams } from '@tanstack/react-router'
import { type HeadView, viewOfHead } from '../answers/head.ts'
import { ApiProblem } from '../api/problem.ts'
import { clustersQuery, fleetQuery, suspectsQuery, workloadQuery } from '../api/queries.ts'
import { askForNewest } from '../scope/refresh-now.ts'
import { useAsking } from '../scope/use-asking.ts'
import { useAskingAt } from '../scope/use-asking-at.ts'

const ofFleet = (answer: Fleet) => viewOfHead(answer, answer.workloads, answer.suspects)
const ofClusters = (answer: Clusters) => viewOfHead(answer, [], [])
const ofSuspects = (answer: Suspects) => viewOfHead(answer, [], answer.suspects)
const ofWorkload = (answer: WorkloadDetail) => viewOfHead(answer, [answer.workload], answer.suspects)

/** Screens that do not show the fleet, and what they ask for themselves. */
const SCREENS = [
  ['/clusters', 'clusters'],
  ['/explore', 'clusters'],
  ['/failover', 'clusters'],
  ['/triage', 'triage'],
] as const

export interface Head {
  readonly view: HeadView | undefined
  readonly updatedAt: number
  /** Whether it is what was asked for before, until the answer for another window has come. */
  readonly isBefore: boolean
  /** Whether the screen looks at a moment of its own, within a window that may go on. */
  readonly isAtMoment: boolean
  readonly failed: boolean
  readonly refetch: () => void
}

/**
 * The frame watches the very answer that the screen shows, so that verdict, clusters and numbers are of one snapshot.
 * It polls as the screen does, since not every screen has such an answer of its own; a question that is under way is not
 * asked twice.
 */
export function useHead(): Head {
  const ofWindow = useAsking()
  const { isAtMoment: hasMoment, ...ofMoment } = useAskingAt()
  const params: { cluster?: string; ns?: string; name?: string } = useParams({ strict: false })
  const { pathname } = useLocation()
  const isAtMoment = hasMoment && pathname.startsWith('/map')
  const asking = isAtMoment ? ofMoment : ofWindow
  const address = { cluster: params.cluster ?? '', namespace: params.ns ?? '', name: params.name ?? '' }
  const [, asked = 'fleet'] = SCREENS.find(([path]) => pathname.startsWith(path)) ?? []
  const screen = address.name !== '' ? 'workload' : asked

  const workload = useQuery({
    ...workloadQuery(address, asking),
    enabled: screen === 'workload',
    select: ofWorkload,
  })
  // A page for something that is not there still shows what is wrong with all the rest.
  const nobody = screen === 'workload' && isOfNobody(workload.error)
  const onFleet = screen === 'fleet' || nobody
  const fleet = useQuery({ ...fleetQuery(asking), enabled: onFleet, select: ofFleet })
  const clusters = useQuery({
    ...clustersQuery(asking),
    enabled: screen === 'clusters',
    select: ofClusters,
  })
  const triage = useQuery({
    ...suspectsQuery(null, asking),
    enabled: screen === 'triage',
    select: ofSuspects,
  })
  const watched = onFleet ? fleet : { clusters, triage, workload, fleet }[screen]
  return {
    view: watched.data,
    updatedAt: watched.dataUpdatedAt,
    isBefore: watched.isPlaceholderData,
    isAtMoment,
    failed: watched.isError,
    refetch: () => {
      askForNewest()
      void watched.refetch()
    },
  }
}

/** Where its cluster tells nothing the rest of the clusters is looked at as well. */
function isOfNobody(error: Error | null): boolean {
  if (!(error instanceof ApiProblem)) return false
  return error.status === 404 || error.problem.type === '/problems/cluster-silent'
}
