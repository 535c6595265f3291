import type { WallFrame, WallHero } from '@goldseam/server/contract'
import { expect, test } from 'vitest'
import { heroView } from './hero-view.ts'
import type { WallState } from './state.ts'

const nothing = { id: null, word: null, ownShare: null, p99Seconds: null, changeRatio: null, since: null }

const at = '2026-11-21T03:00:00Z'
const nowMs = 1_000_000

function heroOf(form: WallHero['form']): WallHero {
  return { ...nothing, form, text: '', victims: [], others: 0 }
}

function frameOf(change: Partial<WallFrame>): WallFrame {
  return {
    build: 'b',
    sentAt: at,
    snapshot: { id: 's', at, refreshSeconds: 10 },
    hero: heroOf('quiet'),
    rows: [],
    more: [],
    clusters: [],
    lastTroubleAt: null,
    watchingSince: at,
    link: null,
    note: null,
    ...change,
  }
}

test.each([
  { watchingSince: '2026-11-21T02:20:00Z', words: 'none in trouble for 40 min' },
  { watchingSince: '2026-11-18T02:55:00Z', words: 'none in trouble for 3 days' },
])('a quiet wall that looks since $watchingSince tells for how long: a clock would not say the day', (given) => {
  const state: WallState = {
    link: { state: 'live' },
    frame: frameOf({ watchingSince: given.watchingSince }),
    awake: true,
    seq: 1,
    cameAtMs: nowMs,
  }
  expect(heroView(state, nowMs, 'http://g').lines.flat()).toContain(given.words)
})

test('a wall that never had data and loses its server counts for how long there is none', () => {
  const state: WallState = {
    link: { state: 'lost', why: 'away', retryInMs: 0 },
    frame: frameOf({ hero: heroOf('blind') }),
    awake: true,
    seq: 1,
    cameAtMs: nowMs - 130_000,
  }
  expect(heroView(state, nowMs, 'http://g').title).toBe('NO DATA for 2 m 10 s')
  expect(heroView(state, nowMs + 5_000, 'http://g').title).toBe('NO DATA for 2 m 15 s')
})

test.each([
  ['quiet', 'all quiet'],
  ['partial', 'not all was seen'],
  ['blind', 'no cluster answered'],
] as const)('a wall that gets nothing any more tells what it saw last: %s', (form, words) => {
  const frame = frameOf({ hero: heroOf(form) })
  const state: WallState = {
    link: { state: 'lost', why: 'away', retryInMs: 0 },
    frame,
    awake: true,
    seq: 1,
    cameAtMs: nowMs - 600_000,
  }
  const { lines } = heroView(state, nowMs, 'http://g')
  expect(lines.flat()).toContain(`last seen: ${words}`)
})
