import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Behind } from './behind.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('what nobody waits for begins after a pause that counts from when the event loop is free again', () => {
  const begun: string[] = []
  const behind = new Behind(undefined, 100)
  behind.run(() => begun.push('asked'))
  vi.advanceTimersByTime(99)
  expect(begun).toEqual([])
  vi.advanceTimersByTime(2)
  expect(begun).toEqual(['asked'])
})

test.each([0, 50])('closed after %i ms it never begins', (afterMs) => {
  const begun: string[] = []
  const behind = new Behind(undefined, 100)
  behind.run(() => begun.push('asked'))
  vi.advanceTimersByTime(afterMs)
  behind.close()
  behind.run(() => begun.push('asked after the end'))
  vi.advanceTimersByTime(1_000)
  expect(begun).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})

test('it waits while a snapshot is drawn, and the pause counts from its end', () => {
  let drawing = true
  const begun: string[] = []
  const behind = new Behind(undefined, 1_000, () => drawing)
  behind.run(() => begun.push('asked'))
  vi.advanceTimersByTime(5_000)
  drawing = false
  vi.advanceTimersByTime(990)
  expect(begun).toEqual([])
  vi.advanceTimersByTime(210)
  expect(begun).toEqual(['asked'])
})

test('one that is begun in the pause is waited for as well', () => {
  let drawing = false
  const begun: string[] = []
  const behind = new Behind(undefined, 1_000, () => drawing)
  behind.run(() => begun.push('asked'))
  vi.advanceTimersByTime(500)
  drawing = true
  vi.advanceTimersByTime(2_000)
  expect(begun).toEqual([])
  drawing = false
  vi.advanceTimersByTime(1_200)
  expect(begun).toEqual(['asked'])
})

test('but not for ever, where always another one is drawn', () => {
  const begun: string[] = []
  const behind = new Behind(undefined, 100, () => true)
  behind.run(() => begun.push('asked'))
  vi.advanceTimersByTime(20_000)
  expect(begun).toEqual([])
  vi.advanceTimersByTime(20_000)
  expect(begun).toEqual(['asked'])
})

test('it waits while answers are being made, and not for ever', () => {
  let answering = true
  const begun: string[] = []
  const behind = new Behind(() => answering, 100)
  behind.run(() => begun.push('first'))
  vi.advanceTimersByTime(1_000)
  expect(begun).toEqual([])
  answering = false
  vi.advanceTimersByTime(100)
  expect(begun).toEqual(['first'])
  answering = true
  behind.run(() => begun.push('second'))
  vi.advanceTimersByTime(9_000)
  expect(begun).toEqual(['first'])
  vi.advanceTimersByTime(2_000)
  expect(begun).toEqual(['first', 'second'])
})
