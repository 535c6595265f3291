import { expect, test } from 'vitest'
import { exploreSeries, labelText, largestFirst, tellingLabels, twinOf, workloadOf } from './series.ts'

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

test('the largest come first, and what is no number last, wherever it stood', () => {
  const values = Array.from({ length: 300 }, (_, at) => (at % 3 === 0 ? Number.NaN : (at * 7_919) % 1_000))
  const all = [...values, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  const sorted = exploreSeries(
    'east',
    all.map((value, at) => one({ pod: `${at}` }, [value])),
  ).toSorted(largestFirst)
  const numbers = all.filter((value) => !Number.isNaN(value)).toSorted((a, b) => (a === b ? 0 : b > a ? 1 : -1))
  expect(sorted.slice(0, numbers.length).map(({ last }) => last)).toEqual(numbers)
  expect(sorted.slice(numbers.length).every(({ last }) => Number.isNaN(last))).toBe(true)
})
