import type { WallFrame } from '@goldseam/server/contract'
import { expect, test } from 'vitest'
import { heroView } from './hero-view.ts'
import type { WallState } from './state.ts'

const nothing = { id: null, word: null, ownShare: null, p99Seconds: null, changeRatio: null, since: null }

test.each([
  ['quiet', 'all quiet'],
  ['partial', 'not all was seen'],
  ['blind', 'no cluster answered'],
] as const)('a wall that gets nothing any more tells what it saw last: %s', (form, words) => {
  const at = '2026-11-21T03:00:00Z'
  const frame = {
    build: 'b',
    sentAt: at,
    snapshot: { id: 's', at, refreshSeconds: 10 },
    hero: { ...nothing, form, text: '', victims: [], others: 0 },
    rows: [],
    more: [],
    clusters: [],
    lastTroubleAt: null,
    watchingSince: at,
    link: null,
    note: null,
  } satisfies WallFrame
  const nowMs = 1_000_000
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
