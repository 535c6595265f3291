import { describe, expect, test } from 'vitest'
import { addSignal, flowOf, inboundOf, partOf } from '../dialects/observe.ts'
import { callsKey } from '../domain/call-signals.ts'
import { type WorkloadRef, workloadId } from '../domain/identity.ts'
import { emptyObservation, NO_NAMESPACE, noTcp, type Observation } from '../domain/observation.ts'
import { mergeObservations } from './merge-observations.ts'

const ref = (name: string, namespace = 'shop', kind = 'deployment'): WorkloadRef => ({
  cluster: 'east',
  namespace,
  kind,
  name,
})

function seen(
  dialect: string,
  workloads: readonly [WorkloadRef, number | null][],
  calls: readonly (readonly [from: WorkloadRef, to: WorkloadRef, rate: number])[] = [],
): Observation {
  const observation = emptyObservation('east', 1, dialect)
  for (const [workload, rate] of workloads) {
    const inbound = inboundOf(observation, workload)
    if (rate === null) inbound.tcp = noTcp(1)
    else inbound.total.success[0] = rate
  }
  for (const [from, to, rate] of calls) {
    flowOf(observation, from, { kind: 'workload', workload: to, service: null }, null, 'full').traffic.success[0] = rate
  }
  return observation
}

const rates = ({ inbound }: Observation) =>
  Object.fromEntries([...inbound].map(([id, { total, seenBy }]) => [id, [total.success[0], ...seenBy]]))

describe('several dialects in one cluster', () => {
  test('a workload is one workload: the richer dialect is believed, nothing is added', () => {
    const rich = seen('linkerd', [[ref('cart'), 10]], [[ref('web'), ref('cart'), 10]])
    const poor = seen(
      'otel',
      [
        [ref('cart'), 3],
        [ref('mail'), 1],
      ],
      [
        [ref('web'), ref('cart'), 3],
        [ref('mail'), ref('cart'), 1],
      ],
    )
    const merged = mergeObservations('east', 1, [rich, poor])
    expect(rates(merged)).toEqual({ 'east/shop/cart': [10, 'linkerd', 'otel'], 'east/shop/mail': [1, 'otel'] })
    expect([...merged.outbound.values()].map(({ from, traffic }) => [from.name, traffic.success[0]])).toEqual([
      ['web', 10],
      ['mail', 1],
    ])
  })

  test('where the richer one counts bytes only, the requests are the other one’s', () => {
    const merged = mergeObservations('east', 1, [
      seen('istio', [[ref('cart'), null]]),
      seen('otel', [[ref('cart'), 3]]),
    ])
    expect(rates(merged)).toEqual({ 'east/shop/cart': [3, 'otel', 'istio'] })
    expect(merged.inbound.get('east/shop/cart')?.tcp).not.toBeNull()
  })

  test('a name without its namespace or kind is the one workload that bears it', () => {
    const rich = seen('linkerd', [
      [ref('db', 'data', 'statefulset'), 5],
      [ref('cart'), 10],
      [ref('cart', 'other'), 2],
    ])
    const traces = seen('otel', [
      [ref('db', NO_NAMESPACE), 4],
      [ref('cart', NO_NAMESPACE), 1],
    ])
    expect(rates(mergeObservations('east', 1, [rich, traces]))).toEqual({
      'east/data/statefulset:db': [5, 'linkerd', 'otel'],
      'east/shop/cart': [10, 'linkerd'],
      'east/other/cart': [2, 'linkerd'],
      // Which of the two carts this is, nobody can tell.
      'east/-/cart': [1, 'otel'],
    })
  })

  describe('who calls, as traces tell it beside a mesh', () => {
    const traced = (callee: WorkloadRef, caller: string) => {
      const observation = seen('otel', [[callee, 10]])
      const inbound = observation.inbound.get(workloadId(callee))
      if (inbound !== undefined) partOf(inbound, 'byCaller', caller).success[0] = 10
      return observation
    }
    const callersOf = (merged: Observation, id: string) =>
      [...(merged.inbound.get(id)?.byCaller ?? [])].map(([caller, { success }]) => [caller, success[0]])

    test('is not put upon the numbers of the mesh', () => {
      const mesh = seen('linkerd', [[ref('cart'), 100]], [[ref('web'), ref('cart'), 100]])
      const inbound = mesh.inbound.get('east/shop/cart')
      if (inbound !== undefined) partOf(inbound, 'byClient', 'web.shop.identity').success[0] = 100
      const merged = mergeObservations('east', 1, [mesh, traced(ref('cart'), 'east/shop/web')])
      expect(callersOf(merged, 'east/shop/cart')).toEqual([])
    })

    test('is a name without numbers where the mesh names nobody, by the id that the mesh has for it', () => {
      const mesh = seen('linkerd', [[ref('cart'), 100]], [[ref('report', 'shop', 'cronjob'), ref('cart'), 100]])
      const merged = mergeObservations('east', 1, [mesh, traced(ref('cart', NO_NAMESPACE), 'east/-/report')])
      expect(callersOf(merged, 'east/shop/cart')).toEqual([['east/shop/cronjob:report', Number.NaN]])
    })

    test('is all there is where the mesh counts bytes alone, of its calls as well', () => {
      const mesh = seen('istio', [[ref('cart'), null]], [[ref('web'), ref('cart'), Number.NaN]])
      const [call] = mesh.outbound.values()
      if (call !== undefined) call.tcp = noTcp(1)
      const traces = traced(ref('cart'), 'east/shop/web')
      const destination = { kind: 'workload', workload: ref('cart'), service: null } as const
      flowOf(traces, ref('web'), destination, null, 'full').traffic.success[0] = 10
      const merged = mergeObservations('east', 1, [mesh, traces])
      expect(callersOf(merged, 'east/shop/cart')).toEqual([['east/shop/web', 10]])
      expect([...merged.outbound.values()].map(({ traffic, tcp }) => [traffic.success[0], tcp === null])).toEqual([
        [10, false],
      ])
    })
  })

  test('facts beside the golden signals come in a lane without requests, and are kept', () => {
    const rich = seen('linkerd', [])
    const call = callsKey(ref('web'), 'cart.shop')
    addSignal(rich, call, 'retriesPerSecond', [2])
    addSignal(rich, 'east/shop/cart', 'deniedPerSecond', [1])
    const { signals } = mergeObservations('east', 1, [rich, seen('otel', [[ref('cart', NO_NAMESPACE), 3]])])
    expect(signals.get(call)?.get('retriesPerSecond')?.[0]).toBe(2)
    expect(signals.get('east/shop/cart')?.get('deniedPerSecond')?.[0]).toBe(1)
  })

  test('one dialect alone stays as it is', () => {
    const only = seen('istio', [[ref('cart'), 10]])
    expect(mergeObservations('east', 1, [only])).toBe(only)
    expect(only.inbound.get('east/shop/cart')?.seenBy).toEqual(['istio'])
  })
})
