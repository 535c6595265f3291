import { expect, test } from 'vitest'
import type { EndpointStatus } from '../prometheus/api.ts'
import { skewOf } from './clock-trouble.ts'

const endpoint = (given: Partial<EndpointStatus>) => ({ state: 'ok', ...given }) as EndpointStatus

const skew = (seconds: number) => ({ seconds, withinSeconds: 0.5 })

test('the clock that counts is that of whoever answered last', () => {
  const standsBy = endpoint({ clockSkew: skew(120), lastAnswerAtSeconds: 1_000 })
  const inUse = endpoint({ clockSkew: skew(0), lastAnswerAtSeconds: 1_300 })
  expect(skewOf([standsBy, inUse])).toEqual(skew(0))
  expect(skewOf([standsBy, { ...inUse, clockSkew: skew(-90) }])).toEqual(skew(-90))
  expect(skewOf([standsBy, { ...inUse, state: 'failing' }])).toEqual(skew(120))
  expect(skewOf([{ ...standsBy, clockSkew: null }])).toBeNull()
})
