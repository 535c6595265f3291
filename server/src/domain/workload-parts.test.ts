import { expect, test } from 'vitest'
import { intervalsOf } from './intervals.ts'
import { latencyGrid } from './latency-grid.ts'
import { maxOverMedian, rankChangesPerMinute, versionOf } from './pod-balance.ts'
import { emptyTraffic, type Traffic } from './traffic.ts'

const BOUNDS = [0.01, 0.1, 1, 5, Number.POSITIVE_INFINITY]

/** Ten requests a second; at `slowStep` all of them in the bucket of 1 to 5 s. */
function traffic(steps: number, slowStep: number): Traffic {
  const made = emptyTraffic(steps)
  for (let step = 0; step < steps; step += 1) {
    made.success[step] = 10
    made.failures[step] = step === slowStep ? 1 : 0
    for (const bound of BOUNDS)
      made.buckets.column(bound)[step] = (step === slowStep ? bound >= 5 : bound >= 0.1) ? 10 : 0
  }
  return made
}

test('a stall is one hot cell high up, with a row of room above it', () => {
  const { bounds, columns } = latencyGrid(traffic(4, 2), 4)
  expect(bounds).toEqual([0.01, 0.1, 1, 5, Number.POSITIVE_INFINITY])
  expect(columns[1]).toEqual([0, 10, 0, 0, 0])
  expect(columns[2]).toEqual([0, 0, 0, 10, 0])
})

test('what was not measured is a gap and not an empty column', () => {
  const made = traffic(3, 1)
  for (const [, column] of made.buckets) column[0] = Number.NaN
  expect(latencyGrid(made, 3).columns[0]).toBeNull()
  expect(latencyGrid(emptyTraffic(2), 2)).toEqual({ bounds: [], columns: [null, null] })
})

test('the interval of a stall is marked against the median of those before, and the next ones are not', () => {
  const log = intervalsOf(traffic(12, 8), 12, 10)
  expect(log[8]).toMatchObject({ good: 100, bad: 10, minSeconds: 1, maxSeconds: 5, change: '+++' })
  expect(log.filter(({ change }) => change !== '').map(({ step }) => step)).toEqual([8])
  expect(log[7]).toMatchObject({ minSeconds: 0.01, maxSeconds: 0.1, change: '' })
})

test('uneven pods and pods that swap places', () => {
  expect(maxOverMedian([1, 1, 3])).toBe(3)
  expect(maxOverMedian([5])).toBeNull()
  expect(maxOverMedian([99, 1])).toBe(99)
  expect(maxOverMedian([100, 1, 1, 100])).toBe(100)
  const still = [Float64Array.of(1, 1, 1, 1), Float64Array.of(2, 2, 2, 2)]
  const flapping = [Float64Array.of(1, 2, 1, 2), Float64Array.of(2, 1, 2, 1)]
  const equal = [Float64Array.of(1, 1.02, 1, 1), Float64Array.of(1, 1, 1.03, 1)]
  expect(rankChangesPerMinute(still, 10)).toBe(0)
  expect(rankChangesPerMinute(flapping, 10)).toBe(6)
  expect(rankChangesPerMinute(equal, 10)).toBe(0)
})

test.each([
  ['web-7c9f4d8b6-x2x1p', 'web', '7c9f4d8b6'],
  ['web-0', 'web', null],
  ['other-7c9f4d8b6-x2x1p', 'web', null],
])('the version of pod %s of %s is %s', (pod, workload, version) => {
  expect(versionOf(pod, workload)).toBe(version)
})
