import { expect, test } from 'vitest'
import type { Question, SeriesColumn } from '../dialects/dialect.ts'
import { RareAnswers } from './rare-answers.ts'

const rare: Question = { name: 'calls', promql: 'calls[60s]', lane: 'slow', rare: true }
const often: Question = { name: 'buckets', promql: 'buckets[60s]', lane: 'slow' }
const series: SeriesColumn[] = [{ labels: { a: 'b' }, values: [1] }]

test('the last answer to a rare question stands for a minute, for no other question and no instant before it', () => {
  const answers = new RareAnswers()
  expect(answers.known([rare, often], 100).size).toBe(0)
  answers.keep(
    [rare, often],
    new Map([
      ['calls', series],
      ['buckets', series],
    ]),
    100,
  )
  expect([...answers.known([rare, often], 100)]).toEqual([['calls', series]])
  expect(answers.known([rare], 159).get('calls')).toBe(series)
  expect(answers.known([rare], 160).size).toBe(0)
  expect(answers.known([rare], 99).size).toBe(0)
  expect(answers.known([{ ...rare, promql: 'calls[30s]' }], 100).size).toBe(0)
})

test('a question that failed leaves what was answered before', () => {
  const answers = new RareAnswers()
  answers.keep([rare], new Map([['calls', series]]), 100)
  answers.keep([rare], new Map(), 120)
  expect(answers.known([rare], 150).get('calls')).toBe(series)
})

test('of many windows the oldest go', () => {
  const answers = new RareAnswers()
  const asked = Array.from({ length: 9 }, (_, index): Question => ({ ...rare, promql: `calls[${index}s]` }))
  for (const question of asked) answers.keep([question], new Map([['calls', series]]), 100)
  expect(asked.map((question) => answers.known([question], 100).size)).toEqual([0, 1, 1, 1, 1, 1, 1, 1, 1])
})
