import { expect, test } from 'vitest'
import type { ChartFrame } from './axes.ts'
import { bandOf, blanksOf, doubtfulLineOf, lineOf, plotOf } from './plot-shape.ts'
import type { Point } from './thin.ts'

const frame: ChartFrame = { fromMs: 0, toMs: 100, onsetMs: null, calm: null, zone: 'utc' }
/** The plot is 100 wide and 88 high, from (44, 6) on: a pixel is a millisecond. */
const plot = plotOf(frame, { width: 148, domain: [0, 10], log: false })

function point(atMs: number, p99: number | null, requestsPerSecond: number | null = 1, p50 = p99): Point {
  const rest = {
    successRatio: null,
    errorRatio: null,
    inFlight: null,
    p95: null,
    p999: null,
    samples: null,
    enoughFor: 4,
  }
  return { ...rest, atMs, requestsPerSecond, p50, p99 }
}
const p99 = (of: Point) => of.p99
const p50 = (of: Point) => of.p50

test('instants and values lie where the axes say, and what is beyond lies on the edge', () => {
  expect([plot.xOf(0), plot.xOf(100), plot.atOf(plot.xOf(37))]).toEqual([44, 144, 37])
  expect([plot.yOf(0), plot.yOf(10), plot.yOf(99)]).toEqual([94, 6, 6])
  const log = plotOf(frame, { width: 148, domain: [0.01, 1], log: true })
  expect([log.yOf(0), log.yOf(0.1), log.yOf(1)]).toEqual([94, 50, 6])
})

test.each([
  ['a line', [point(0, 0), point(10, 5), point(20, 10)], 'M44 94L54 50L64 6'],
  ['a gap without a value', [point(0, 0), point(10, 0), point(20, null), point(30, 10)], 'M44 94L54 94M74 6h.01'],
  ['a gap without a point', [point(0, 0), point(10, 0), point(30, 5), point(40, 5)], 'M44 94L54 94M74 50L84 50'],
  ['nothing', [point(0, null)], ''],
])('%s is drawn as such', (_, points, path) => {
  expect(lineOf(points, p99, plot)).toBe(path)
})

test('what rests on few requests is drawn up to its neighbours, and apart from the rest', () => {
  const few = (of: Point) => of.enoughFor < 3
  const at = (atMs: number, enoughFor: number) => ({ ...point(atMs, 0), enoughFor })
  const points = [at(0, 4), at(10, 4), at(20, 2), at(30, 4), at(40, 4)]
  expect(doubtfulLineOf(points, p99, few, plot)).toBe('M54 94L64 94L74 94')
  expect(lineOf(points, (of) => (few(of) ? null : of.p99), plot)).toBe('M44 94L54 94M74 94L84 94')
  expect(doubtfulLineOf(points.slice(0, 2), p99, few, plot)).toBe('')
})

test('a band lies between its lines, or on the foot, and nowhere where one of them is missing', () => {
  const points = [point(0, 10, 1, 5), point(10, 10, 1, 5), point(20, null, 1, 5), point(30, 10, 1, 5)]
  expect(bandOf(points, p99, p50, plot)).toBe('M44 6L54 6L54 50L44 50Z')
  expect(bandOf(points, p99, null, plot)).toBe('M44 6L54 6L54 94L44 94Z')
})

test.each([
  ['measured all along', [0, 20, 40, 60, 80, 100].map((at) => point(at, 1)), []],
  [
    'no requests for a while',
    [point(0, 1), point(20, null, 0), point(40, null, 0), point(60, 1), point(80, 1), point(100, 1)],
    [{ fromMs: 10, toMs: 50, why: 'idle' }],
  ],
  [
    'not measured, then stopped',
    [point(20, null, null), point(40, 1), point(60, 1)],
    [
      { fromMs: 10, toMs: 30, why: 'unseen' },
      { fromMs: 70, toMs: 100, why: 'unseen' },
    ],
  ],
  [
    'began late, and left a step out',
    [point(40, 1), point(60, 1), point(100, 1)],
    [
      { fromMs: 0, toMs: 30, why: 'unseen' },
      { fromMs: 70, toMs: 90, why: 'unseen' },
    ],
  ],
  // Too few requests for a percentile: there are some, so it is neither.
  ['requests without this value', [0, 20, 40, 60, 80, 100].map((at) => point(at, null)), []],
])('%s', (_, points, blanks) => {
  expect(blanksOf(points, p99, frame)).toEqual(blanks)
})
