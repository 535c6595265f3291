import type { CompareSide } from '@goldseam/server/contract'
import { expect, test } from 'vitest'
import { domainOf } from '../../charts/line-plot.tsx'
import { printed } from '../../format/quantity.ts'
import { frameOf, linesOf, onLogAxis, printDrawnErrors } from './compare-lines.ts'

const T = Date.parse('2026-11-21T03:00:00Z')
const iso = (minutes: number) => new Date(T + minutes * 60_000).toISOString()

function side(fromMinutes: number, onsetMinutes: number | null, values: (number | null)[]): CompareSide {
  const series = {
    from: iso(fromMinutes),
    to: iso(fromMinutes + 30),
    stepSeconds: 60,
    at: values.map((_, index) => T / 1000 + (fromMinutes + index) * 60),
    requestsPerSecond: values,
    successRatio: values.map(() => 0.999),
    inFlight: values,
    mean: values,
    p50: values,
    p95: values,
    p99: values,
    p999: values,
  }
  return {
    text: '',
    clusters: ['east'],
    namespace: null,
    name: null,
    version: null,
    from: iso(fromMinutes),
    to: iso(fromMinutes + 30),
    onset: onsetMinutes === null ? null : iso(onsetMinutes),
    missing: [],
    series,
    percentiles: series,
  }
}

test('the same window is drawn by the clock, with a mark where each side changed', () => {
  const frame = frameOf(side(0, 12, []), side(0, 20, []), 'clock')
  expect(frame).toMatchObject({ wall: true, fromMs: T, toMs: T + 30 * 60_000, note: null, zeroMs: { a: 0, b: 0 } })
  expect(frame.marks.map(({ label }) => label)).toEqual(['A changed', 'B changed'])
  const near = frameOf(side(0, 12, []), side(0, 11, []), 'clock')
  expect(near.marks.map(({ label }) => label)).toEqual(['B changed, then A', ''])
})

test('other windows start at zero both; aligned at the change, both changes are zero', () => {
  const [a, b] = [side(0, 12, []), side(-1_440, -1_435, [])]
  expect(frameOf(a, b, 'clock')).toMatchObject({ wall: false, fromMs: 0, toMs: 30 * 60_000 })
  const aligned = frameOf(a, b, 'onset')
  expect(aligned).toMatchObject({ wall: false, fromMs: -12 * 60_000, toMs: 25 * 60_000 })
  expect(aligned.marks).toEqual([{ atMs: 0, label: 'both changed' }])
  expect(frameOf(a, side(0, null, []), 'onset').note).toMatch(/no change found on both sides/)
})

test('A is whole and B is dashed, on the axis of the frame; gaps stay gaps', () => {
  const [a, b] = [side(0, null, [1, null, 3]), side(-30, null, [4, 5, 6])]
  const lines = linesOf(a, b, ['p50', 'p99'], frameOf(a, b, 'clock'))
  expect(lines.map(({ id, label, dash, strong }) => [id, label, dash, strong])).toEqual([
    ['a p50', 'A p50', undefined, false],
    ['b p50', 'B p50', '7 4', false],
    ['a p99', 'A p99', undefined, true],
    ['b p99', 'B p99', '7 4', true],
  ])
  expect(lines.map(({ atMs }) => atMs[1])).toEqual([60_000, 60_000, 60_000, 60_000])
  expect(lines[0]?.values).toEqual([1, null, 3])
  const [errors] = linesOf(a, b, ['errors'], frameOf(a, b, 'clock'))
  expect(errors?.values[0]).toBeCloseTo(0.001, 12)
})

test('few errors are few: in numbers as they are, and on the log axis above none at all', () => {
  const ratios = [1, 1 - 2 ** -18, 0.998, null]
  const a = side(0, null, [1, 1, 1, 1])
  const [errors] = linesOf(
    { ...a, series: { ...a.series, successRatio: ratios } },
    a,
    ['errors'],
    frameOf(a, a, 'clock'),
  )
  if (errors === undefined) throw new Error('no line')
  expect(errors.values.slice(0, 2)).toEqual([0, 2 ** -18])
  const [drawn] = onLogAxis([errors])
  expect(drawn?.values.map((value) => (value === null ? null : printed(printDrawnErrors(value))))).toEqual([
    '0 %',
    '< 0.001 %',
    '0.2 %',
    null,
  ])
  const [low] = domainOf(onLogAxis([errors]), true)
  expect(low).toBeLessThan(drawn?.values[0] ?? 0)
})
