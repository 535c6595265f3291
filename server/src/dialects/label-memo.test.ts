import { expect, test, vi } from 'vitest'
import { labelMemo } from './label-memo.ts'

test('is asked once for each label set, and for each cluster that shares it', () => {
  const make = vi.fn((cluster: string, labels: Readonly<Record<string, string>>) => ({ cluster, name: labels.name }))
  const memo = labelMemo(make)
  const [a, b] = [{ name: 'a' }, { name: 'b' }]
  const said = (cluster: string, labels: Readonly<Record<string, string>>) => {
    const one = memo(cluster, labels)
    return `${one.cluster}/${one.name}`
  }
  const asked = () => [said('east', a), said('east', b), said('east', a)]
  expect([...asked(), ...asked()]).toEqual(Array(2).fill(['east/a', 'east/b', 'east/a']).flat())
  expect(make).toHaveBeenCalledTimes(2)
  expect(said('west', a)).toBe('west/a')
  expect(said('east', a)).toBe('east/a')
  expect(said('west', { name: 'a' })).toBe('west/a')
})
