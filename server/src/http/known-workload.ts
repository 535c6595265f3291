import type { Assessed } from '../domain/assess.ts'
import type { Snapshot } from '../federation/snapshot.ts'
import { time } from './present-golden.ts'
import { HttpProblem } from './problem.ts'

const NEAR_NAMES = 5

/** The workload, or a 404 that names what is near. `lastSeenSeconds`: when it last reported, where that was asked. */
export function knownWorkload(taken: Snapshot, id: string, lastSeenSeconds: number | null = null): Assessed {
  const { workloads } = taken.situation.assessment
  const workload = workloads.get(id)
  if (workload !== undefined) return workload
  const [cluster = '', , name = ''] = id.split('/')
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
