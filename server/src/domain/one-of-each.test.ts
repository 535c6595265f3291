import { expect, test, vi } from 'vitest'
import { OneOfEach } from './one-of-each.ts'

test('makes one for each key', () => {
  const make = vi.fn(() => ({}))
  const each = new OneOfEach<object>()
  const one = each.of('one', make)
  expect(each.of('one', make)).toBe(one)
  expect(each.of('other', make)).not.toBe(one)
  expect(make).toHaveBeenCalledTimes(2)
})

test('begins anew when it has as many as it may have', () => {
  const each = new OneOfEach<object>(2)
  const [a, b] = [each.of('a', () => ({})), each.of('b', () => ({}))]
  expect(each.of('a', () => ({}))).toBe(a)
  each.of('c', () => ({}))
  expect(each.of('b', () => ({}))).not.toBe(b)
})
