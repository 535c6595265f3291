import { describe, expect, test } from 'vitest'
import type { Inbound, Observation } from './observation.ts'
import { type Flow, NO_FLOW } from './traffic.ts'
import { failureLimits } from './yardstick.ts'

const WINDOW = 60
const told = { inbound: new Map([['east/shop/web', {} as Inbound]]) } satisfies Pick<Observation, 'inbound'>
const nothing = { inbound: new Map<string, Inbound>() }
const failing: Flow = { ...NO_FLOW, requestsPerSecond: 100, failuresPerSecond: 6 }

describe('from which share of failures on a workload is in trouble', () => {
  test.each([
    ['its history is read', { history: {}, compare: null }],
    ['the stretch to compare with is read', { history: {}, compare: told }],
  ])('that always failed as much: more than that, where %s', (_, cluster) => {
    const [trouble] = failureLimits(cluster, failing, failing, WINDOW)
    expect(trouble).toBeGreaterThan(0.06)
    expect(trouble).toBeLessThan(0.5)
  })

  test.each([
    ['its history is not there yet', { history: null, compare: null }],
    ['its cluster does not reach back to the stretch to compare with', { history: {}, compare: nothing }],
  ])('of which nobody can tell what is usual: half of them, where %s', (_, cluster) => {
    expect(failureLimits(cluster, failing, NO_FLOW, WINDOW)).toEqual([0.5, 0.5])
  })

  test('that is new since the stretch to compare with is held to a workload without failures', () => {
    const [trouble] = failureLimits({ history: {}, compare: told }, failing, NO_FLOW, WINDOW)
    expect(trouble).toBeLessThan(0.06)
  })
})
