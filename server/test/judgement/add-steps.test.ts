import { expect, test } from 'vitest'
import { differencesOf, type Side, verdictOver } from '../../src/domain/comparison.ts'
import { readGolden } from '../../src/domain/golden.ts'
import { maxOverMedian } from '../../src/domain/pod-balance.ts'
import type { Flow } from '../../src/domain/traffic.ts'

/** Ten servers of a fleet: what each adds, and how much of it succeeds. */
const ADDED_SECONDS = [0.001, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1, 2]
const SUCCEEDS = [1, 1, 1, 1, 1, 1, 1, 1, 0.6, 0.4]
const BOUNDS = [0.001, 0.01, 0.02, 0.04, 0.1, 0.2, 0.4, 1, 2, Number.POSITIVE_INFINITY]

/** What a fleet does with so many requests per second at each server. */
function fleet(rates: readonly number[], succeeds: readonly number[]): { flow: Flow; side: Side } {
  const requestsPerSecond = rates.reduce((sum, rate) => sum + rate, 0)
  const weighted = (of: readonly number[]) => rates.reduce((sum, rate, at) => sum + rate * (of[at] as number), 0)
  const cumulative = BOUNDS.map((bound) =>
    rates.reduce((sum, rate, at) => sum + ((ADDED_SECONDS[at] as number) <= bound ? rate : 0), 0),
  )
  const flow: Flow = {
    requestsPerSecond,
    failuresPerSecond: requestsPerSecond - weighted(succeeds),
    meanSeconds: weighted(ADDED_SECONDS) / requestsPerSecond,
    histogram: { upperBounds: BOUNDS, cumulative },
  }
  const spreads = { requestsPerSecond: null, errorRatio: null, meanSeconds: null }
  return { flow, side: { reading: readGolden(flow, { windowSeconds: 1_800, seen: true, stale: false }), spreads } }
}

test('a balancer that knows latencies against one that does not: better by every measure, told from the merged buckets', () => {
  const aware = [65, 64, 62, 58, 36, 18, 8, 3, 1, 0.3]
  const blind = Array.from({ length: 10 }, () => 10.9)
  const linkerd = fleet(aware, SUCCEEDS)
  const baseline = fleet(blind, SUCCEEDS)
  const found = differencesOf(linkerd.side, baseline.side)
  expect(found).toEqual({ requestsPerSecond: 'less', successRatio: 'worse', p50: 'worse', p99: 'worse' })
  expect(verdictOver(found)).toBe('worse')
  expect(baseline.side.reading.golden.successRatio).toBeCloseTo(0.9, 9)
  const p50 = (one: typeof linkerd) => one.side.reading.golden.latencySeconds.p50 ?? Number.NaN
  expect(p50(linkerd)).toBeLessThan(0.5 * p50(baseline))

  // Requests per instance tell the two apart: one is uneven on purpose, one even whatever its servers do.
  expect(maxOverMedian(aware)).toBeGreaterThan(1.5)
  expect(maxOverMedian(blind)).toBe(1)

  // Effective beside actual: what retries hide is in the attempts.
  const effective = fleet(
    aware,
    SUCCEEDS.map(() => 1),
  ).side.reading.golden.successRatio
  expect(effective).toBe(1)
  expect(linkerd.side.reading.golden.successRatio).toBeLessThan(1)
})
