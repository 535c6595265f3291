import { expect, test } from 'vitest'
import { alertsOf, groupsOf } from './rule-groups.ts'

const east = { label: 'cluster', op: '=', value: 'east' } as const
const firing = (labels: object) => ({ state: 'firing', labels: { alertname: 'CartFails', ...labels }, value: '1e+00' })
/** As a Thanos Query tells them: one group of two clusters, whose alerts do not say whose they are. */
const THANOS = {
  groups: [
    {
      name: 'shop',
      file: 'rules.yaml',
      rules: ['east', 'west'].map((cluster) => ({ name: 'CartFails', labels: { cluster }, alerts: [firing({})] })),
    },
    { name: 'others', file: 'rules.yaml', rules: [{ name: 'recorded', labels: { cluster: 'west' } }] },
  ],
}

test('of a Thanos only the rules of the one cluster, and their alerts say whose they are', () => {
  const groups = groupsOf(THANOS, east)
  expect(groups.map(({ name }) => name)).toEqual(['shop'])
  expect(groups[0]?.rules).toHaveLength(1)
  expect(alertsOf(groups)).toEqual([firing({ cluster: 'east' })])
})

test('a Prometheus that holds many has rules over all of them, and alerts of each', () => {
  const alerts = [firing({ cluster: 'west' }), firing({ cluster: 'east' }), firing({})]
  const rules = [{ name: 'CartFails', alerts }, { name: 'recorded' }]
  const groups = groupsOf({ groups: [{ name: 'shop', rules }] }, east)
  expect(groups).toMatchObject([{ rules: [{ name: 'CartFails' }, { name: 'recorded' }] }])
  expect(alertsOf(groups)).toEqual([firing({ cluster: 'east' }), firing({})])
})

test('one that is alone is left as it is; null is nothing', () => {
  expect(groupsOf(THANOS, null)).toEqual(THANOS.groups)
  expect(alertsOf(groupsOf(THANOS, null))).toHaveLength(2)
  expect(groupsOf({ groups: null }, east)).toEqual([])
})
