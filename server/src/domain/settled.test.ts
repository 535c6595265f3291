import { expect, test } from 'vitest'
import { type Said, settled } from './settled.ts'
import type { Verdict } from './verdict.ts'

const said = (form: Verdict['form']): Verdict => ({
  form,
  text: form,
  subject: null,
  suspect: null,
  sinceSeconds: null,
  word: null,
})

test.each<{ why: string; looks: readonly (readonly [atSeconds: number, form: Verdict['form']])[]; says: string }>([
  { why: 'quiet from the start', looks: [[0, 'quiet']], says: 'quiet' },
  {
    why: 'one calm look may be a pause',
    looks: [
      [0, 'suspect'],
      [10, 'quiet'],
    ],
    says: 'suspect',
  },
  {
    why: 'two in a row are not',
    looks: [
      [0, 'suspect'],
      [10, 'quiet'],
      [20, 'quiet'],
    ],
    says: 'quiet',
  },
  {
    why: 'the same instant with a late answer is one look',
    looks: [
      [0, 'several'],
      [10, 'quiet'],
      [10, 'quiet'],
    ],
    says: 'several',
  },
  {
    why: 'just within a rate window a calm look may still be a pause',
    looks: [
      [0, 'suspect'],
      [59, 'quiet'],
    ],
    says: 'suspect',
  },
  {
    why: 'after a rate window without a look one calm look is enough',
    looks: [
      [0, 'suspect'],
      [60, 'quiet'],
    ],
    says: 'quiet',
  },
  {
    why: 'trouble in between begins anew',
    looks: [
      [0, 'suspect'],
      [10, 'quiet'],
      [20, 'several'],
      [30, 'quiet'],
    ],
    says: 'several',
  },
  {
    why: 'that nobody can say is said at once',
    looks: [
      [0, 'suspect'],
      [10, 'unknown'],
    ],
    says: 'unknown',
  },
  {
    why: 'quiet stays quiet',
    looks: [
      [0, 'suspect'],
      [10, 'quiet'],
      [20, 'quiet'],
      [30, 'quiet'],
    ],
    says: 'quiet',
  },
])('$why', ({ looks, says }) => {
  const last = looks.reduce<Said | null>(
    (before, [atSeconds, form]) => settled(before, said(form), atSeconds, 60),
    null,
  )
  expect(last?.verdict.form).toBe(says)
})
