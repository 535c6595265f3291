import { expect, test } from 'vitest'
import { errorBudgetWords } from './error-budget.ts'

test.each([
  [0, 0, null],
  [3_600, 0, 'error budget (99.9 %) untouched'],
  [3_598, 2, '56 % of the error budget (99.9 %) used'],
  [999, 1, '100 % of the error budget (99.9 %) used'],
  [998, 2, 'error budget (99.9 %) overspent: 2.0 times what it allows'],
  [0, 20, 'error budget (99.9 %) overspent: 1000 times what it allows'],
])('%i answered, %i failed', (answered, failed, words) => {
  expect(errorBudgetWords({ answered, failed })).toBe(words)
})
