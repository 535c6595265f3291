import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ClusterDetail, ClusterTest, type Problem } from '../src/contract/index.ts'
import { DECLARATION } from '../src/dialects/recording.ts'
import { createPrometheus } from '../src/prometheus/create-prometheus.ts'
import { eventually } from './support/eventually.ts'
import { answering, oneWorkload } from './support/fake-mesh.ts'
import { type Answering, type FakePrometheus, json, startFakePrometheus } from './support/fake-prometheus.ts'
import { startApp } from './support/start-app.ts'
import { type StartedGoldseam, startGoldseam } from './support/start-goldseam.ts'

const SECRET = 'hush-hush-4711'
const broken: Answering = (_, response) => void response.writeHead(503).end('down for repairs')
const mesh = {
  ...oneWorkload('cart'),
  count_values: [
    { labels: { up: '1' }, value: 3 },
    { labels: { up: '0' }, value: 1 },
  ],
}

let prometheus: FakePrometheus
let goldseam: StartedGoldseam

beforeAll(async () => {
  prometheus = await startFakePrometheus(answering(mesh))
  goldseam = await startGoldseam(`log: { level: silent }
refresh: 1s
clusters:
  - name: east
    endpoints: [{ url: "${prometheus.url}", timeout: 4s, headers: { X-Scope-OrgID: ${SECRET} } }]
`)
})
afterAll(async () => {
  await goldseam.close()
  await prometheus.close()
})

const asJson = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
const detail = async () => ClusterDetail.parse((await goldseam.get('/api/v1/clusters/east')).body)
const testNow = (headers: Record<string, string> = asJson.headers) =>
  fetch(`${goldseam.url}/api/v1/clusters/east/test`, { ...asJson, headers })

describe('one cluster in full', () => {
  test('the last requests by name, with time, size and outcome, and never what was sent along', async () => {
    const { body } = await goldseam.get('/api/v1/clusters/east')
    const { requests, lastHour, settings, bucketLayouts, lookedFor, cluster } = ClusterDetail.parse(body)
    const inbound = requests.find(({ question, kind }) => question === 'inbound' && kind === 'instant')
    expect(inbound).toMatchObject({ endpoint: prometheus.url, outcome: 'ok', detail: null })
    expect(inbound?.bytes).toBeGreaterThan(50)
    expect(requests.map(({ question }) => question)).toEqual(
      expect.arrayContaining(['inboundBuckets', 'values of __name__', 'recording rules']),
    )
    expect(requests.map(({ question }) => question)).not.toContain('unnamed')
    expect(lastHour).toEqual([{ endpoint: prometheus.url, answered: expect.any(Number), failed: 0 }])
    expect(lastHour[0]?.answered).toBeGreaterThanOrEqual(requests.length)
    expect(bucketLayouts).toEqual([{ boundsSeconds: [0.001, 0.01, 0.05, 0.1], workloads: 1 }])
    expect(lookedFor).toEqual([
      {
        dialect: 'linkerd',
        metrics: expect.arrayContaining(['response_total']),
        labelUses: expect.arrayContaining([{ says: 'namespace', labels: ['namespace'], note: null }]),
      },
    ])
    expect(cluster).toMatchObject({ name: 'east', state: 'ok', workloads: 1 })
    expect(settings).toContainEqual({ name: 'endpoints[0].headers.X-Scope-OrgID', value: 'set, not shown' })
    const text = JSON.stringify(body)
    expect(text).not.toContain(SECRET)
    expect(text).not.toContain('rate(')
  })

  test('a name that nobody has is 404, and names those that are there', async () => {
    const { status, body } = await goldseam.get('/api/v1/clusters/esat')
    expect(status).toBe(404)
    expect(body as Problem).toMatchObject({ near: ['east'], detail: expect.stringContaining('known: east') })
  })

  test('a test is asked now and told in words; only from our own pages', async () => {
    await detail()
    const answer = await testNow()
    expect(answer.status).toBe(200)
    const { endpoints } = ClusterTest.parse(await answer.json())
    expect(endpoints).toEqual([
      { url: prometheus.url, answered: true, seconds: expect.any(Number), text: expect.any(String) },
    ])
    expect(endpoints[0]?.text).toMatch(
      /^Answered in [\d.]+ m?s\. It says that it is version 2\.42\.0\. It has 4 scrape targets, 1 of them down\./,
    )
    expect((await detail()).requests.map(({ question }) => question)).toContain('test')
    const asked = prometheus.asked.length
    expect((await testNow({ ...asJson.headers, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await testNow({ 'content-type': 'text/plain' })).status).toBe(415)
    expect((await fetch(`${goldseam.url}/api/v1/clusters/east/test`)).status).toBe(405)
    expect(prometheus.asked.slice(asked).filter(({ fields }) => fields.get('query')?.includes('count_values'))).toEqual(
      [],
    )
  })

  test('what fails is on record with its reason', async () => {
    prometheus.answer(broken)
    const seen = await eventually(async () => {
      const now = await detail()
      expect(now.cluster.state).not.toBe('ok')
      return now
    })
    const failed = seen.requests.find(({ outcome }) => outcome !== 'ok' && outcome !== 'aborted')
    expect(failed).toMatchObject({ outcome: 'unreachable', bytes: null, detail: expect.stringContaining('HTTP 503') })
    expect(seen.lastHour[0]?.failed).toBeGreaterThan(0)
  })
})

test('recording rules whose names nobody tells: nothing is claimed of what was not recorded', async () => {
  const lane = { dialect: 'linkerd', lane: 'fast', windowSeconds: 60, intervalSeconds: 10 }
  const labels = { dialect: lane.dialect, lane: lane.lane, window_seconds: `${lane.windowSeconds}` }
  const usual = answering({ ...mesh, [DECLARATION]: [{ labels, value: lane.intervalSeconds }] })
  const east = await startFakePrometheus((asked, response) => {
    if (asked.path.endsWith('/label/question/values')) return json(response, 200, { status: 'success', data: [] })
    const refused = asked.path.endsWith('/label/__name__/values') && asked.fields.get('match[]')?.includes('goldseam:')
    if (!refused) return usual(asked, response)
    json(response, 400, { status: 'error', errorType: 'bad_data', error: 'no matchers here' })
  })
  const config = `log: { level: silent }\nclusters: [{ name: east, endpoints: [{ url: "${east.url}" }] }]\n`
  const server = await startGoldseam(config)
  try {
    const { recordingRules } = ClusterDetail.parse((await server.get('/api/v1/clusters/east')).body)
    const lanes = [{ ...lane, since: expect.any(String) }]
    const nothing = { overOthers: [], recorded: [], empty: [], outdated: [], peers: [] }
    expect(recordingRules).toEqual({ windowSeconds: 60, lanes, ...nothing })
    expect(east.asked.map(({ path }) => path)).toContain('/api/v1/label/question/values')
  } finally {
    await server.close()
    await east.close()
  }
})

test('tests of a cluster are seconds apart, whoever asks for them; others are not held up', async () => {
  const clock = { seconds: 1_000 }
  const tested: string[] = []
  const { url, close } = await startApp({
    clock: () => clock.seconds,
    testCluster: (name) => (name === 'nobody' ? null : Promise.resolve(tested.push(name)).then(() => [])),
  })
  const ask = async (name: string) => {
    const response = await fetch(`${url}/api/v1/clusters/${name}/test`, asJson)
    return [response.status, response.headers.get('retry-after')]
  }
  expect(await ask('east')).toEqual([200, null])
  clock.seconds += 2
  expect(await ask('east')).toEqual([429, '3'])
  expect(await ask('west')).toEqual([200, null])
  clock.seconds += 3
  expect(await ask('east')).toEqual([200, null])
  expect(await ask('nobody')).toEqual([404, null])
  // Also where the clock was set back.
  clock.seconds -= 3_600
  expect(await ask('east')).toEqual([200, null])
  expect(tested).toEqual(['east', 'west', 'east', 'east'])
  await close()
})

test('an endpoint that is left alone is tested all the same, and asked again once it answered', async () => {
  const replica = await startFakePrometheus(broken)
  const endpoint = {
    url: replica.url,
    headers: {},
    authorization: async () => null,
    timeoutSeconds: 5,
    maxResponseBytes: 1_000_000,
    maxSeries: 100,
  }
  const never = new AbortController().signal
  const api = createPrometheus(
    { name: 'east', endpoints: [endpoint] },
    { nowSeconds: () => 1_000, observe: () => undefined },
  )
  for (let call = 0; call < 3; call += 1) await api.query('x', 1_000, never).catch(() => undefined)
  const asked = replica.asked.length
  await expect(api.query('x', 1_000, never)).rejects.toThrow(/next try in/)
  expect(replica.asked).toHaveLength(asked)
  expect(await api.test('x', never)).toMatchObject([
    { wasLeftAlone: true, outcome: { error: { kind: 'unreachable' } } },
  ])
  await expect(api.query('x', 1_000, never)).rejects.toThrow(/next try in/)
  replica.answer(answering(mesh))
  expect(await api.test('x', never)).toMatchObject([{ wasLeftAlone: true, outcome: { data: { length: 0 } } }])
  expect(await api.query('x', 1_000, never)).toMatchObject({ data: { length: 0 } })
  await api.close()
  await replica.close()
})
