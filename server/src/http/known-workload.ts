import type { Assessed } from '../domain/assess.ts'
import type { Snapshot } from '../federation/snapshot.ts'
import { time } from './present-golden.ts'
import { HttpProblem } from './problem.ts'

const NEAR_NAMES = 5

/**
 * The workload, or a 404 that names what is near. `lastSeenSeconds`: when it last reported, where that was asked. Of a
 * cluster that tells nothing nobody knows what is there: that is a 503, which is to be asked again.
 */
export function knownWorkload(taken: Snapshot, id: string, lastSeenSeconds: number | null = null): Assessed {
  const { workloads } = taken.situation.assessment
  const workload = workloads.get(id)
  if (workload !== undefined) return workload
  const [cluster = '', , name = ''] = id.split('/')
  refuseWhereSilent(taken, cluster)
  const configured = taken.clusters.map((one) => one.name)
  const callees = taken.situation.callsOf.get(id)?.map(({ edge }) => edge.to) ?? []
  const detail = !configured.includes(cluster)
    ? `cluster ${cluster} is not configured here (known: ${configured.join(', ')})`
    : callees.length > 0
      ? `${id} only calls others (${callees.slice(0, NEAR_NAMES).join(', ')}): no requests to it are counted`
      : `no series for ${id} up to this instant`
  const near = [...workloads.keys()].filter((other) => {
    const last = other.split('/')[2] ?? ''
    return last.includes(name) || (last.length > 2 && name.includes(last))
  })
  throw new HttpProblem({
    status: 404,
    type: '/problems/no-such-workload',
    title: 'No such workload',
    detail,
    near: near.slice(0, NEAR_NAMES),
    ...(lastSeenSeconds === null ? {} : { lastSeenAt: time(lastSeenSeconds) }),
  })
}

function refuseWhereSilent({ clusters }: Snapshot, name: string): void {
  const cluster = clusters.find((one) => one.name === name)
  if (cluster?.state !== 'down' && cluster?.state !== 'pending') return
  const why = cluster.reason === null ? '' : ` (${cluster.reason})`
  throw new HttpProblem({
    status: 503,
    type: '/problems/cluster-silent',
    title: 'Its cluster does not answer',
    detail: `${name} does not answer${why}, so that nothing is known of its workloads at this instant`,
  })
}
