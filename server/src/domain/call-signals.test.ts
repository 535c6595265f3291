import { expect, test } from 'vitest'
import { callsKey, placedOnCalls } from './call-signals.ts'
import { type Destination, destinationKey, emptyObservation, NO_CLUES } from './observation.ts'
import type { SignalName } from './signals.ts'
import { emptyTraffic } from './traffic.ts'

const ref = (name: string) => ({ cluster: 'east', namespace: 'shop', kind: 'deployment', name })
const WEB = ref('web')
const toCart: Destination = { kind: 'workload', workload: ref('cart'), service: 'cart' }
const mirrored: Destination = { kind: 'mirror', cluster: 'west', namespace: 'shop', service: 'cart' }

function placed(calls: readonly Destination[], facts: readonly [key: string, name: SignalName, value: number][]) {
  const { signals, outbound } = emptyObservation('east', 1)
  for (const destination of calls) {
    const flow = {
      from: WEB,
      destination,
      traffic: emptyTraffic(1),
      measure: 'full',
      attempts: 'each',
      tcp: null,
    } as const
    outbound.set(`east/shop/web ${destinationKey(destination)}`, { ...flow, serverId: null, clues: NO_CLUES })
  }
  for (const [key, name, value] of facts) signals.set(key, new Map([[name, Float64Array.of(value)]]))
  return [...placedOnCalls(signals, outbound)].map(([key, of]) => [
    key,
    Object.fromEntries([...of].map(([name, [told]]) => [name, told])),
  ])
}

test('a fact about calls to a service is on every call that leads there, and on no other', () => {
  const calls = [toCart, mirrored, { ...toCart, service: null, workload: ref('mail') }]
  expect(placed(calls, [[callsKey(WEB, 'cart.shop'), 'retriesPerSecond', 2]])).toEqual([
    ['east/shop/web workload east/shop/deployment:cart', { retriesPerSecond: 2 }],
    ['east/shop/web mirror west/shop/cart', { retriesPerSecond: 2 }],
  ])
})

test('on the workload where it is not seen to call that service; what lands in one place is added up', () => {
  const facts: [string, SignalName, number][] = [
    ['east/shop/web', 'deniedPerSecond', 1],
    [callsKey(WEB, 'cart.shop'), 'retriesPerSecond', 2],
    [callsKey(WEB, 'mail.shop'), 'retriesPerSecond', 3],
  ]
  expect(placed([], facts)).toEqual([['east/shop/web', { deniedPerSecond: 1, retriesPerSecond: 5 }]])
})
