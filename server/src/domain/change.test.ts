import { expect, test } from 'vitest'
import { changeMark } from './change.ts'

test.each([
  { ratio: 1, mark: '' },
  { ratio: 1.99, mark: '' },
  { ratio: 2, mark: '+' },
  { ratio: 4, mark: '++' },
  { ratio: 9.9, mark: '++' },
  { ratio: 13, mark: '+++' },
  { ratio: 0.51, mark: '' },
  { ratio: 0.5, mark: '-' },
  { ratio: 0.25, mark: '--' },
  { ratio: 0.1, mark: '---' },
  { ratio: 0, mark: '' },
  { ratio: null, mark: '' },
])('x$ratio is marked "$mark"', ({ ratio, mark }) => {
  expect(changeMark(ratio)).toBe(mark)
})
