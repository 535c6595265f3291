import { expect, test } from 'vitest'
import { longerWindows } from './longer-windows.ts'

const END_MS = Date.UTC(2026, 10, 21, 3, 31)
const MINUTE_MS = 60_000
const idle = { from: 'now-30m', to: 'now', rateWindowSeconds: 60, lastMs: END_MS - 20 * MINUTE_MS, nowMs: END_MS }

test('calls of the last hour show with rates over an hour; the charts stay as they are', () => {
  expect(longerWindows(idle)).toEqual([{ text: 'what it called in the last hour', search: { window: '1h' } }])
  const frozen = { ...idle, from: '2026-11-20T03:31Z', to: '2026-11-21T03:31Z', nowMs: END_MS + 86_400_000 }
  expect(longerWindows(frozen)).toEqual([{ text: 'what it called in the hour before', search: { window: '1h' } }])
})

test.each([
  { why: 'rates are over an hour already', change: { rateWindowSeconds: 3_600 } },
  { why: 'its last request is older than an hour', change: { from: 'now-3h', lastMs: END_MS - 61 * MINUTE_MS } },
  { why: 'hours went by without one', change: { from: 'now-7d', lastMs: null } },
])('nothing is promised where $why', ({ change }) => {
  expect(longerWindows({ ...idle, ...change })).toEqual([])
})

test.each([
  { from: 'now-30m', to: 'now', search: { from: 'now-1d' }, text: 'look a day back' },
  { from: 'now-12h', to: 'now', search: { from: 'now-1d' }, text: 'look a day back' },
  { from: 'now-1d', to: 'now', search: { from: 'now-7d' }, text: 'look a week back' },
  { from: 'now-36h', to: 'now', search: { from: 'now-7d' }, text: 'look a week back' },
  {
    from: '2026-11-21T03:01Z',
    to: '2026-11-21T03:31Z',
    search: { from: '2026-11-20T03:31Z' },
    text: 'look a day back',
  },
  {
    from: '2026-11-19T03:31Z',
    to: '2026-11-21T03:31Z',
    search: { from: '2026-11-14T03:31Z' },
    text: 'look a week back',
  },
])('where $from to $to holds no request a longer one is offered, never a shorter one', (given) => {
  const { from, to, search, text } = given
  expect(longerWindows({ ...idle, from, to, lastMs: null }).at(-1)).toEqual({ text, search })
})

test('with no request within half an hour there may still be some within the hour', () => {
  expect(longerWindows({ ...idle, lastMs: null }).map(({ text }) => text)).toEqual([
    'what it called in the last hour',
    'look a day back',
  ])
})
