import { expect, test } from 'vitest'
import { joinSide, splitSide } from './compare-search.ts'
import { goalsText, judged, readGoals } from './goals.ts'

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

test('goals are written as links have them, and read back', () => {
  const text = 'p99:500ms,p50:100ms,mean:1.5s,sr:99.95,rps:800'
  expect(goalsText(readGoals(text).goals)).toBe(text)
})

const golden = {
  requestsPerSecond: 900,
  failuresPerSecond: 0,
  successRatio: 1,
  sampleCount: 1,
  percentiles: null,
  inFlight: 1,
  latencySeconds: { mean: 0.1, p50: 0.1, p95: 0.3, p99: 0.6, p999: 50 },
}
const truths = {
  requestsPerSecond: 'value',
  successRatio: 'value',
  mean: 'value',
  p50: 'lowSample',
  p95: 'value',
  p99: 'value',
  p999: 'offScale',
} as const
const bounds = { p50: null, p95: null, p99: null, p999: null }

test.each([
  ['p99:500ms', 'missed'],
  ['p95:500ms', 'met'],
  ['sr:99.9', 'met'],
  ['rps:1000', 'missed'],
  // Of too few requests, and beyond the last bucket, a percentile is not known well enough to hold it against anything.
  ['p50:500ms', 'tooFew'],
  ['p999:60s', 'unknown'],
  ['p999:1s', 'missed'],
])('%s: %s', (text, verdict) => {
  const [goal] = readGoals(text).goals
  expect(goal && judged(goal, { id: null, golden, truths, bounds, goals: [] })).toBe(verdict)
})

test('without a number nothing is met or missed', () => {
  const [goal] = readGoals('p99:500ms').goals
  const silent = { ...golden, latencySeconds: { ...golden.latencySeconds, p99: null } }
  expect(goal && judged(goal, null)).toBe('unknown')
  expect(goal && judged(goal, { id: null, golden: silent, truths, bounds, goals: [] })).toBe('unknown')
})

test.each(['', 'east', 'east/labs/d@v:7c9f', 'east@now-1h~now-30m', 'east/labs/d@v:7c9f@now-1h~now'])(
  'a side "%s" is taken apart and put together again',
  (text) => {
    expect(joinSide(splitSide(text))).toBe(text)
  },
)
