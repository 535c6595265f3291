import { expect, test } from 'vitest'
import type { EndpointStatus } from '../prometheus/api.ts'
import { skewOf } from './clock-trouble.ts'

const endpoint = (given: Partial<EndpointStatus>) => ({ state: 'ok', ...given }) as EndpointStatus

test('the clock that counts is that of whoever answered last', () => {
  const standsBy = endpoint({ clockSkewSeconds: 120, lastAnswerAtSeconds: 1_000 })
  const inUse = endpoint({ clockSkewSeconds: 0, lastAnswerAtSeconds: 1_300 })
  expect(skewOf([standsBy, inUse])).toBe(0)
  expect(skewOf([standsBy, { ...inUse, clockSkewSeconds: -90 }])).toBe(-90)
  expect(skewOf([standsBy, { ...inUse, state: 'failing' }])).toBe(120)
  expect(skewOf([{ ...standsBy, clockSkewSeconds: null }])).toBeNull()
})
