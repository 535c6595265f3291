import { expect, test } from 'vitest'
import { changeStep, differencesOf, differs, type Side, spreadOf, verdictOver } from './comparison.ts'
import { readGolden } from './golden.ts'

const spreads = { requestsPerSecond: null, errorRatio: null, meanSeconds: null }

function side(rate: number, failures: number, meanSeconds: number, windowSeconds = 1_800): Side {
  const upperBounds = [0.01, 0.1, 1, Number.POSITIVE_INFINITY]
  const cumulative = upperBounds.map((bound) => (meanSeconds <= bound ? rate : 0))
  const flow = {
    requestsPerSecond: rate,
    failuresPerSecond: failures,
    meanSeconds,
    histogram: { upperBounds, cumulative },
  }
  return { reading: readGolden(flow, { windowSeconds, seen: true, stale: false }), spreads }
}

test.each([
  ['less than a tenth apart', 100, 109, null, null, false],
  ['twice as much', 100, 200, null, null, true],
  ['twice as much, but A was there at times', 100, 200, [90, 210], null, false],
  ['twice as much, but B was here at times', 100, 200, null, [90, 210], false],
  ['beyond both spreads', 100, 200, [90, 110], [180, 220], true],
  ['nothing and nothing', 0, 0, null, null, false],
] as const)('%s', (_, a, b, spreadA, spreadB, expected) => {
  expect(differs(a, b, spreadA, spreadB)).toBe(expected)
})

test('B is judged against A: slower and failing more is worse, traffic is only more', () => {
  const found = differencesOf(side(40, 0.1, 0.05), side(80, 4, 0.5))
  expect(found).toEqual({ requestsPerSecond: 'more', successRatio: 'worse', p50: 'worse', p99: 'worse' })
  expect(verdictOver(found)).toBe('worse')
  expect(verdictOver(differencesOf(side(80, 4, 0.5), side(40, 0.1, 0.05)))).toBe('better')
})

test('from a handful of requests nobody concludes anything', () => {
  const found = differencesOf(side(40, 0, 0.05), side(0.05, 0.001, 0.5))
  expect(found.p99).toBe('unclear')
  expect(found.successRatio).toBe('unclear')
})

test('a side that is not there is no difference, and no verdict', () => {
  expect(verdictOver(differencesOf(side(40, 0, 0.05), null))).toBeNull()
})

test('the step at which a level changed is found, and none in noise', () => {
  const noise = (at: number) => 1 + 0.05 * Math.sin(at * 12.9898)
  const stepped = Float64Array.from({ length: 60 }, (_, at) => noise(at) * (at < 37 ? 0.05 : 0.7))
  expect(changeStep(stepped)).toBe(37)
  expect(changeStep(Float64Array.from({ length: 60 }, (_, at) => noise(at) * 0.05))).toBeNull()
})

test('a spread leaves out what was not measured', () => {
  expect(spreadOf(Float64Array.of(Number.NaN, 1, 2, 3))).toEqual([1, 3])
  expect(spreadOf([])).toBeNull()
})
