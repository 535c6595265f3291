import { expect, test, vi } from 'vitest'
import { labelMemo } from './label-memo.ts'

test('is asked once for each label set, and for each cluster that shares it', () => {
  const make = vi.fn((cluster: string, labels: Readonly<Record<string, string>>) => `${cluster}/${labels.name}`)
  const memo = labelMemo(make)
  const [a, b] = [{ name: 'a' }, { name: 'b' }]
  const asked = () => [memo('east', a), memo('east', b), memo('east', a)]
  expect([...asked(), ...asked()]).toEqual(Array(2).fill(['east/a', 'east/b', 'east/a']).flat())
  expect(make).toHaveBeenCalledTimes(2)
  expect(memo('west', a)).toBe('west/a')
  expect(memo('east', a)).toBe('east/a')
  expect(memo('west', { name: 'a' })).toBe('west/a')
})
