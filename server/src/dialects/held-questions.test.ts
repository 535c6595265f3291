import { expect, test } from 'vitest'
import type { Dialect } from './dialect.ts'
import { withHeldQuestions } from './held-questions.ts'
import { dialectsFor } from './registry.ts'

test('questions are made once for a window, and anew for other clusters', () => {
  let peers = ['west']
  const [plain] = dialectsFor({ named: ['linkerd'], peers: () => peers, overrides: {} })
  const held = withHeldQuestions(plain as Dialect, () => peers)
  const first = held.questions(60)
  expect(first).toEqual(plain?.questions(60))
  expect(held.questions(60)).toBe(first)
  expect(held.questions(30)).toEqual(plain?.questions(30))
  peers = ['west', 'north']
  expect(held.questions(60)).toEqual(plain?.questions(60))
  expect(held.questions(60)).not.toEqual(first)
})

test('no more windows are held than anybody looks at', () => {
  const held = withHeldQuestions(
    dialectsFor({ named: ['otel'], peers: () => [], overrides: {} })[0] as Dialect,
    () => [],
  )
  const first = held.questions(60)
  for (let windowSeconds = 1; windowSeconds < 40; windowSeconds += 1) held.questions(windowSeconds)
  expect(held.questions(60)).not.toBe(first)
  expect(held.questions(60)).toEqual(first)
})
