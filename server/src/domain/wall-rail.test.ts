import { expect, test } from 'vitest'
import { EMPTY_RAIL, nextRail, type Rail } from './wall-rail.ts'

type Step = readonly [atSeconds: number, scores: Readonly<Record<string, number>>]

function play(steps: readonly Step[], from: Rail = EMPTY_RAIL): Rail {
  return steps.reduce(
    (rail, [at, scores]) =>
      nextRail(
        rail,
        Object.entries(scores).map(([id, score]) => ({ id, score })),
        at,
      ),
    from,
  )
}

const ids = (rail: Rail) => rail.entries.map(({ id }) => id)

test('after a start everybody in trouble is there at once, worst first', () => {
  expect(ids(play([[0, { a: 10, b: 300, c: 0 }]]))).toEqual(['b', 'a'])
})

test.each<{ why: string; steps: Step[]; want: string[] }>([
  {
    why: 'bad once is a blip',
    steps: [
      [0, { a: 0 }],
      [10, { a: 5 }],
    ],
    want: [],
  },
  {
    why: 'bad twice in a row enters',
    steps: [
      [0, { a: 0 }],
      [10, { a: 5 }],
      [20, { a: 5 }],
    ],
    want: ['a'],
  },
  {
    why: 'one instant judged again counts once',
    steps: [
      [0, { a: 0 }],
      [10, { a: 5 }],
      [10, { a: 5 }],
    ],
    want: [],
  },
  {
    why: 'bad, fine, bad is not twice in a row',
    steps: [
      [0, {}],
      [10, { a: 5 }],
      [20, { a: 0 }],
      [30, { a: 5 }],
    ],
    want: [],
  },
  {
    why: 'healthy for less than 5 min stays',
    steps: [
      [0, { a: 5 }],
      [10, { a: 0 }],
      [309, { a: 0 }],
    ],
    want: ['a'],
  },
  {
    why: 'healthy for 5 min leaves',
    steps: [
      [0, { a: 5 }],
      [10, { a: 0 }],
      [310, { a: 0 }],
    ],
    want: [],
  },
  {
    why: 'bad again starts the 5 min anew',
    steps: [
      [0, { a: 5 }],
      [10, { a: 0 }],
      [200, { a: 5 }],
      [310, { a: 0 }],
      [609, { a: 0 }],
    ],
    want: ['a'],
  },
  {
    why: 'who is gone leaves',
    steps: [
      [0, { a: 5, b: 4 }],
      [10, { b: 4 }],
    ],
    want: ['b'],
  },
])('$why', ({ steps, want }) => {
  expect(ids(play(steps))).toEqual(want)
})

test.each<{ why: string; steps: Step[]; want: string[] }>([
  {
    why: '20 % is not enough',
    steps: [
      [0, { a: 10, b: 9 }],
      [60, { a: 10, b: 12 }],
    ],
    want: ['a', 'b'],
  },
  {
    why: 'more than 20 % is',
    steps: [
      [0, { a: 10, b: 9 }],
      [60, { a: 10, b: 12.1 }],
    ],
    want: ['b', 'a'],
  },
  {
    why: 'not twice within 30 s',
    steps: [
      [0, { a: 10, b: 9 }],
      [60, { a: 10, b: 20 }],
      [80, { a: 40, b: 20 }],
    ],
    want: ['b', 'a'],
  },
  {
    why: 'again after 30 s',
    steps: [
      [0, { a: 10, b: 9 }],
      [60, { a: 10, b: 20 }],
      [90, { a: 40, b: 20 }],
    ],
    want: ['a', 'b'],
  },
  {
    why: 'recovering goes below trouble',
    steps: [
      [0, { a: 10, b: 9 }],
      [60, { a: 0, b: 9 }],
    ],
    want: ['b', 'a'],
  },
])('places: $why', ({ steps, want }) => {
  expect(ids(play(steps))).toEqual(want)
})
