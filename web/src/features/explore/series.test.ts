import { expect, test } from 'vitest'
import { exploreSeries, labelText, tellingLabels, twinOf, workloadOf } from './series.ts'

const one = (labels: Record<string, string>, values = [1]) => ({ labels, at: values.map((_, at) => at), values })

test('only labels that tell series apart become columns, the useful ones first', () => {
  const series = exploreSeries('east', [
    one({ cluster: 'east', job: 'mesh', zone: 'a', namespace: 'shop', deployment: 'web' }),
    one({ cluster: 'east', job: 'mesh', zone: 'b', namespace: 'pay', deployment: 'api' }),
  ])
  expect(tellingLabels(series)).toEqual(['namespace', 'deployment', 'zone'])
  expect(tellingLabels(series.slice(0, 1))).toEqual(['namespace', 'deployment', 'job', 'zone'])
})

test('a row leads to the workload that its labels name', () => {
  expect(workloadOf({ cluster: 'west', labels: { namespace: 'labs', deployment: 'd' } })).toBe('west/labs/d')
  expect(workloadOf({ cluster: 'west', labels: { namespace: 'labs', statefulset: 'db' } })).toBe(
    'west/labs/statefulset:db',
  )
  const istio = { destination_workload_namespace: 'labs', destination_workload: 'd' }
  expect(workloadOf({ cluster: 'west', labels: istio })).toBe('west/labs/d')
  expect(workloadOf({ cluster: 'west', labels: { job: 'node' } })).toBeNull()
})

test('labels are printed as PromQL writes them, without the cluster that stands beside them', () => {
  expect(labelText({ __name__: 'up', cluster: 'east', job: 'a"b' })).toBe('up{job="a\\"b"}')
  expect(labelText({})).toBe('{}')
})

test('a row is held beside its namesake in another cluster, where there is one', () => {
  const ids = new Set(['east/shop/web', 'west/shop/web', 'north/shop/web', 'west/shop/cart'])
  expect(twinOf('east/shop/web', ids)).toBe('north/shop/web')
  expect(twinOf('west/shop/cart', ids)).toBeNull()
})
