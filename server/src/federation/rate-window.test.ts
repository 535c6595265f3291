import { expect, test } from 'vitest'
import { RateWindow } from './rate-window.ts'

const paced = (intervals: Readonly<Record<string, number | null>>) =>
  Object.entries(intervals).map(([name, scrapeIntervalSeconds]) => ({ name, scrapeIntervalSeconds }))

test.each([
  { intervals: {}, least: {}, seconds: 60 },
  { intervals: { east: 10, west: null }, least: {}, seconds: 60 },
  { intervals: { east: 10, west: 30 }, least: {}, seconds: 120 },
  { intervals: { east: 10, west: 30 }, least: { west: 90 }, seconds: 90 },
  { intervals: { east: 10, west: 30 }, least: { east: 300 }, seconds: 300 },
])('$intervals, at least $least: $seconds s', ({ intervals, least, seconds }) => {
  const window = new RateWindow(null, (name) => (least as Record<string, number>)[name] ?? null)
  expect(window.seconds(paced(intervals))).toBe(seconds)
})

const live = (windowSeconds: number, atSeconds: number) => ({ windowSeconds, atSeconds, live: true })
const past = (windowSeconds: number, atSeconds: number) => ({ windowSeconds, atSeconds, live: false })

test('who forces a window above two minutes is named, since when', () => {
  const window = new RateWindow(null, (name) => (name === 'north' ? 240 : null))
  const clusters = paced({ east: 15, west: 60, north: 15 })
  expect(window.gaps(clusters, live(window.seconds(clusters), 1_000), null)).toMatchObject([
    {
      cluster: 'west',
      sinceSeconds: 1_000,
      detail: expect.stringContaining('scraped every 60 s, so the rates of all'),
    },
    { cluster: 'north', sinceSeconds: 1_000, detail: expect.stringContaining('its rateWindow is that long') },
  ])
  expect(window.gaps(clusters, live(240, 1_010), null)[0]?.sinceSeconds).toBe(1_000)
  expect(window.gaps(paced({ east: 30 }), live(120, 1_020), null)).toEqual([])
  expect(window.gaps(clusters, live(240, 1_030), null)[0]?.sinceSeconds).toBe(1_030)
})

test('a window that was chosen for all is nobody in particular', () => {
  const window = new RateWindow(300, () => null)
  expect([window.seconds(paced({ east: 60 })), window.gaps(paced({ east: 60 }), live(300, 0), null)]).toEqual([300, []])
})

test('nor is one that whoever looks has chosen', () => {
  const window = new RateWindow(null, () => null)
  const clusters = paced({ east: 60, west: 120 })
  expect(window.gaps(clusters, live(240, 1_000), 240)).toEqual([])
  expect(window.gaps(clusters, live(480, 1_000), 480)).toEqual([])
})

test('since when it is so is told by what is live, and of the default window', () => {
  const window = new RateWindow(null, () => null)
  const clusters = paced({ east: 60 })
  const since = (...of: readonly [reading: ReturnType<typeof live>, wantedSeconds: number | null]) =>
    window.gaps(clusters, ...of).map(({ sinceSeconds }) => sinceSeconds)
  // Of a past instant it is not known any earlier than that; of what comes after it says nothing.
  expect(since(past(240, 400), null)).toEqual([400])
  expect(since(live(240, 1_000), null)).toEqual([1_000])
  expect(since(live(60, 1_010), 60)).toEqual([])
  expect(since(past(60, 1_010), 60)).toEqual([])
  expect(since(past(240, 600), null)).toEqual([600])
  expect(since(past(240, 1_010), null)).toEqual([1_000])
  expect(since(live(240, 1_020), null)).toEqual([1_000])
})
