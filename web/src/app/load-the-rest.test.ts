// @vitest-environment jsdom
import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { lazyPart, partOr } from '../answers/lazy-part.ts'
import { loadTheRestWhenIdle } from './load-the-rest.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'connection')
})

const Part = () => null
const loaded: string[] = []
const loads = (name: string, end: () => Promise<typeof Part> = async () => Part) => {
  return () => {
    loaded.push(name)
    return end()
  }
}
lazyPart(loads('first'))
partOr(loads('large'), Part, { large: true })
lazyPart(loads('second'))
lazyPart(loads('away', () => Promise.reject(new TypeError('Failed to fetch'))))
lazyPart(loads('after it'))

test('what was not needed yet is loaded after the first answer, in idle time, until something fails', async () => {
  const idle = vi.fn((act: () => void) => act())
  vi.stubGlobal('requestIdleCallback', idle)
  const client = new QueryClient()
  loadTheRestWhenIdle(client)
  await client.prefetchQuery({ queryKey: ['fails'], queryFn: () => Promise.reject(new Error()), retry: false })
  expect(loaded).toEqual([])
  await client.prefetchQuery({ queryKey: ['answers'], queryFn: async () => 1 })
  await expect.poll(() => loaded).toContain('away')
  await client.prefetchQuery({ queryKey: ['answers too'], queryFn: async () => 1 })
  expect(loaded).toEqual(['first', 'second', 'away'])
  expect(idle).toHaveBeenCalledTimes(3)
})

test('who saves data is not sent what may never be looked at', async () => {
  const idle = vi.fn()
  vi.stubGlobal('requestIdleCallback', idle)
  Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true })
  const client = new QueryClient()
  loadTheRestWhenIdle(client)
  await client.prefetchQuery({ queryKey: ['answers'], queryFn: async () => 1 })
  expect(idle).not.toHaveBeenCalled()
})
