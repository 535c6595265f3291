import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyObservation, newInbound, type Observation } from './observation.ts'
import { hasMoved, withRequestsOf } from './standing.ts'

interface Received {
  readonly requestsPerSecond: number
  readonly failuresPerSecond?: number
  readonly meanSeconds: number
}

const WINDOW_SECONDS = 60

function observed(workloads: Readonly<Record<string, Received>>): Observation {
  const observation = emptyObservation('east', 1, 'linkerd')
  for (const [name, { requestsPerSecond, failuresPerSecond = 0, meanSeconds }] of Object.entries(workloads)) {
    const workload = { cluster: 'east', namespace: 'shop', kind: 'deployment', name }
    const inbound = newInbound(workload, 1)
    inbound.total.success[0] = requestsPerSecond - failuresPerSecond
    inbound.total.failures[0] = failuresPerSecond
    inbound.total.latencySeconds[0] = requestsPerSecond * meanSeconds
    inbound.total.latencyCount[0] = requestsPerSecond
    observation.inbound.set(name, inbound)
  }
  return observation
}

const NOBODY: ReadonlySet<string> = new Set()
const WEB: ReadonlySet<string> = new Set(['web'])

const moved = (before: Record<string, Received>, now: Record<string, Received>, inTrouble = NOBODY) =>
  hasMoved(observed(before), observed(now), WINDOW_SECONDS, inTrouble)

const busy = { requestsPerSecond: 100, meanSeconds: 0.1 }
const rates = fc.double({ min: 0, max: 1e5, noNaN: true })
const received = fc.record({ requestsPerSecond: rates, meanSeconds: fc.double({ min: 1e-4, max: 60, noNaN: true }) })

describe('whether what workloads receive has moved', () => {
  test('what is the same has not, however little or much it is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), received), (workloads) => {
        expect(moved(workloads, workloads)).toBe(false)
        expect(moved(workloads, workloads, new Set(Object.keys(workloads)))).toBe(false)
      }),
    )
  })

  test('both ways round, one and the same', () => {
    fc.assert(
      fc.property(received, received, fc.constantFrom(NOBODY, WEB), (a, b, inTrouble) => {
        expect(moved({ web: a }, { web: b }, inTrouble)).toBe(moved({ web: b }, { web: a }, inTrouble))
      }),
    )
  })

  test('what has not in trouble has not in calm', () => {
    fc.assert(
      fc.property(received, received, (a, b) => {
        if (moved({ web: a }, { web: b })) expect(moved({ web: a }, { web: b }, WEB)).toBe(true)
      }),
    )
  })

  test('half as slow again has, and a tenth of the requests failing', () => {
    expect(moved({ web: busy }, { web: { ...busy, meanSeconds: 0.15 } })).toBe(true)
    expect(moved({ web: busy }, { web: { ...busy, failuresPerSecond: 10 } })).toBe(true)
    expect(moved({ web: busy }, { web: { ...busy, requestsPerSecond: 105, meanSeconds: 0.105 } })).toBe(false)
    expect(moved({ web: busy }, { web: { ...busy, meanSeconds: 0.115 } }, WEB)).toBe(true)
  })

  test('a third more requests come and go, with as many failures among them; a surge does not', () => {
    const failing = { ...busy, failuresPerSecond: 5 }
    const more = (factor: number) => ({
      ...busy,
      requestsPerSecond: factor * busy.requestsPerSecond,
      failuresPerSecond: factor * 5,
    })
    expect(moved({ web: failing }, { web: more(1.33) }, WEB)).toBe(false)
    expect(moved({ web: failing }, { web: more(2.5) })).toBe(true)
    expect(moved({ web: failing }, { web: more(0.3) })).toBe(true)
    expect(moved({ web: failing }, { web: { ...more(1.33), failuresPerSecond: 20 } })).toBe(true)
  })

  test('few requests differ by chance', () => {
    const seldom = { requestsPerSecond: 0.2, meanSeconds: 0.1 }
    expect(moved({ web: seldom }, { web: { requestsPerSecond: 0.4, meanSeconds: 0.18 } })).toBe(false)
    expect(moved({ web: seldom }, { web: { requestsPerSecond: 20, meanSeconds: 0.1 } })).toBe(true)
  })

  test('one who is asked now and then has not, with each request and without', () => {
    const idle = { requestsPerSecond: 0, meanSeconds: 0.1 }
    const once = { requestsPerSecond: 1 / WINDOW_SECONDS, meanSeconds: 0.4 }
    for (const inTrouble of [NOBODY, WEB]) {
      expect(moved({ web: idle }, { web: once }, inTrouble)).toBe(false)
      expect(moved({ web: once }, { web: idle }, inTrouble)).toBe(false)
      expect(moved({ web: idle }, { web: busy }, inTrouble)).toBe(true)
    }
  })

  test('of those in trouble less may differ, of the others as much as ever', () => {
    const many = { web: busy, cart: busy }
    const slower = { ...busy, meanSeconds: 0.115 }
    expect(moved(many, { ...many, web: slower })).toBe(false)
    expect(moved(many, { ...many, web: slower }, WEB)).toBe(true)
    expect(moved(many, { ...many, cart: slower }, WEB)).toBe(false)
  })

  test('a handful of failures where there was none is chance', () => {
    const failing = (count: number) => ({ web: { ...busy, failuresPerSecond: count / WINDOW_SECONDS } })
    expect(moved({ web: busy }, failing(10), WEB)).toBe(false)
    expect(moved({ web: busy }, failing(15), WEB)).toBe(true)
    expect(moved({ web: busy }, failing(15))).toBe(false)
    expect(moved({ web: busy }, failing(25))).toBe(true)
  })

  test('one of many is enough; so is somebody new, or gone', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`w${index}`, busy]))
    expect(moved(many, { ...many, w50: { ...busy, meanSeconds: 1 } })).toBe(true)
    expect(moved(many, { ...many, newcomer: { requestsPerSecond: 0, meanSeconds: 0.1 } })).toBe(true)
    const { w50: _, ...fewer } = many
    expect(moved(many, fewer)).toBe(true)
  })

  test('who has no requests is told of by other questions, and is not gone', () => {
    const before = observed({ web: busy })
    const workload = { cluster: 'east', namespace: 'shop', kind: 'deployment', name: 'queue' }
    before.inbound.set('queue', newInbound(workload, 1))
    expect(hasMoved(before, observed({ web: busy }), WINDOW_SECONDS, WEB)).toBe(false)
  })

  test('without latencies, or with them for the first time, it has', () => {
    const without = observed({ web: busy })
    const web = without.inbound.get('web')
    if (web === undefined) throw new Error('not there')
    web.total.latencyCount[0] = Number.NaN
    expect(hasMoved(without, observed({ web: busy }), WINDOW_SECONDS, NOBODY)).toBe(true)
    expect(hasMoved(without, without, WINDOW_SECONDS, WEB)).toBe(false)
  })
})

test('with the requests of now: totals are of now, all else of then, and neither is changed', () => {
  const before = observed({ web: busy, cart: busy })
  const part = observed({ web: busy }).inbound.get('web')?.total
  const web = before.inbound.get('web')
  if (web === undefined || part === undefined) throw new Error('not there')
  web.byHost = new Map([['web.shop', part]])
  const now = observed({ web: { ...busy, requestsPerSecond: 101 } })
  const made = withRequestsOf(before, now)
  expect(made.inbound.get('web')?.total).toBe(now.inbound.get('web')?.total)
  expect(made.inbound.get('web')?.byHost).toBe(web.byHost)
  expect(made.inbound.get('cart')).toBe(before.inbound.get('cart'))
  expect(made.outbound).toBe(before.outbound)
  expect(before.inbound.get('web')).toBe(web)
})
