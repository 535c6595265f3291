import { setMaxListeners } from 'node:events'
import { expect, test } from 'vitest'
import type { ForwardedAnswer, PrometheusApi } from '../prometheus/api.ts'
import { AlertReader } from './alert-reader.ts'
import { createSharedAlerts, withSharedAlerts } from './shared-alerts.ts'

const { signal } = new AbortController()
// One for all readers, where each has its own.
setMaxListeners(0, signal)
const ruleOf = (cluster: string) => ({
  type: 'alerting',
  name: 'Slow',
  alerts: [{ state: 'firing', labels: { alertname: 'Slow', cluster }, activeAt: '2026-01-01T00:00:00Z' }],
})

test('fifty clusters behind one endpoint ask once for the alerts of all, and each has its own', async () => {
  const clusters = Array.from({ length: 50 }, (_, index) => `c${index}`)
  const asked: string[] = []
  const api = {
    async forward({ path }: { path: string }): Promise<ForwardedAnswer> {
      asked.push(path)
      const data = { groups: [{ name: 'all', rules: clusters.map(ruleOf) }] }
      return { state: 'answered', data, warnings: [], infos: [], bytes: 1 }
    },
  } as unknown as PrometheusApi
  const alerts = createSharedAlerts()
  const readers = clusters.map((value) => {
    const matcher = { label: 'cluster', op: '=', value } as const
    return new AlertReader({ cluster: value, api: withSharedAlerts(api, alerts), matcher })
  })
  await Promise.all(readers.map((reader) => reader.run(1_000, signal)))
  expect(asked).toEqual(['/api/v1/rules'])
  for (const reader of readers) expect(reader.known(1_000)).toMatchObject({ told: true, firing: [{ name: 'Slow' }] })
})

test('what anybody else asks is passed on as it is', async () => {
  let asked = 0
  const api = {
    forward: async () => {
      asked += 1
      return { state: 'answered', data: {}, warnings: [], infos: [], bytes: 1 }
    },
  } as unknown as PrometheusApi
  const shared = withSharedAlerts(api, createSharedAlerts())
  const question = { path: '/api/v1/rules', method: 'GET', fields: [], timeoutSeconds: null, about: 'rules' } as const
  await Promise.all([shared.forward(question, signal), shared.forward(question, signal)])
  expect(asked).toBe(2)
})
