import { expect, test } from 'vitest'
import type { ForwardedAnswer, PrometheusApi } from '../prometheus/api.ts'
import { UpstreamError } from '../prometheus/upstream-error.ts'
import { AlertReader } from './alert-reader.ts'

const NOW = 1_000
const never = new AbortController().signal
const none: ForwardedAnswer = { state: 'answered', data: { alerts: [] }, warnings: [], infos: [], bytes: 2 }

/** A reader whose questions end as they are told to. */
function reader(outcomes: (() => Promise<ForwardedAnswer>)[]) {
  const api = { forward: () => outcomes.shift()?.() ?? Promise.resolve(none) } as unknown as PrometheusApi
  return new AlertReader({ cluster: 'east', api, matcher: null })
}
const refused = () => Promise.reject(new UpstreamError('unreachable', 'nothing listens'))

test('alerts alone that cannot be had are asked for again after ten seconds', async () => {
  const alerts = reader([refused])
  await alerts.run(NOW, never)
  expect(alerts.gaps()).toMatchObject([{ cluster: 'east', what: 'alerts', why: 'unreachable' }])
  expect(alerts.dueAt(NOW)).toBe(NOW + 10)
})

test('those that failed with their cluster are asked for as soon as it is back', async () => {
  const alerts = reader([refused])
  await alerts.run(NOW, never)
  alerts.clusterFailed()
  expect(alerts.dueAt(NOW)).toBeLessThanOrEqual(NOW)
  await alerts.run(NOW + 2, never)
  expect(alerts.gaps()).toEqual([])
})

test('so are those whose question was still under way when the cluster failed', async () => {
  let fail: () => void = () => undefined
  const alerts = reader([
    () =>
      new Promise((_, reject) => {
        fail = () => reject(new UpstreamError('timeout', 'late'))
      }),
  ])
  const asked = alerts.run(NOW, never)
  alerts.clusterFailed()
  fail()
  await asked
  expect(alerts.dueAt(NOW)).toBeLessThanOrEqual(NOW)
})

test('a cluster that fails while its alerts are well has them asked in their own time', async () => {
  const alerts = reader([])
  await alerts.run(NOW, never)
  alerts.clusterFailed()
  expect(alerts.dueAt(NOW)).toBe(NOW + 5)
})

test('one of many clusters takes its alerts from the rules, which tell whose they are', async () => {
  const asked: unknown[] = []
  const ruleOf = (cluster: string) => ({
    labels: { cluster },
    alerts: [{ state: 'firing', labels: { alertname: 'CartFails', namespace: 'shop' } }],
  })
  const data = { groups: [{ rules: [ruleOf('north'), ruleOf('east')] }] }
  const api = {
    forward: async ({ path, fields }: { path: string; fields: unknown }) => {
      asked.push([path, fields])
      return { ...none, data }
    },
  } as unknown as PrometheusApi
  const alerts = new AlertReader({ cluster: 'east', api, matcher: { label: 'cluster', op: '=', value: 'east' } })
  await alerts.run(NOW, never)
  expect(asked).toEqual([['/api/v1/rules', [['type', 'alert']]]])
  expect(alerts.known(NOW)?.firing).toMatchObject([
    { name: 'CartFails', labels: { cluster: 'east', namespace: 'shop' } },
  ])
})

test('a clock that was set back neither holds alerts up nor keeps old ones firing', async () => {
  const alerts = reader([])
  await alerts.run(NOW, never)
  expect(alerts.known(NOW)).not.toBeNull()
  const before = NOW - 500
  expect(alerts.dueAt(before)).toBe(before)
  expect(alerts.known(before)).toBeNull()
  await alerts.run(before, never)
  expect([alerts.dueAt(before), alerts.known(before)]).toEqual([before + 5, { told: true, firing: [] }])
})

test('what was asked after the instant that is shown stands for it: live ones lag behind the clock', async () => {
  const alerts = reader([])
  await alerts.run(NOW, never)
  expect(alerts.known(NOW - 7)).toEqual({ told: true, firing: [] })
})
