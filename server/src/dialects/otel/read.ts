import { addCounted } from '../../domain/add-traffic.ts'
import { workloadId } from '../../domain/identity.ts'
import { type Destination, emptyObservation, type Observation, outsideCaller } from '../../domain/observation.ts'
import type { Traffic } from '../../domain/traffic.ts'
import type { Turns } from '../../domain/turns.ts'
import type { Answers, Dialect } from '../dialect.ts'
import { flowOf, inboundOf, partOf } from '../observe.ts'
import { addBucket, addCount, addTime, boundOf, inPieces, type Labels } from '../read-series.ts'
import { endOf, isOutsideCaller, isVirtual, serviceOf, spanFamilies } from './labels.ts'

const MILLISECONDS = 1_000
const LONG = 1_000

export const reading: Dialect['reading'] = function* (cluster, steps, answers) {
  const observation = emptyObservation(cluster, steps, 'otel')
  const served = new Set<string>()
  const spanOf = (labels: Labels) => {
    const service = serviceOf(cluster, labels)
    if (service === undefined) return undefined
    served.add(workloadId(service))
    return inboundOf(observation, service, 'full')
  }
  // One family may be written in two units, and counted under each: only one of them is a number of requests.
  const counted = new Map<string, string>()
  yield* inPieces(answers.get('spans'), ({ labels, values }) => {
    const inbound = spanOf(labels)
    if (inbound === undefined) return
    const key = `${workloadId(inbound.workload)} ${labels.class}`
    const calls = callsOf(labels)
    if ((counted.get(key) ?? `${calls} ${labels.family}`) !== `${calls} ${labels.family}`) return
    counted.set(key, `${calls} ${labels.family}`)
    addCount(inbound.total, values, labels.class === 'failed')
  })
  const timed = new Map<string, string>()
  const once = (key: string, family: string) => (timed.get(key) ?? timed.set(key, family).get(key)) === family
  yield* inPieces(answers.get('spanTime'), (series) => {
    const inbound = spanOf(series.labels)
    const family = series.labels.family ?? ''
    if (inbound && once(workloadId(inbound.workload), family)) addTime(inbound.total, series, unitOf(family))
  })
  yield* inPieces(answers.get('spanBuckets'), (series) => {
    const inbound = spanOf(series.labels)
    const family = series.labels.family ?? ''
    if (inbound && once(workloadId(inbound.workload), family)) addBucket(inbound.total, series, unitOf(family))
  })
  yield* readGraph(observation, answers, served)
  return observation
}

function callsOf({ family }: Labels): string {
  return spanFamilies.find(({ name }) => name === family)?.calls ?? ''
}

function unitOf(family: string): number {
  return spanFamilies.find(({ name }) => name === family)?.perSecond ?? 1
}

/** What has no spans is called by its host, or by whatever name its client's span has for it. */
function placeOf(name: string): Destination {
  const isHost = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(name) && !/^[\d.]+$/.test(name)
  return isHost ? { kind: 'host', host: name.toLowerCase() } : { kind: 'unknown', what: name }
}

function* readGraph(observation: Observation, answers: Answers, served: ReadonlySet<string>): Turns<void> {
  const { cluster } = observation
  const unit = perSecond(answers)
  /** The callee by its caller, in all where no spans of its own are counted, and the call. */
  const parts = (labels: Labels): { callee: Traffic[]; call: Traffic[] } => {
    const server = endOf(cluster, labels, 'server')
    const client = endOf(cluster, labels, 'client')
    const virtual = isVirtual(labels)
    const callee: Traffic[] = []
    if (server !== undefined && !virtual) {
      const inbound = inboundOf(observation, server, 'full')
      const by = client === undefined || isOutsideCaller(labels) ? outsideCaller(cluster) : workloadId(client)
      callee.push(partOf(inbound, 'byCaller', by))
      if (!served.has(workloadId(server))) callee.push(inbound.total)
    }
    if (client === undefined || isOutsideCaller(labels) || !labels.server) return { callee, call: [] }
    const to = server === undefined || virtual ? null : server
    const destination: Destination =
      to === null ? placeOf(labels.server) : { kind: 'workload', workload: to, service: null }
    return { callee, call: [flowOf(observation, client, destination, null, 'full', 'each').traffic] }
  }
  yield* inPieces(answers.get('graph'), ({ labels, apart, values }) => {
    const { callee, call } = parts(labels)
    for (const traffic of [...callee, ...call]) {
      addCount(traffic, values, apart.part === 'failed')
      // The total holds the failures too.
      if (apart.part === 'failed') addCounted(traffic, 'success', values, -1)
    }
  })
  yield* inPieces(answers.get('graphTime'), (series) => {
    if (series.apart.part === 'legacy') return
    const { callee, call } = parts(series.labels)
    for (const traffic of series.labels.end === 'server' ? callee : call) addTime(traffic, series, unit)
  })
  yield* inPieces(answers.get('graphBuckets'), (series) => {
    const server = endOf(cluster, series.labels, 'server')
    // What is no service has buckets too; nothing else tells of such a one, and so nobody asks for them.
    if (server === undefined || served.has(workloadId(server))) return
    addBucket(inboundOf(observation, server, 'full').total, series, unit)
  })
}

/**
 * What is in a second of what `_seconds` holds: older collectors write milliseconds. Buckets come in a lane of their
 * own, and tell it by how long they are.
 */
function perSecond(answers: Answers): number {
  for (const { apart } of answers.get('graphTime') ?? []) if (apart.part === 'legacy') return MILLISECONDS
  for (const { apart } of answers.get('graphBuckets') ?? []) if (isLong(boundOf(apart))) return MILLISECONDS
  return 1
}

/** No bucket of seconds is this long; of milliseconds some always are. */
function isLong(bound: number | null): boolean {
  return bound !== null && bound >= LONG && Number.isFinite(bound)
}
