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

test('who forces a window above two minutes is named, since when', () => {
  const window = new RateWindow(null, (name) => (name === 'north' ? 240 : null))
  const clusters = paced({ east: 15, west: 60, north: 15 })
  expect(window.gaps(clusters, window.seconds(clusters), 1_000)).toMatchObject([
    {
      cluster: 'west',
      sinceSeconds: 1_000,
      detail: expect.stringContaining('scraped every 60 s, so the rates of all'),
    },
    { cluster: 'north', sinceSeconds: 1_000, detail: expect.stringContaining('its rateWindow is that long') },
  ])
  expect(window.gaps(clusters, 240, 1_010)[0]?.sinceSeconds).toBe(1_000)
  expect(window.gaps(paced({ east: 30 }), 120, 1_020)).toEqual([])
})

test('a window that was chosen for all is nobody in particular', () => {
  const window = new RateWindow(300, () => null)
  expect([window.seconds(paced({ east: 60 })), window.gaps(paced({ east: 60 }), 300, 0)]).toEqual([300, []])
})
