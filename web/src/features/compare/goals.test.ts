import { expect, test } from 'vitest'
import { joinSide, splitSide } from './compare-search.ts'
import { isMet, readGoals } from './goals.ts'

test('goals are read in the units people write, and what is none is named', () => {
  const { goals, wrong } = readGoals('p99:500ms, p50:0.1s,sr:99.9,rps:800,p42:1,sr:120,p99:fast')
  expect(goals.map(({ measure, limit }) => [measure, limit])).toEqual([
    ['p99', 0.5],
    ['p50', 0.1],
    ['sr', 0.999],
    ['rps', 800],
  ])
  expect(wrong).toEqual(['p42:1', 'sr:120', 'p99:fast'])
})

test('latency has to stay below, success and traffic above; without a number nothing is met or missed', () => {
  const latencySeconds = { mean: 0.1, p50: 0.1, p95: 0.3, p99: 0.6, p999: null }
  const golden = {
    requestsPerSecond: 900,
    failuresPerSecond: 0,
    successRatio: 1,
    sampleCount: 1,
    percentiles: null,
    inFlight: 1,
    latencySeconds,
  }
  const cell = { id: null, golden } as Parameters<typeof isMet>[1]
  const met = readGoals('p99:500ms,p95:500ms,sr:99.9,rps:1000,p999:1s').goals.map((goal) => isMet(goal, cell))
  expect(met).toEqual([false, true, true, false, null])
})

test.each(['', 'east', 'east/labs/d@v:7c9f', 'east@now-1h~now-30m', 'east/labs/d@v:7c9f@now-1h~now'])(
  'a side "%s" is taken apart and put together again',
  (text) => {
    expect(joinSide(splitSide(text))).toBe(text)
  },
)
