import { afterEach, expect, test } from 'vitest'
import { json, startFakePrometheus } from '../support/fake-prometheus.ts'
import { startGoldseam } from '../support/start-goldseam.ts'

const started: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of started.splice(0).reverse()) await one.close()
})

/** Two clusters that know every series, name and rule they are asked for. */
async function twoClusters() {
  const fake = await startFakePrometheus(({ path }, response) => {
    const data = path.includes('/query')
      ? { resultType: path.endsWith('range') ? 'matrix' : 'vector', result: [] }
      : path.endsWith('/rules')
        ? { groups: [] }
        : []
    json(response, 200, { status: 'success', data })
  })
  const named = (name: string) => `  - { name: ${name}, endpoints: [{ url: "${fake.url}/${name}" }] }\n`
  const goldseam = await startGoldseam(`log: { level: silent }\nclusters:\n${named('east')}${named('west')}`)
  started.push(fake, goldseam)
  return async (path: string, promql: string) => {
    const { status, body } = await goldseam.get(`/prometheus/api/v1/${path}=${encodeURIComponent(promql)}`)
    return { status, error: (body as { error?: string }).error }
  }
}

const PATHS = [
  'query?time=4&query',
  'query_range?start=0&end=60&step=15&query',
  'series?match[]',
  'labels?match[]',
  'label/pod/values?match[]',
]

test.each([
  '{__name__=~"container_(cpu|memory)_.+", id=~"/kubepods.*/([0-9a-f]{64})"}',
  '{__name__="a", id=~"((([0-9a-f]{1,8}[.-]?){1,9}x?){1,9})"}',
  '{"http.requests", pod=~"checkout-((blue|green)-)?[a-z0-9]{8,10}-[a-z0-9]{5}"}',
  '{"http.requests", pod=~"(\\\\pL){1000}"}',
  'a{k8s_cluster=~"(\\\\pL){1000}"}',
  '{id=~"(\\\\pL){1000}", __name__=~"a.+", cluster="east"}',
  '{cluster=~"((eu|us)-)?[a-z]{3,10}-([0-9]{1,2})", __name__=~"a.*"}',
])('asked, since no costly pattern is tried here: %s', async (promql) => {
  const ask = await twoClusters()
  for (const path of PATHS) expect({ path, ...(await ask(path, promql)) }).toMatchObject({ path, status: 200 })
})

test('asked, however many they are', async () => {
  const ask = await twoClusters()
  const metrics = Array.from({ length: 300 }, (_, index) => `{__name__=~"a${index}_.+"}`)
  expect(await ask('query?time=4&query', metrics.join(' or '))).toMatchObject({ status: 200 })
  const match = metrics.map(encodeURIComponent).join('&match[]=')
  expect(await ask(`labels?match[]=${match}&match[]`, 'up')).toMatchObject({ status: 200 })
})

test.each(['{cluster=~"(\\\\pL){1000}"}', 'up{exported_cluster!~"(\\\\pL){1000}"}', '{pod=~"(\\\\pL){0,1000}"}'])(
  'refused, since it would have to be tried: %s',
  async (promql) => {
    const ask = await twoClusters()
    for (const path of PATHS)
      expect({ path, ...(await ask(path, promql)) }).toMatchObject({
        path,
        status: 400,
        error: expect.stringContaining('too costly to be tried here'),
      })
  },
)

test('rules are chosen here by every label, if not by a name, which none of them has', async () => {
  const ask = await twoClusters()
  const costly = 'pod=~"(\\\\pL){1000}"'
  expect(await ask('rules?match[]', `{${costly}}`)).toMatchObject({ status: 400 })
  expect(await ask('rules?match[]', `up{${costly}}`)).toMatchObject({ status: 200 })
  expect(await ask('rules?match[]', `{"up",${costly}}`)).toMatchObject({ status: 200 })
  expect(await ask('rules?match[]', '{pod=~"checkout-((blue|green)-)?[a-z0-9]{8,10}-[a-z0-9]{5}"}')).toMatchObject({
    status: 200,
  })
})
