import { expect, test } from 'vitest'
import type { PrometheusApi } from '../prometheus/api.ts'
import { InventoryReader } from './inventory-reader.ts'

const signal = new AbortController().signal

test('what ingresses are asked for is counted once a minute, and at once where the clock was set back', async () => {
  const counted: number[] = []
  const api = {
    query: async (_promql: string, atSeconds: number) => {
      counted.push(atSeconds)
      return { data: [], warnings: [] }
    },
  } as unknown as PrometheusApi
  const inventory = new InventoryReader('east', api)
  await inventory.refresh(new Set(['nginx_ingress_controller_requests']), null, 10_000, signal)
  for (const now of [10_059, 10_060, 6_460, 6_519, 6_520]) await inventory.recount(null, now, signal)
  expect(counted).toEqual([10_000, 10_060, 6_460, 6_520])
})
