import { expect, test } from 'vitest'
import { KEPT_SECONDS, nextPlaces, type Place } from './wall-places.ts'

interface Look {
  readonly at: number
  readonly ids: string
  readonly answers?: boolean
}

const DAY = KEPT_SECONDS

test.each<{ why: string; looks: readonly Look[]; want: string }>([
  { why: 'at first in the order given', looks: [{ at: 0, ids: 'a b d' }], want: 'a b d' },
  {
    why: 'a new one moves nobody',
    looks: [
      { at: 0, ids: 'a b d' },
      { at: 1, ids: 'a b c d' },
    ],
    want: 'a b d c',
  },
  {
    why: 'one that is gone leaves its place free',
    looks: [
      { at: 0, ids: 'a b c' },
      { at: DAY, ids: 'a c' },
    ],
    want: 'a b c',
  },
  {
    why: 'it comes back to its place',
    looks: [
      { at: 0, ids: 'a b c' },
      { at: DAY, ids: 'a c' },
      { at: DAY + 1, ids: 'a b c' },
      { at: 2 * DAY, ids: 'a b c' },
    ],
    want: 'a b c',
  },
  {
    why: 'after a day all are laid out anew',
    looks: [
      { at: 0, ids: 'a b d' },
      { at: 1, ids: 'a c d' },
      { at: DAY + 1, ids: 'a c d' },
    ],
    want: 'a c d',
  },
  {
    why: 'a cluster that is silent for days loses nobody',
    looks: [
      { at: 0, ids: 'a b' },
      { at: 1, ids: '', answers: false },
      { at: 5 * DAY, ids: '', answers: false },
      { at: 5 * DAY + 10, ids: 'a b' },
    ],
    want: 'a b',
  },
])('places: $why', ({ looks, want }) => {
  const places = looks.reduce<readonly Place[]>(
    (before, { at, ids, answers = true }) => nextPlaces(before, ids.split(' ').filter(Boolean), answers, at),
    [],
  )
  expect(places.map(({ id }) => id).join(' ')).toBe(want)
})
