import { addInto } from '../../domain/columns.ts'
import { type WorkloadRef, workloadId } from '../../domain/identity.ts'
import {
  bothClues,
  cluesOf,
  destinationKey,
  emptyObservation,
  type Observation,
  type Outbound,
} from '../../domain/observation.ts'
import type { SignalName } from '../../domain/signals.ts'
import type { Dialect, SeriesColumn } from '../dialect.ts'
import { addSignal, flowOf, inboundOf, podsOf, routeOf } from '../observe.ts'
import { addBucket, addCount, addTime, inPieces, type Labels } from '../read-series.ts'
import { destinationOf, isOwnApplication, proxyOf } from './labels.ts'

const MILLISECONDS = 1000
const failed = ({ envoy_response_code_class: of }: Labels) => of === '5'

export const reading: Dialect['reading'] = function* (cluster, steps, answers) {
  const observation = emptyObservation(cluster, steps, 'envoy')
  const each = (name: string, take: (series: SeriesColumn, proxy: WorkloadRef) => void) =>
    inPieces(answers.get(name), (series) => {
      const proxy = proxyOf(cluster, series.labels)
      if (proxy !== undefined) take(series, proxy)
    })
  const listener = (workload: WorkloadRef, { envoy_http_conn_manager_prefix: service = '' }: Labels) =>
    routeOf(observation, { workload, direction: 'inbound', service, route: 'listener' }).effective
  yield* each('downstream', ({ labels, values }, proxy) => {
    for (const traffic of [inboundOf(observation, proxy, 'full').total, listener(proxy, labels)]) {
      addCount(traffic, values, failed(labels))
    }
  })
  yield* each('downstreamTime', (series, proxy) => {
    for (const traffic of [inboundOf(observation, proxy, 'full').total, listener(proxy, series.labels)]) {
      addTime(traffic, series, MILLISECONDS)
    }
  })
  yield* each('downstreamBuckets', (series, proxy) =>
    addBucket(inboundOf(observation, proxy, 'full').total, series, MILLISECONDS),
  )
  yield* each('upstream', ({ labels, apart, values }, workload) => {
    const service = labels.envoy_cluster_name ?? ''
    const route = routeOf(observation, { workload, direction: 'outbound', service, route: 'cluster' })
    // What a retry swallowed is in no response; the plain counters are what came of all attempts.
    addCount(route.actual, values, failed(labels))
    if (apart.part === 'retried') return
    addCount(route.effective, values, failed(labels))
    if (!isOwnApplication(labels)) addCount(flowTo(observation, workload, labels).traffic, values, failed(labels))
  })
  yield* each('upstreamTime', (series, proxy) => {
    if (isOwnApplication(series.labels)) return
    addTime(flowTo(observation, proxy, series.labels).traffic, series, MILLISECONDS)
  })
  yield* each('outboundBuckets', (series, proxy) => {
    if (isOwnApplication(series.labels)) return
    addBucket(flowTo(observation, proxy, series.labels).traffic, series, MILLISECONDS)
  })
  yield* each('pods', ({ values }, proxy) => addInto(podsOf(observation, proxy), values))
  yield* each('signals', ({ labels, values }, proxy) => {
    const isOwn = isOwnApplication(labels)
    // What the application left untimed, the listener has counted already.
    if (isOwn && labels.signal === 'untimedPerSecond') return
    const isCall = labels.envoy_cluster_name && !isOwn
    const key = isCall ? `${workloadId(proxy)} ${destinationKey(destinationOf(cluster, labels))}` : workloadId(proxy)
    addSignal(observation, key, labels.signal as SignalName, values)
  })
  return observation
}

function flowTo(observation: Observation, from: WorkloadRef, labels: Labels): Outbound {
  const flow = flowOf(observation, from, destinationOf(observation.cluster, labels), null, 'full')
  if (flow.destination.kind === 'host') flow.clues = bothClues(flow.clues, cluesOf({ host: flow.destination.host }))
  return flow
}
