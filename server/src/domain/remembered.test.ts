import { expect, test, vi } from 'vitest'
import { remembered } from './remembered.ts'

test('makes something of each object once, be it nothing', () => {
  const make = vi.fn((of: { readonly name: string }) => (of.name === 'none' ? undefined : `made of ${of.name}`))
  const memo = remembered(make)
  const [one, none] = [{ name: 'one' }, { name: 'none' }]
  expect([memo(one), memo(none), memo(one), memo(none)]).toEqual(['made of one', undefined, 'made of one', undefined])
  expect(make).toHaveBeenCalledTimes(2)
})

test('is seen by nobody, and not copied', () => {
  const memo = remembered((_: object, value: number) => value)
  const one = { name: 'one' }
  expect(memo(one, 1)).toBe(1)
  expect(Reflect.ownKeys(one)).toEqual(['name'])
  expect(memo({ ...one }, 2)).toBe(2)
  expect(memo(structuredClone(one), 3)).toBe(3)
  expect(memo(one, 4)).toBe(1)
})

test('two of them do not meet, on a frozen object neither', () => {
  const [upper, lower] = [remembered((_: object) => 'A'), remembered((_: object) => 'a')]
  const frozen = Object.freeze({})
  expect([upper(frozen), lower(frozen), upper(frozen)]).toEqual(['A', 'a', 'A'])
})

test('is made again where it no longer holds', () => {
  const make = vi.fn((of: { readonly name: string }, where: string) => ({ where, text: `${of.name} in ${where}` }))
  const memo = remembered(make, (known, where) => known.where === where)
  const one = { name: 'one' }
  expect(memo(one, 'east').text).toBe('one in east')
  expect(memo(one, 'east')).toBe(memo(one, 'east'))
  expect(memo(one, 'west').text).toBe('one in west')
  expect(memo(one, 'east').text).toBe('one in east')
  expect(make).toHaveBeenCalledTimes(3)
})
