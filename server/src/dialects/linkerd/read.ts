import { addInto, type Values } from '../../domain/columns.ts'
import { type WorkloadRef, workloadId } from '../../domain/identity.ts'
import { emptyObservation, noTcp, type Observation, type Outbound } from '../../domain/observation.ts'
import type { Traffic } from '../../domain/traffic.ts'
import type { Dialect, SeriesColumn } from '../dialect.ts'
import { flowOf, inboundOf, partOf, podsOf } from '../observe.ts'
import { oncePer } from '../once-per.ts'
import { addBucket, addCount, addTime, type Labels } from '../read-series.ts'
import { egressFailed, failed } from './failures.ts'
import { readGateway } from './gateways.ts'
import { destinationOf, hostOf, workloadOf } from './labels.ts'
import { readRoutes } from './read-routes.ts'
import { readTcpCall } from './tcp-calls.ts'

const MILLISECONDS = 1000

type Take = (series: SeriesColumn, workload: WorkloadRef) => void

export const read: Dialect['read'] = (cluster, steps, answers) => {
  const observation = emptyObservation(cluster, steps, 'linkerd')
  const reporterOf = oncePer((labels: Labels) => workloadOf(cluster, labels))
  const each = (name: string, take: Take) => {
    for (const series of answers.get(name) ?? []) {
      const workload = reporterOf(series.labels)
      if (workload !== undefined) take(series, workload)
    }
  }
  each('inbound', ({ labels, values }, workload) => {
    for (const traffic of inboundParts(observation, workload, labels)) addCount(traffic, values, failed(labels))
  })
  each('inboundTime', (series, workload) => {
    for (const traffic of inboundParts(observation, workload, series.labels)) addTime(traffic, series, MILLISECONDS)
  })
  const totalOf = oncePer((workload: WorkloadRef) => inboundOf(observation, workload).total)
  each('inboundBuckets', (series, workload) => addBucket(totalOf(workload), series, MILLISECONDS))
  each('outbound', ({ labels, values }, workload) => {
    const flow = outboundOf(observation, workload, labels)
    if (flow !== undefined) addCount(flow.traffic, values, failed(labels))
  })
  each('outboundTime', (series, workload) => {
    const flow = outboundOf(observation, workload, series.labels)
    if (flow !== undefined) addTime(flow.traffic, series, MILLISECONDS)
  })
  const callOf = oncePer((labels: Labels) => {
    const workload = reporterOf(labels)
    return workload === undefined ? undefined : outboundOf(observation, workload, labels)
  })
  for (const series of answers.get('outboundBuckets') ?? []) {
    const flow = callOf(series.labels)
    if (flow !== undefined) addBucket(flow.traffic, series, MILLISECONDS)
  }
  each('egress', (series, workload) => {
    const { traffic } = egressOf(observation, workload, series.labels)
    if (series.labels.part === 'status') addCount(traffic, series.values, egressFailed(series.labels))
    else addTime(traffic, series, 1)
  })
  each('egressBuckets', (series, workload) =>
    addBucket(egressOf(observation, workload, series.labels).traffic, series, 1),
  )
  each('pods', ({ labels, values }, workload) => readPods(observation, workload, labels, values))
  each('tcp', ({ labels, values }, workload) => readTcp(observation, workload, labels, values))
  each('tcpCalls', (series, workload) => {
    readTcpCall(observation, series, () => outboundOf(observation, workload, series.labels))
  })
  readRoutes(
    observation,
    (answers.get('routes') ?? []).filter(({ labels }) => !readGateway(observation, labels)),
  )
  return observation
}

/** The total first, then the parts by host and by client that the labels name. */
function inboundParts(observation: Observation, workload: WorkloadRef, labels: Labels): Traffic[] {
  const inbound = inboundOf(observation, workload)
  const parts = [inbound.total]
  if (labels.authority) parts.push(partOf(inbound.byHost, hostOf(labels.authority), observation.steps))
  if (labels.client_id) parts.push(partOf(inbound.byClient, labels.client_id, observation.steps))
  return parts
}

function outboundOf(observation: Observation, from: WorkloadRef, labels: Labels): Outbound | undefined {
  const destination = destinationOf(observation.cluster, labels)
  if (destination === undefined) return undefined
  const flow = flowOf(observation, from, destination, labels.server_id || null, 'firstByte')
  if (labels.server_id) flow.clues.serverIds.add(labels.server_id)
  if (labels.target_addr) flow.clues.addresses.add(labels.target_addr)
  if (labels.authority) flow.clues.hosts.add(hostOf(labels.authority))
  return flow
}

/** Route metrics measure the whole request, retries and all. */
function egressOf(observation: Observation, from: WorkloadRef, { hostname = '' }: Labels): Outbound {
  const host = hostname.toLowerCase()
  const flow = flowOf(observation, from, { kind: 'host', host }, null, 'full')
  flow.clues.hosts.add(host)
  return flow
}

function readPods(observation: Observation, workload: WorkloadRef, labels: Labels, values: Values): void {
  const inbound = observation.inbound.get(workloadId(workload))
  if (labels.target_ip) inbound?.addresses.add(labels.target_ip)
  else addInto(podsOf(observation, workload), values)
}

function readTcp(observation: Observation, workload: WorkloadRef, { part }: Labels, values: Values): void {
  // Every meshed pod has such series: one that never carried anything is no workload to show.
  if (!observation.inbound.has(workloadId(workload)) && !values.some((value) => value > 0)) return
  const inbound = inboundOf(observation, workload)
  inbound.tcp ??= noTcp(observation.steps)
  const { bytesIn, bytesOut, openConnections } = inbound.tcp
  addInto(part === 'in' ? bytesIn : part === 'out' ? bytesOut : openConnections, values)
}
