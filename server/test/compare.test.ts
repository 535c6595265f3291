import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Compare, CompareSideAnswer } from '../src/contract/index.ts'
import { answering, oneWorkload } from './support/fake-mesh.ts'
import { type FakePrometheus, json, startFakePrometheus } from './support/fake-prometheus.ts'
import { type StartedGoldseam, startGoldseam } from './support/start-goldseam.ts'

let east: FakePrometheus
let west: FakePrometheus
let goldseam: StartedGoldseam

beforeAll(async () => {
  east = await startFakePrometheus(answering(oneWorkload('web', 40)))
  west = await startFakePrometheus(answering(oneWorkload('web', 10)))
  goldseam = await startGoldseam(`log: { level: silent }
clusters:
  - { name: east, endpoints: [{ url: "${east.url}" }] }
  - { name: west, endpoints: [{ url: "${west.url}" }] }
goals:
  - { workload: "*/shop/web", latency: { p99: 5ms }, minimumRate: 20 }
`)
})
afterAll(async () => {
  await goldseam.close()
  await Promise.all([east.close(), west.close()])
})
const get = async <T>(path: string): Promise<T> => (await goldseam.get(`/api/v1${path}`)).body

test('the goals of the config are held against each side over its own window', async () => {
  const { rows, all } = await get<Compare>('/compare?a=east&b=west')
  const verdicts = (goals: NonNullable<Compare['all']['a']>['goals'] = []) =>
    goals.map(({ measure, verdict }) => [measure, verdict])
  expect(verdicts(rows[0]?.a?.goals)).toEqual([
    ['p99', 'missed'],
    ['requestsPerSecond', 'met'],
  ])
  expect(verdicts(rows[0]?.b?.goals)).toEqual([
    ['p99', 'missed'],
    ['requestsPerSecond', 'missed'],
  ])
  expect(all.a?.goals).toEqual([])
})

test('a side that is slow, or cannot be, holds up nothing of the other one', async () => {
  await get('/fleet')
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const mesh = answering(oneWorkload('web', 10))
  const longAgoSeconds = Date.now() / 1_000 - 10 * 3_600
  const waitsLongAgo: typeof mesh = async (asked, response) => {
    if (Number(asked.fields.get('start') ?? Number.POSITIVE_INFINITY) < longAgoSeconds) await released
    return mesh(asked, response)
  }
  west.answer(waitsLongAgo)
  const sides = 'a=east&b=west@now-20h~now-19h'
  const settled = vi.fn()
  const both = get<Compare>(`/compare?${sides}`).finally(settled)
  const a = CompareSideAnswer.parse(await get(`/compare/side?side=a&${sides}`))
  expect(a.side).toMatchObject({ clusters: ['east'], missing: [] })
  expect(a.all?.golden.requestsPerSecond).toBe(40)
  expect(a.members.map(({ id }) => id)).toEqual(['east/shop/web'])
  expect(settled).not.toHaveBeenCalled()
  const unknown = CompareSideAnswer.parse(await get('/compare/side?side=a&a=east&b=nowhere'))
  expect(unknown.all?.golden.requestsPerSecond).toBe(40)
  expect(await goldseam.get('/api/v1/compare/side?side=b&a=east&b=nowhere')).toMatchObject({ status: 400 })
  release()
  expect((await both).rows.map(({ key }) => key)).toEqual(['shop/web'])
})

test('each point of a series stands at its own instant, within its window', async () => {
  const { a, b } = await get<Compare>('/compare?a=east@now-20m~now-10m&b=west')
  for (const { from, to, series, percentiles } of [a, b]) {
    for (const { at, stepSeconds } of [series, percentiles]) {
      expect(at.length).toBeGreaterThan(1)
      const steps = at.slice(1).map((second, index) => second - (at[index] ?? 0))
      expect(steps.every((step) => Math.abs(step - stepSeconds) < 0.01)).toBe(true)
      expect(at[0]).toBeGreaterThanOrEqual(Date.parse(from) / 1_000 - stepSeconds)
      expect(at.at(-1)).toBeLessThanOrEqual(Date.parse(to) / 1_000 + 0.01)
    }
  }
})

test('without a second side the first one is compared with itself as long before, whatever its window', async () => {
  for (const side of ['a=east@now-20m~now-10m&', 'a=east&', '']) {
    const { a, b } = await get<Compare>(`/compare?${side}from=now-15m`)
    const [from = 0, to = 0] = [a.from, a.to].map((at) => Date.parse(at))
    // A side that was read a moment ago stands for now.
    expect(Math.abs(Date.parse(b.to) - from), side).toBeLessThan(30_000)
    expect(Math.abs(Date.parse(b.from) - (2 * from - to)), side).toBeLessThan(30_000)
    expect(b.clusters).toEqual(a.clusters)
  }
})

test('workloads of several clusters that are called the same are added up, on whichever side', async () => {
  const both = await get<Compare>('/compare?a=*&b=west')
  expect(both.rows.map(({ key, a, b }) => [key, a?.id, a?.golden.requestsPerSecond, b?.id])).toEqual([
    ['shop/web', null, 50, 'west/shop/web'],
  ])
  expect([both.onlyA, both.onlyB]).toEqual([[], []])
  const one = await get<Compare>('/compare?a=*/shop/web@now-20m~now-10m&b=*/shop/web')
  expect(one.rows.map(({ a, b }) => [a?.golden.requestsPerSecond, b?.golden.requestsPerSecond])).toEqual([[50, 50]])
  const apart = await get<Compare>('/compare?a=*@now-20m~now-10m&b=*')
  expect(apart.rows.map(({ key }) => key).toSorted()).toEqual(['east/shop/web', 'west/shop/web'])
})

test('two namespaces of several clusters are paired in each cluster', async () => {
  const mesh = oneWorkload('web', 10)
  const copied = Object.entries(mesh).map(([fragment, list]) => {
    const copies = list.map(({ labels, value }) => ({ labels: { ...labels, namespace: 'till' }, value }))
    return [fragment, [...list, ...copies]]
  })
  for (const fake of [east, west]) fake.answer(answering(Object.fromEntries(copied)))
  const { rows } = await get<Compare>('/compare?a=*/shop@now-3h~now-2h&b=*/till@now-3h~now-2h')
  expect(rows.map(({ key }) => key).toSorted()).toEqual(['east/web', 'west/web'])
  east.answer(answering(oneWorkload('web', 40)))
  west.answer(answering(oneWorkload('web', 10)))
})

test('where a cluster does not tell its percentiles, those of the others are not shown as those of all', async () => {
  const mesh = answering(oneWorkload('web', 10))
  west.answer((asked, response) => {
    if (!asked.path.endsWith('/query_range') || !asked.fields.get('query')?.includes('_bucket'))
      return mesh(asked, response)
    json(response, 422, { status: 'error', errorType: 'execution', error: 'too many samples' })
  })
  const { all, rows, gaps, notes, a } = await get<Compare>('/compare?a=*@now-5h~now-4h&b=east@now-5h~now-4h')
  west.answer(mesh)
  expect([all.a?.golden.requestsPerSecond, all.a?.golden.latencySeconds.p99]).toEqual([50, null])
  expect([rows[0]?.a?.golden.requestsPerSecond, rows[0]?.a?.golden.latencySeconds.p99]).toEqual([50, null])
  expect(all.b?.golden.latencySeconds.p99).not.toBeNull()
  expect(a.missing).toEqual([])
  expect(notes).toContain('west did not tell percentiles: sums have none')
  expect(gaps).toContainEqual(expect.objectContaining({ cluster: 'west', what: 'percentiles of a comparison' }))
})
