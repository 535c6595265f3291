import { deserialize, serialize } from 'node:v8'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bucketsToAdd, withLatencies } from './add-traffic.ts'
import { BucketColumns } from './bucket-columns.ts'
import type { WorkloadRef } from './identity.ts'
import { nativeHistogram } from './native-histogram.ts'
import { cluesOf, emptyObservation, newInbound, noTcp, type Observation } from './observation.ts'
import { packObservation, unpackObservation } from './packed-observation.ts'
import { emptyTraffic, flowAt, type Traffic } from './traffic.ts'

const value = fc.oneof(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.constant(Number.NaN))

const traffic: fc.Arbitrary<Traffic> = fc
  .record({
    counted: fc.tuple(value, value, value, value),
    buckets: fc.uniqueArray(fc.constantFrom(0.001, 0.1, 1, 50, Number.POSITIVE_INFINITY)),
    series: fc.boolean(),
    native: fc.boolean(),
    ageSeconds: fc.constantFrom(undefined, 20),
  })
  .map(({ counted, buckets, series, native, ageSeconds }) => {
    const made = emptyTraffic(1)
    ;[made.success[0], made.failures[0], made.latencySeconds[0], made.latencyCount[0]] = counted
    const latencies = emptyTraffic(1)
    for (const bound of buckets) bucketsToAdd(latencies).add(bound, [Math.min(bound, 100)])
    if (series) {
      latencies.bucketSeries = new BucketColumns(1)
      for (const bound of buckets) latencies.bucketSeries.add(bound, [3])
    }
    if (native) latencies.native = [nativeHistogram({ count: 3, sum: 4.5 }, [[1, 2, 3]])]
    return withLatencies(made, latencies, ageSeconds)
  })

const ref = (name: string): WorkloadRef => ({ cluster: 'east', namespace: 'shop', kind: 'deployment', name })

const observations: fc.Arbitrary<Observation> = fc
  .record({
    total: traffic,
    parts: fc.dictionary(fc.constantFrom('a', 'b', 'c'), traffic),
    call: traffic,
    route: traffic,
    tcp: fc.option(fc.tuple(value, value, value)),
    pods: value,
    retries: value,
  })
  .map(({ total, parts, call, route, tcp, pods, retries }) => {
    const observation = emptyObservation('east', 1, 'linkerd')
    const bytes = noTcp(1)
    if (tcp !== null) [bytes.bytesIn[0], bytes.bytesOut[0], bytes.openConnections[0]] = tcp
    const byCaller = new Map(Object.entries(parts))
    observation.inbound.set('east/shop/x', {
      ...newInbound(ref('x'), 1, 'full'),
      total,
      byCaller,
      addresses: new Set(['10.0.0.1']),
      tcp: tcp === null ? null : bytes,
      seenBy: ['linkerd', 'envoy'],
    })
    observation.outbound.set('east/shop/x host elsewhere', {
      from: ref('x'),
      destination: { kind: 'host', host: 'elsewhere' },
      traffic: call,
      measure: 'firstByte',
      attempts: 'effective',
      serverId: null,
      clues: cluesOf({ host: 'elsewhere', address: '203.0.113.7:443' }),
      tcp: tcp === null ? null : bytes,
    })
    observation.pods.set('east/shop/x', Float64Array.of(pods))
    observation.aliases.add('k8s-east')
    observation.signals.set('east/shop/x', new Map([['retriesPerSecond', Float64Array.of(retries)]]))
    const named = { direction: 'inbound', service: 'x.shop', route: '/a' } as const
    observation.routes.set('one', { workload: ref('x'), ...named, effective: route, actual: call })
    observation.passing.set('shop/x', new Set(['spiffe://east']))
    return observation
  })

/** Written down and read again, as another process does. */
const again = (observation: Observation) =>
  unpackObservation(deserialize(serialize(packObservation(observation))) as ReturnType<typeof packObservation>)

test('what is written down and read again tells the same, to the last digit', () => {
  fc.assert(
    fc.property(observations, (observation) => {
      const read = again(observation)
      expect(packObservation(read)).toEqual(packObservation(observation))
      const inboundOf = ({ inbound }: Observation) => inbound.get('east/shop/x') ?? expect.fail('lost')
      const [flow, same] = [inboundOf(observation), inboundOf(read)]
      expect(flowAt(same.total, 0)).toEqual(flowAt(flow.total, 0))
      expect([...same.byCaller.keys()]).toEqual([...flow.byCaller.keys()])
    }),
  )
})

test('numbers, buckets and names are what they were', () => {
  const total = emptyTraffic(1)
  total.success[0] = 41
  total.latencySeconds[0] = 0.5
  bucketsToAdd(total).add(Number.POSITIVE_INFINITY, [41])
  const observation = emptyObservation('east', 1, 'linkerd')
  observation.inbound.set('east/shop/x', { ...newInbound(ref('x'), 1), total })
  const read = again(observation).inbound.get('east/shop/x')
  expect(read).toMatchObject({ workload: ref('x'), measure: 'firstByte', tcp: null, addresses: new Set() })
  expect([...(read?.total.success ?? [])]).toEqual([41])
  expect([...(read?.total.failures ?? [])]).toEqual([Number.NaN])
  expect([...(read?.total.buckets ?? [])]).toEqual([[Number.POSITIVE_INFINITY, Float64Array.of(41)]])
})

const STEPS = 4
const single = fc.float({ min: 0, max: 1e6, noNaN: true })
const column = fc
  .array(fc.oneof(single, fc.constant(Number.NaN)), { minLength: STEPS, maxLength: STEPS })
  .map((values) => Float32Array.from(values))

const courses: fc.Arbitrary<Traffic> = fc
  .record({
    counted: fc.tuple(column, column, column, column),
    buckets: fc.uniqueArray(fc.tuple(fc.constantFrom(0.001, 0.1, 50, Number.POSITIVE_INFINITY), column), {
      selector: ([bound]) => bound,
    }),
    native: fc.boolean(),
  })
  .map(({ counted: [success, failures, latencySeconds, latencyCount], buckets, native }) => {
    const columns = new BucketColumns(STEPS)
    for (const [bound, values] of buckets) columns.column(bound).set(values)
    const none = Array.from<null>({ length: STEPS - 1 }).fill(null)
    const course = { success, failures, latencySeconds, latencyCount, buckets: columns }
    return native ? { ...course, native: [...none, nativeHistogram({ count: 3, sum: 4.5 }, [[1, 2, 3]])] } : course
  })

test('several steps tell the same, each of them', () => {
  fc.assert(
    fc.property(courses, courses, column, (total, byCaller, pods) => {
      const observation = emptyObservation('east', STEPS, 'linkerd')
      observation.inbound.set('x', {
        ...newInbound(ref('x'), STEPS),
        total,
        byCaller: new Map([['a', byCaller]]),
        tcp: { bytesIn: pods, bytesOut: pods, openConnections: pods },
      })
      observation.pods.set('x', pods)
      observation.signals.set('x', new Map([['retriesPerSecond', pods]]))
      const read = again(observation)
      const flow = read.inbound.get('x') ?? expect.fail('lost')
      const caller = flow.byCaller.get('a') ?? expect.fail('lost')
      for (let step = 0; step < STEPS; step += 1) {
        expect(flowAt(flow.total, step)).toEqual(flowAt(total, step))
        expect(flowAt(caller, step)).toEqual(flowAt(byCaller, step))
      }
      const others = [flow.tcp?.bytesOut, read.pods.get('x'), read.signals.get('x')?.get('retriesPerSecond')]
      for (const one of others) expect([...(one ?? [])]).toEqual([...pods])
      expect(read.steps).toBe(STEPS)
    }),
  )
})
