import { addInto } from '../../domain/columns.ts'
import { knownId, type WorkloadRef } from '../../domain/identity.ts'
import type { Listed } from '../../domain/listed.ts'
import {
  bothClues,
  cluesOf,
  emptyObservation,
  type Inbound,
  noTcp,
  type Observation,
  type Outbound,
  oneDestination,
} from '../../domain/observation.ts'
import { OneOfEach } from '../../domain/one-of-each.ts'
import { remembered } from '../../domain/remembered.ts'
import type { Traffic } from '../../domain/traffic.ts'
import { Pieces, type Turns } from '../../domain/turns.ts'
import type { Dialect, SeriesColumn } from '../dialect.ts'
import { labelMemo } from '../label-memo.ts'
import { flowAt, flowOf, inboundAt, outboundKey, partOf, podsOf } from '../observe.ts'
import { addBucket, addCount, addTime, inPieces, type Labels, SERIES_A_PIECE } from '../read-series.ts'
import { egressFailed, failed } from './failures.ts'
import { readGateway } from './gateways.ts'
import { destinationOf, hostOf, workloadOf } from './labels.ts'
import { readRoutes } from './read-routes.ts'
import { readTcpCall } from './tcp-calls.ts'

const MILLISECONDS = 1000

/** Whose proxy reports a series. */
interface Reporter {
  readonly cluster: string
  readonly workload: WorkloadRef
  readonly id: string
}

/** The labels name no workload. */
interface Nobody {
  readonly cluster: string
  readonly workload: null
}

/** A call as its labels tell it, and what it is found by. */
interface Callee extends Pick<Outbound, 'from' | 'destination' | 'serverId' | 'clues' | 'measure' | 'attempts'> {
  readonly cluster: string
  readonly key: string
}

/** The labels do not tell where a call goes. */
interface Nowhere {
  readonly cluster: string
  readonly key: null
}

/** Functions of their own, not made for each answer: V8 forgets what it compiled of a function that is gone. */
type Take = (observation: Observation, series: SeriesColumn, reporter: Reporter) => void
type TakeCall = (series: SeriesColumn, flow: Outbound) => void

const reporters = new OneOfEach<Reporter | Nobody>()

const reporterOf = labelMemo((cluster, labels): Reporter | Nobody => {
  const workload = workloadOf(cluster, labels)
  if (workload === undefined) return reporters.of(cluster, () => ({ cluster, workload: null }))
  const id = knownId(workload)
  return reporters.of(id, () => ({ cluster, workload, id }))
})

/** Where the reporter's call goes. */
const calleeOf = labelMemo((cluster, labels): Callee | Nowhere => {
  const { workload: from } = reporterOf(cluster, labels)
  const told = destinationOf(cluster, labels)
  if (from === null || told === undefined) return { cluster, key: null }
  const { target_addr: address, authority } = labels
  // Of a place that has no name only failures would tell it.
  const serverId = labels.dst_namespace ? labels.server_id || null : null
  const clues = cluesOf({ serverId, address, host: authority ? hostOf(authority) : null })
  const destination = oneDestination(told)
  const key = outboundKey(from, destination)
  return { cluster, key, from, destination, serverId, clues, measure: 'firstByte', attempts: 'each' }
})

/** The host that was asked for, and who asked. */
const askedOf = remembered(({ authority, client_id: client }: Labels) => ({
  host: authority ? hostOf(authority) : null,
  client: client || null,
}))

export const reading: Dialect['reading'] = function* (cluster, steps, answers) {
  const observation = emptyObservation(cluster, steps, 'linkerd')
  yield* each(observation, answers.get('inbound'), takeInbound)
  yield* each(observation, answers.get('inboundTime'), takeInboundTime)
  yield* each(observation, answers.get('inboundBuckets'), takeInboundBucket)
  yield* eachCall(observation, answers.get('outbound'), takeCall)
  yield* eachCall(observation, answers.get('outboundTime'), takeCallTime)
  yield* eachCall(observation, answers.get('outboundBuckets'), takeCallBucket)
  yield* each(observation, answers.get('egress'), takeEgress)
  yield* each(observation, answers.get('egressBuckets'), takeEgressBucket)
  yield* each(observation, answers.get('pods'), readPods)
  yield* each(observation, answers.get('tcp'), readTcp)
  yield* inPieces(answers.get('tcpCalls'), (series) => {
    readTcpCall(observation, series, () => outboundOf(observation, series.labels))
  })
  readRoutes(
    observation,
    [...(answers.get('routes') ?? [])].filter((series) => !readGateway(observation, series)),
  )
  return observation
}

function* each(observation: Observation, answer: Listed<SeriesColumn> | undefined, take: Take): Turns<void> {
  const pieces = new Pieces(SERIES_A_PIECE)
  for (const series of answer ?? []) {
    const reporter = reporterOf(observation.cluster, series.labels)
    if (reporter.workload !== null) take(observation, series, reporter)
    if (pieces.ended) yield
  }
}

/** The series of one histogram come one after the other, with one label set: they need one look. */
function* eachCall(observation: Observation, answer: Listed<SeriesColumn> | undefined, take: TakeCall): Turns<void> {
  const pieces = new Pieces(SERIES_A_PIECE)
  let of: Labels | null = null
  let flow: Outbound | undefined
  for (const series of answer ?? []) {
    if (of !== series.labels) flow = outboundOf(observation, series.labels)
    of = series.labels
    if (flow !== undefined) take(series, flow)
    if (pieces.ended) yield
  }
}

function takeInbound(observation: Observation, { labels, apart, values }: SeriesColumn, reporter: Reporter): void {
  for (const traffic of inboundParts(observation, reporter, labels)) addCount(traffic, values, failed(apart))
}

function takeInboundTime(observation: Observation, series: SeriesColumn, reporter: Reporter): void {
  for (const traffic of inboundParts(observation, reporter, series.labels)) addTime(traffic, series, MILLISECONDS)
}

function takeInboundBucket(observation: Observation, series: SeriesColumn, reporter: Reporter): void {
  addBucket(inboundFor(observation, reporter).total, series, MILLISECONDS)
}

function takeCall({ apart, values }: SeriesColumn, { traffic }: Outbound): void {
  addCount(traffic, values, failed(apart))
}

function takeCallTime(series: SeriesColumn, { traffic }: Outbound): void {
  addTime(traffic, series, MILLISECONDS)
}

function takeCallBucket(series: SeriesColumn, { traffic }: Outbound): void {
  addBucket(traffic, series, MILLISECONDS)
}

function takeEgress(observation: Observation, series: SeriesColumn, { workload }: Reporter): void {
  const { traffic } = egressOf(observation, workload, series.labels)
  if (series.apart.part === 'status') addCount(traffic, series.values, egressFailed(series.labels))
  else addTime(traffic, series, 1)
}

function takeEgressBucket(observation: Observation, series: SeriesColumn, { workload }: Reporter): void {
  addBucket(egressOf(observation, workload, series.labels).traffic, series, 1)
}

function inboundFor(observation: Observation, { id, workload }: Reporter): Inbound {
  return inboundAt(observation, id, workload, 'firstByte')
}

/** The total first, then the parts by host and by client that the labels name. */
function inboundParts(observation: Observation, reporter: Reporter, labels: Labels): Traffic[] {
  const inbound = inboundFor(observation, reporter)
  const { host, client } = askedOf(labels)
  const parts = [inbound.total]
  if (host !== null) parts.push(partOf(inbound, 'byHost', host))
  if (client !== null) parts.push(partOf(inbound, 'byClient', client))
  return parts
}

function outboundOf(observation: Observation, labels: Labels): Outbound | undefined {
  const callee = calleeOf(observation.cluster, labels)
  if (callee.key === null) return undefined
  const flow = flowAt(observation, callee.key, callee)
  flow.clues = bothClues(flow.clues, callee.clues)
  return flow
}

/** Route metrics measure the whole request, retries and all. */
function egressOf(observation: Observation, from: WorkloadRef, { hostname = '' }: Labels): Outbound {
  const host = hostname.toLowerCase()
  const flow = flowOf(observation, from, { kind: 'host', host }, null, 'full')
  flow.clues = bothClues(flow.clues, cluesOf({ host }))
  return flow
}

function readPods(observation: Observation, { labels, values }: SeriesColumn, { id, workload }: Reporter): void {
  const inbound = observation.inbound.get(id)
  if (labels.target_ip) inbound?.addresses.add(labels.target_ip)
  else addInto(podsOf(observation, workload), values)
}

function readTcp(observation: Observation, { apart: { part }, values }: SeriesColumn, reporter: Reporter): void {
  // Every meshed pod has such series: one that never carried anything is no workload to show.
  if (!observation.inbound.has(reporter.id) && !values.some((value) => value > 0)) return
  const inbound = inboundFor(observation, reporter)
  inbound.tcp ??= noTcp(observation.steps)
  const name = part === 'in' ? 'bytesIn' : part === 'out' ? 'bytesOut' : 'openConnections'
  addInto(inbound.tcp[name], values)
}
