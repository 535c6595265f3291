import { expect, test } from 'vitest'
import type { PrometheusApi } from './api.ts'
import { metered } from './metered.ts'
import { withLimit } from './with-limit.ts'
import { withTelemetry } from './with-telemetry.ts'

const { signal } = new AbortController()

function answering(answer: () => Promise<object>): PrometheusApi {
  return { query: answer, status: () => [] } as unknown as PrometheusApi
}

test('what a server says its queries took is added up, of this port alone', async () => {
  const api = answering(async () => ({ data: [], warnings: [], evalSeconds: 1.5 }))
  const [one, other] = [metered(api), metered(api)]
  await one.api.query('up', 0, signal)
  await one.api.query('up', 0, signal)
  expect(one.querySeconds()).toBe(3)
  expect(other.querySeconds()).toBe(0)
})

test('where it does not say, and where it fails, what was waited for counts', async () => {
  const silent = metered(answering(async () => ({ data: [], warnings: [] })))
  await silent.api.query('up', 0, signal)
  expect(silent.querySeconds()).toBeGreaterThan(0)
  const broken = metered(answering(() => Promise.reject(new Error('broken'))))
  await expect(broken.api.query('up', 0, signal)).rejects.toThrow('broken')
  expect(broken.querySeconds()).toBeGreaterThan(0)
})

test('what is waited for in line costs a server nothing that does not tell what its queries took', async () => {
  const silent = answering(async () => ({ data: [], warnings: [] }))
  const measured = withTelemetry(silent, { nowSeconds: () => 0, observe: () => undefined })
  const { api, querySeconds } = metered(withLimit(measured, 1))
  const told = await Promise.all(Array.from({ length: 20 }, () => api.query('up', 0, signal)))
  // Each counts from when it was sent, as its endpoint's telemetry has it.
  expect(querySeconds()).toBe(told.reduce((sum, { evalSeconds = Number.NaN }) => sum + evalSeconds, 0))
})
