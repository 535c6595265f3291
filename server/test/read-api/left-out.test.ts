import { afterEach, expect, test } from 'vitest'
import { json, startFakePrometheus, vector } from '../support/fake-prometheus.ts'
import { startGoldseam } from '../support/start-goldseam.ts'

const started: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of started.splice(0).reverse()) await one.close()
})

async function many(values: readonly string[]) {
  const endpoint = await startFakePrometheus(({ path }, response) => {
    if (path.endsWith('/stores')) return json(response, 404, {})
    if (path.endsWith('/rules')) return json(response, 200, { status: 'success', data: { groups: [] } })
    if (path.endsWith('/series')) return json(response, 200, { status: 'success', data: [] })
    if (path.endsWith('/metadata')) return json(response, 200, { status: 'success', data: {} })
    if (/\/(values|labels|query_exemplars)$/.test(path))
      return json(response, 200, { status: 'success', data: path.endsWith('cluster/values') ? values : [] })
    json(response, 200, vector([{ value: '1' }]))
  })
  started.push(endpoint)
  return endpoint
}

test('clusters that are there and not read are warnings wherever they may be asked for', async () => {
  const [one, other] = [await many(['east', 'west', 'a/b']), await many(['east'])]
  const goldseam = await startGoldseam(`log: { level: silent }
discover: [{ url: "${one.url}", maxClusters: 1 }, { url: "${other.url}" }]`)
  started.push(goldseam)
  const warnings = async (path: string) => {
    const { status, body } = await goldseam.get(`/prometheus/api/v1/${path}`)
    expect([path, status]).toEqual([path, 200])
    return (body as { warnings?: string[] }).warnings ?? []
  }
  const nameless = expect.stringContaining(`${one.url} holds cluster="a/b", which cannot be a cluster's name`)
  const tooMany = expect.stringContaining(`${one.url} holds 1 more clusters than maxClusters (1) allows: west`)
  const taken = expect.stringContaining(`${other.url} holds a cluster named east too, which is not read`)
  const asked = (promql: string, more = '') => warnings(`query?time=4&query=${encodeURIComponent(promql)}${more}`)

  expect(await asked('up')).toEqual([nameless, tooMany, taken])
  expect(await asked('sum(up)')).toEqual([nameless, tooMany, taken])
  // It is known what these are about.
  expect(await asked('up{cluster="east"}')).toEqual([taken])
  expect(await asked('up', '&c=east')).toEqual([taken])
  expect(await asked('up{cluster="west"}')).toEqual([nameless, tooMany, expect.stringContaining('no cluster meets')])
  expect(await asked('1+1')).toEqual([])
  for (const path of [
    'query_range?query=up&start=1&end=4&step=1',
    'query_exemplars?query=up',
    'series?match[]=up',
    'labels',
    'label/cluster/values',
    'label/pod/values',
    'metadata',
    'rules',
    'alerts',
  ])
    expect([path, ...(await warnings(path))]).toEqual([path, nameless, tooMany, taken])
})
