import { addInto, addScaledInto } from '../../domain/columns.ts'
import { type WorkloadRef, workloadId } from '../../domain/identity.ts'
import {
  bothClues,
  cluesOf,
  emptyObservation,
  type Inbound,
  noTcp,
  type Observation,
  type Outbound,
  outsideCaller,
  type Tcp,
} from '../../domain/observation.ts'
import { isCounted, type Traffic } from '../../domain/traffic.ts'
import type { Dialect, SeriesColumn } from '../dialect.ts'
import { addSignal, flowOf, inboundOf, partOf, podsOf } from '../observe.ts'
import { oncePer } from '../once-per.ts'
import { addBucket, addCount, addTime, inPieces, type Labels } from '../read-series.ts'
import { namingOf } from './clusters.ts'
import { addGateways, type PassedOn } from './gateways.ts'
import { destinationOf, factsSaid, hostOf, sourceOf, targetOf } from './labels.ts'
import { readProxies } from './proxies.ts'
import { type Reporter, settle, type Views } from './settle.ts'

const MILLISECONDS = 1000

/** What one series is about: the callee if it is of this cluster, the call if the caller is. */
interface Ends {
  readonly reporter: Reporter
  readonly inbound: Inbound | null
  readonly caller: WorkloadRef | null
  readonly outbound: Outbound | null
}

export const reading: Dialect['reading'] = function* (cluster, steps, answers) {
  const answer = (name: string) => answers.get(name) ?? []
  const counts = [answer('requests'), answer('tcp')]
  // Buckets come in a lane of their own, at another time: there they are all that says what the cluster is called.
  const naming = namingOf(cluster, counts.some(({ length }) => length > 0) ? counts : [...answers.values()])
  const views: Views = {
    source: emptyObservation(cluster, steps),
    destination: emptyObservation(cluster, steps),
    waypoint: emptyObservation(cluster, steps),
  }
  const endsOf = oncePer((labels: SeriesColumn['labels']): Ends | null => {
    const reporter = labels.reporter as Reporter
    const view = views[reporter]
    if (view === undefined || !naming.isOwn(labels)) return null
    const caller = sourceOf(labels, naming.clusterOf)
    const target = targetOf(labels, naming.clusterOf)
    const here = target !== null && target.cluster === cluster
    return {
      reporter,
      caller,
      inbound: here ? inboundOf(view, target, 'full') : null,
      outbound: caller?.cluster === cluster ? outboundOf(view, caller, labels, naming.clusterOf) : null,
    }
  })
  const ends = ({ labels }: SeriesColumn) => endsOf(labels)
  yield* inPieces(answers.get('requests'), (series) => {
    for (const traffic of partsOf(ends(series), cluster))
      addCount(traffic, series.values, series.labels.class === 'failed')
  })
  yield* inPieces(answers.get('requestTime'), (series) => {
    for (const traffic of partsOf(ends(series), cluster)) addTime(traffic, series, MILLISECONDS)
  })
  const passedOn: PassedOn[] = []
  yield* inPieces(answers.get('inboundBuckets'), (series) => {
    if (series.labels.reporter === 'source') {
      const gateway = naming.isOwn(series.labels) ? sourceOf(series.labels, naming.clusterOf) : null
      if (gateway !== null) passedOn.push({ gateway, series })
      return
    }
    const inbound = ends(series)?.inbound
    if (inbound) addBucket(inbound.total, series, MILLISECONDS)
  })
  yield* inPieces(answers.get('outboundBuckets'), (series) => {
    const outbound = ends(series)?.outbound
    if (outbound) addBucket(outbound.traffic, series, MILLISECONDS)
  })
  yield* inPieces(answers.get('tcp'), (series) => {
    const found = ends(series)
    addTcp(found, series, steps)
    // Nobody over here reports the call itself: that it came is known by its name alone.
    const { inbound, caller } = found ?? {}
    if (inbound && caller && caller.cluster !== cluster) partOf(inbound, 'byCaller', workloadId(caller))
  })
  yield* inPieces(answers.get('flags'), (series) => addFlags(views, ends(series), series))
  yield* inPieces(answers.get('pods'), ({ labels, values }) => {
    const target = targetOf(labels, naming.clusterOf)
    if (target?.cluster === cluster) addInto(podsOf(views.destination, target), values)
  })
  const observation = settle(cluster, steps, views)
  const isReported = (id: string) =>
    [views.destination, views.waypoint].some(({ inbound }) => {
      const told = inbound.get(id)
      return told !== undefined && isCounted(told.total)
    })
  addGateways(observation, passedOn, MILLISECONDS, answers.has('requests'), isReported)
  readProxies(observation, answer('proxies'))
  if (naming.own !== null && naming.own !== cluster) observation.aliases.add(naming.own)
  return observation
}

function outboundOf(
  view: Observation,
  from: WorkloadRef,
  labels: Labels,
  clusterOf: (label: string | undefined) => string,
): Outbound {
  const destination = destinationOf(labels, view.cluster, clusterOf)
  // A server counts every attempt that reached it; the others see what came of it after retries.
  const attempts = labels.reporter === 'destination' ? 'each' : 'effective'
  const flow = flowOf(view, from, destination, null, 'full', attempts)
  const host = hostOf(labels)
  if (host !== null) flow.clues = bothClues(flow.clues, cluesOf({ host: host.toLowerCase() }))
  return flow
}

function partsOf(ends: Ends | null, cluster: string): Traffic[] {
  if (ends === null) return []
  const { inbound, outbound, caller } = ends
  const by = caller === null ? outsideCaller(cluster) : workloadId(caller)
  return [
    ...(inbound === null ? [] : [inbound.total, partOf(inbound, 'byCaller', by)]),
    ...(outbound === null ? [] : [outbound.traffic]),
  ]
}

/** Bytes as the callee sees them; connections open are those opened less those closed. */
function addTcp(ends: Ends | null, { apart, values }: SeriesColumn, steps: number): void {
  for (const flow of [ends?.inbound, ends?.outbound]) {
    if (!flow) continue
    flow.tcp ??= noTcp(steps)
    const tcp: Tcp = flow.tcp
    if (apart.part === 'in') addInto(tcp.bytesIn, values)
    else if (apart.part === 'out') addInto(tcp.bytesOut, values)
    else addScaledInto(tcp.openConnections, values, apart.part === 'opened' ? 1 : -1)
  }
}

function addFlags(views: Views, ends: Ends | null, { labels, values }: SeriesColumn): void {
  if (ends === null) return
  const view = views[ends.reporter]
  for (const fact of factsSaid(labels)) {
    if (ends.inbound !== null) addSignal(view, workloadId(ends.inbound.workload), fact, values)
    if (ends.outbound !== null) addSignal(view, keyOf(view, ends.outbound), fact, values)
  }
}

function keyOf(view: Observation, flow: Outbound): string {
  return [...view.outbound].find(([, other]) => other === flow)?.[0] ?? ''
}
