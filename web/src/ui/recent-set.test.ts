import { expect, test } from 'vitest'
import { RecentSet } from './recent-set.ts'

test('the last few are known, counted from when they were met last', () => {
  const met = new RecentSet(2)
  for (const name of ['a', 'b', 'a', 'c']) met.add(name)
  expect(['a', 'b', 'c'].map((name) => met.has(name))).toEqual([true, false, true])
})
