import { expect, test } from 'vitest'
import { fitted, fittingFacts, rowsOf } from './fitting.ts'
import { noteRows, noteWordings } from './note.ts'
import { AT_START, type WallState } from './state.ts'

const WORDINGS = ['slowing shop/web (east), cart, rates', 'slowing shop/web (east) and 2 more', 'slowing 3 others']

test.each([
  { units: 40, rows: 1, says: WORDINGS[0], why: 'all of it has room' },
  { units: 18, rows: 1, says: WORDINGS[1], why: 'names go first' },
  { units: 10, rows: 2, says: WORDINGS[0], why: 'broken between words, in two rows' },
  { units: 9, rows: 1, says: WORDINGS[2], why: 'the shortest' },
  { units: 3, rows: 1, says: WORDINGS[2], why: 'nothing fits: the shortest still says the most' },
])('$why', ({ units, rows, says }) => {
  expect(fitted(WORDINGS, units, rows)).toBe(says)
})

test('a word that is longer than a row fits in no number of rows', () => {
  expect(rowsOf('on goldseam.corp.example.com/wall/pair enter 123 456', 10)).toBe(Number.POSITIVE_INFINITY)
})

test('facts go by their worth, and stay in their order', () => {
  const facts = [
    { text: 'west', worth: 9 },
    { text: 'strong', worth: 1 },
    { text: 'own 97 %', worth: 2 },
    { text: 'p99 2.14 s x24', worth: 3 },
    { text: 'since 03:12 (19 min)', worth: 4 },
  ]
  const words = (units: number, rows: number) => fittingFacts(facts, units, rows).map(({ text }) => text)
  expect(words(40, 1)).toHaveLength(5)
  expect(words(25, 1)).toEqual(['west', 'p99 2.14 s x24', 'since 03:12 (19 min)'])
  expect(words(12, 3)).toEqual(facts.map(({ text }) => text))
  expect(words(1, 1)).toEqual(['west'])
})

test('a note counts down on the clock of the server, and leaves the last row to who is in trouble', () => {
  const note = { by: 'ann', text: 'rolling back the ledger', until: '2026-11-21T04:00:00Z' }
  const frame = { sentAt: '2026-11-21T03:59:00Z', note } as NonNullable<WallState['frame']>
  const state = { ...AT_START, frame, cameAtMs: 1_000 }
  const words = noteWordings(state, 60_999)
  expect(words?.[0]).toMatch(/^ann is on it until \d\d:\d\d: rolling back the ledger$/)
  expect(noteWordings(state, 61_000)).toBeNull()
  expect([40, 20].map((units) => noteRows(words, units, 6))).toEqual([1, 2])
  expect(noteRows(words, 20, 4)).toBe(1)
  expect(noteRows(words, 20, 1)).toBe(0)
  expect(noteRows(null, 20, 6)).toBe(0)
})
