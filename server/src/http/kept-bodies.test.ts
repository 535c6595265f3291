import { expect, test } from 'vitest'
import { KeptBodies } from './kept-bodies.ts'

const written = (kept: KeptBodies<{ text: string }>, text: string, bytes: number) => {
  const body = { text }
  kept.set(body, { text })
  kept.grown(body, bytes)
  return body
}

test('what nobody has asked for the longest time goes where all are more than the budget', () => {
  const kept = new KeptBodies<{ text: string }>(100)
  const [first, second] = [written(kept, 'first', 40), written(kept, 'second', 40)]
  expect(kept.get(first)).toEqual({ text: 'first' })
  const third = written(kept, 'third', 40)
  expect([first, second, third].map((body) => kept.get(body)?.text)).toEqual(['first', undefined, 'third'])
  // Compressed it takes room as well.
  kept.grown(first, 30)
  expect([first, third].map((body) => kept.get(body)?.text)).toEqual(['first', undefined])
})

test('one that is larger than the budget is kept until the next comes', () => {
  const kept = new KeptBodies<{ text: string }>(100)
  const large = written(kept, 'large', 500)
  expect(kept.get(large)).toEqual({ text: 'large' })
  const small = written(kept, 'small', 1)
  expect([kept.get(large), kept.get(small)]).toEqual([undefined, { text: 'small' }])
})

test('what is set anew or taken away counts no more', () => {
  const kept = new KeptBodies<{ text: string }>(100)
  const body = written(kept, 'one', 90)
  kept.set(body, { text: 'two' })
  kept.grown(body, 50)
  const other = written(kept, 'other', 50)
  expect([kept.get(body)?.text, kept.get(other)?.text]).toEqual(['two', 'other'])
  kept.delete(other)
  kept.delete(other)
  const last = written(kept, 'last', 50)
  expect([kept.get(body)?.text, kept.get(last)?.text]).toEqual(['two', 'last'])
})
