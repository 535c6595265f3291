import { callsKey } from '../../domain/call-signals.ts'
import { workloadId } from '../../domain/identity.ts'
import type { Observation } from '../../domain/observation.ts'
import type { SignalName } from '../../domain/signals.ts'
import type { SeriesColumn } from '../dialect.ts'
import { addSignal, routeOf } from '../observe.ts'
import { addCount, addTime, type Labels } from '../read-series.ts'
import { egressFailed, failed } from './failures.ts'
import { workloadOf } from './labels.ts'

const MILLISECONDS = 1000

/** Routes and policy facts; those of calls to a service wait for the calls that lead there. */
export function readRoutes(observation: Observation, answer: readonly SeriesColumn[]): void {
  for (const series of answer) {
    const { labels, apart, values } = series
    const workload = workloadOf(observation.cluster, labels)
    if (workload === undefined) continue
    const service = serviceOf(labels)
    if (labels.signal) {
      const key = service === null ? workloadId(workload) : callsKey(workload, service)
      addSignal(observation, key, labels.signal as SignalName, values)
      continue
    }
    if (service === null) continue
    const direction = labels.direction === 'inbound' ? 'inbound' : 'outbound'
    const route = labels.rt_route ?? labels.route_name ?? ''
    const entry = routeOf(observation, { workload, direction, service, route })
    if (apart.part === 'sum' || apart.part === 'count') {
      addTime(entry.effective, series, MILLISECONDS)
      continue
    }
    const isFailure = apart.classification === undefined ? egressFailed(labels) : failed(apart)
    addCount(apart.part === 'actual' ? entry.actual : entry.effective, values, isFailure)
  }
}

/** `name.namespace` of the service that a route or balancer belongs to. */
function serviceOf({ dst, parent_name, parent_namespace, backend_name, backend_namespace }: Labels): string | null {
  if (dst) return dst.split(':')[0]?.replace(/\.svc\..*$/, '') ?? null
  const name = parent_name || backend_name
  return name ? `${name}.${parent_namespace || backend_namespace}` : null
}
