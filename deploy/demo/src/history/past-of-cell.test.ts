import { expect, test } from 'vitest'
import { cumulate } from '../mesh/family.ts'
import { REQUEST_TOTAL, RESPONSE_LATENCY_MS, TCP_OPEN_CONNECTIONS, TCP_OPEN_TOTAL } from '../mesh/linkerd/families.ts'
import type { CellPace } from './measure.ts'
import { pastOfCell } from './past-of-cell.ts'
import { createTimeline } from './timeline.ts'

const timeline = createTimeline({
  endMs: 10_000_000,
  historySeconds: 4500,
  stepSeconds: 15,
  denseSeconds: 120,
  denseStepSeconds: 2,
  earlierSeconds: 3600,
  requestsPerSecond: 20,
})
const pace = (family: CellPace['family'], perSecond: number[], last: number[] = perSecond): CellPace => ({
  family,
  labels: [],
  key: '',
  perSecond: Float64Array.from(perSecond),
  last: Float64Array.from(last),
})
const last = <T>(values: readonly T[]): T => values.at(-1) as T

test('the timeline ends now, is dense at its end, and its traffic is that of the time that passed', () => {
  expect(last(timeline.timestampsMs)).toBe(10_000_000)
  expect(timeline.timestampsMs[0]).toBe(10_000_000 - 4_500_000)
  expect(last(timeline.timestampsMs) - (timeline.timestampsMs.at(-2) ?? 0)).toBe(2000)
  const traffic = last(timeline.trafficSeconds) - (timeline.trafficSeconds[0] ?? 0)
  expect(traffic / 4500).toBeCloseTo(1, 1)
})

test('cells that counted the same requests have the same past', () => {
  const caller = pastOfCell(pace(REQUEST_TOTAL, [17.35]), timeline)
  const latencies = Array.from({ length: 27 }, () => 0)
  latencies[9] = 10
  latencies[10] = 7.35
  latencies[26] = 17.35 * 52
  const callee = pastOfCell(pace(RESPONSE_LATENCY_MS, latencies), timeline)
  const rows = callee.map((values) => cumulate(RESPONSE_LATENCY_MS, values))
  // Buckets up to +Inf, then the count, then the sum.
  expect(rows.map((row) => row[26])).toEqual(caller.map((values) => values[0]))
  expect(rows.map((row) => row[25])).toEqual(caller.map((values) => values[0]))
  const end = last(rows)
  expect((end[27] ?? 0) / (end[26] ?? 1)).toBeCloseTo(52, 0)
  expect((end[9] ?? 0) / (end[26] ?? 1)).toBeCloseTo(10 / 17.35, 2)
})

test('everything only grows, by whole numbers', () => {
  const latencies = Array.from({ length: 27 }, (_, i) => (i < 26 ? 0.03 * i : 400))
  const rows = pastOfCell(pace(RESPONSE_LATENCY_MS, latencies), timeline).map((values) => [...values])
  rows.slice(1).forEach((row, i) => {
    row.forEach((value, bucket) => {
      expect(value).toBeGreaterThanOrEqual(rows[i]?.[bucket] ?? 0)
      expect(Number.isInteger(value)).toBe(true)
    })
  })
})

test('what stands still in calm stands still in the past', () => {
  expect(new Set(pastOfCell(pace(TCP_OPEN_TOTAL, [0], [12]), timeline).map((values) => values[0]))).toEqual(
    new Set([12]),
  )
  expect(last(pastOfCell(pace(TCP_OPEN_CONNECTIONS, [0.4], [3]), timeline))[0]).toBe(3)
})
