import { expect, test } from 'vitest'
import type { PrometheusApi } from '../prometheus/api.ts'
import { ClusterSide } from './cluster-side.ts'

test('what a cluster is asked for others meanwhile costs its alerts nothing', async () => {
  let [asked, spentSeconds] = [0, 0]
  const api = {
    async forward() {
      asked += 1
      // A slow lane that ends while alerts are asked for.
      spentSeconds += 4
      return { state: 'answered', data: { alerts: [] }, warnings: [], infos: [], bytes: 0, evalSeconds: 0.01 }
    },
    status: () => [{ querySecondsTotal: spentSeconds }],
  } as unknown as PrometheusApi
  const side = new ClusterSide({ cluster: 'east', api, dialects: () => [], goals: [], maxLoad: 0.2, matcher: null })
  for (const nowSeconds of [1_000, 1_010, 1_020]) await side.tick([], [], nowSeconds)
  expect(asked).toBe(3)
})
