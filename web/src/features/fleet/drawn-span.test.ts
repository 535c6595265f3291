import { expect, test } from 'vitest'
import { grown, type Span } from './drawn-span.ts'

const span = (first: number, last: number): Span => ({ first, last })
const NONE = span(0, -1)

test.each<[string, Span, Span, Span, Span]>([
  ['nothing yet: from the first one seen', NONE, span(0, 29), span(0, 20), span(0, 7)],
  ['far away from what was drawn', span(0, 29), span(92, 129), span(100, 120), span(100, 107)],
  ['a little further down: nothing is drawn twice', span(0, 29), span(4, 33), span(12, 25), span(4, 33)],
  ['a page down: what is seen comes first', span(0, 29), span(10, 47), span(18, 39), span(10, 37)],
  ['a page up: what is seen comes first', span(50, 80), span(32, 70), span(40, 62), span(42, 70)],
  ['what is seen is there: what is near follows', span(40, 62), span(32, 70), span(40, 62), span(40, 70)],
  ['all is there', span(32, 70), span(32, 70), span(40, 62), span(32, 70)],
  ['fewer rows than before', span(0, 29), span(0, 4), span(0, 4), span(0, 4)],
])('%s', (_, drawn, wanted, seen, next) => {
  expect(grown(drawn, wanted, seen, 8)).toEqual(next)
})

test('whatever is drawn, all that is wanted is there after a few frames', () => {
  const wanted = span(92, 140)
  let drawn = span(0, 29)
  for (let frame = 0; frame < 7; frame += 1) drawn = grown(drawn, wanted, span(100, 121), 8)
  expect(drawn).toEqual(wanted)
})
