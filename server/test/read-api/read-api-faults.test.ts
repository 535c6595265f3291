import { afterEach, describe, expect, test } from 'vitest'
import { type FakePrometheus, json, startFakePrometheus } from '../support/fake-prometheus.ts'
import { type StartedGoldseam, startGoldseam } from '../support/start-goldseam.ts'

const started: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of started.splice(0).reverse()) await one.close()
})

const series = (...names: string[]) => ({
  status: 'success',
  data: { resultType: 'vector', result: names.map((name) => ({ metric: { name }, value: [4, '1'] })) },
})

async function fake(how: Parameters<typeof startFakePrometheus>[0]): Promise<FakePrometheus> {
  const prometheus = await startFakePrometheus(how)
  started.push(prometheus)
  return prometheus
}

const good = (...names: string[]) => fake((_, response) => json(response, 200, series(...names)))

async function over(clusters: Readonly<Record<string, string>>, limits = '{}'): Promise<StartedGoldseam> {
  const lines = Object.entries(clusters).map(([name, url]) => `  - { name: ${name}, endpoints: [{ url: "${url}" }] }`)
  const goldseam = await startGoldseam(`log: { level: silent }
limits: ${limits}
clusters:
${lines.join('\n')}
`)
  started.push(goldseam)
  return goldseam
}

const NOWHERE = 'http://127.0.0.1:1'
const query = async (goldseam: StartedGoldseam, more = '', path = 'query') => {
  const { status, body } = await goldseam.get(`/prometheus/api/v1/${path}?query=up&time=4${more}`)
  expect(status).toBe(200)
  return body as { status: string; data: unknown; warnings?: string[] }
}

describe('a cluster that fails', () => {
  test('is a warning while another answers', async () => {
    const goldseam = await over({ east: (await good('a')).url, west: NOWHERE })
    expect(await query(goldseam)).toEqual({
      status: 'success',
      data: { resultType: 'vector', result: [{ metric: { name: 'a', cluster: 'east' }, value: [4, '1'] }] },
      warnings: [
        'cluster west is missing (unavailable): nothing listens at 127.0.0.1:1; check the URL and that it runs',
      ],
    })
    const { body } = await goldseam.get('/prometheus/api/v1/query?query=1%2B1')
    expect(body).not.toHaveProperty('warnings')
  })

  test.each([
    [400, 'bad_data', 'parse error: no'],
    [422, 'execution', 'query processing would load too many samples into memory in query execution'],
    [503, 'timeout', 'query timed out in expression evaluation'],
  ])('%d %s of all is handed on as it is', async (status, errorType, error) => {
    const bad = await fake((_, response) => json(response, status, { status: 'error', errorType, error }))
    const goldseam = await over({ east: bad.url, west: `${bad.url}/west` })
    const { status: code, body } = await goldseam.get('/prometheus/api/v1/query?query=up')
    expect([code, body]).toEqual([status, { status: 'error', errorType, error }])
    // One that lives is asked again, however often it refuses.
    for (let time = 0; time < 5; time += 1)
      expect((await goldseam.get('/prometheus/api/v1/query?query=up')).body).toEqual(body)
  })

  test('of one: the others are shown, and it is said what it refused', async () => {
    const refusing = await fake((_, response) =>
      json(response, 422, { status: 'error', errorType: 'execution', error: 'too many samples' }),
    )
    const goldseam = await over({ east: (await good('a')).url, west: refusing.url })
    expect(await query(goldseam)).toMatchObject({
      status: 'success',
      warnings: ['cluster west is missing (execution): too many samples'],
    })
  })

  test('503 unavailable when nobody answers, naming each', async () => {
    const goldseam = await over({ east: NOWHERE, west: 'http://127.0.0.1:2' })
    const { status, body } = await goldseam.get('/prometheus/api/v1/labels')
    expect(status).toBe(503)
    expect(body).toEqual({
      status: 'error',
      errorType: 'unavailable',
      error: expect.stringMatching(/^cluster east: nothing listens.*; cluster west: nothing listens/),
    })
  })

  test('one that hangs is cut off at the time that was asked for, and told to stop', async () => {
    const hanging = await fake(() => undefined)
    const goldseam = await over({ east: (await good('a')).url, west: hanging.url })
    const { warnings } = await query(goldseam, '&timeout=2s')
    expect(warnings).toEqual(['cluster west is missing (timeout): query timed out in expression evaluation'])
    await hanging.asked[0]?.clientLeft
    expect(hanging.asked[0]?.fields.get('timeout')).toBe('2')
    const alone = await goldseam.get('/prometheus/api/v1/query?query=up&c=west&timeout=0.2')
    expect(alone.status).toBe(503)
    expect(alone.body).toMatchObject({ errorType: 'timeout' })
  })

  test.each(['60d', '2147483648', '1e9'])('a limit of %s is no limit of nothing', async (timeout) => {
    const goldseam = await over({ east: (await good('a')).url })
    expect(await query(goldseam, `&timeout=${timeout}`)).not.toHaveProperty('warnings')
  })

  test('garbage is a missing cluster, not a failed answer', async () => {
    const odd = await fake((_, response) => json(response, 200, { status: 'success', data: { resultType: 'vector' } }))
    const goldseam = await over({ east: (await good('a')).url, west: odd.url })
    expect(await query(goldseam)).toMatchObject({ warnings: [expect.stringContaining('cluster west is missing')] })
  })
})

test('a limit of a list is told to each cluster, which need not tell more', async () => {
  const lists = await fake(({ path }, response) => {
    const one = { __name__: 'a', pod: 'x' }
    json(response, 200, { status: 'success', data: path.endsWith('/series') ? [one] : ['a', 'b'] })
  })
  const goldseam = await over({ east: lists.url })
  for (const path of ['series?match[]=a&', 'labels?', 'label/pod/values?'])
    expect((await goldseam.get(`/prometheus/api/v1/${path}limit=7`)).status).toBe(200)
  const told = lists.asked.filter(({ path }) => /series|labels|values/.test(path))
  expect(told.map(({ fields }) => fields.get('limit'))).toEqual(['7', '7', '7'])
})

test.each([
  ['a large one', '{cluster=~"(\\\\pL){1000}"}'],
  ['many', Array.from({ length: 300 }, (_, index) => `a{cluster=~"${index}.*"}`).join(' + ')],
])('patterns that would hold everybody up are refused, and no cluster is asked: %s', async (_, promql) => {
  const counted = await good('a')
  const goldseam = await over({ east: counted.url, west: `${counted.url}/west` })
  const before = counted.asked.length
  for (const path of ['query?query', 'series?match[]', 'rules?match[]']) {
    if (path.endsWith('match[]') && promql.includes('+')) continue
    const { status, body } = await goldseam.get(`/prometheus/api/v1/${path}=${encodeURIComponent(promql)}`)
    expect({ path, status, body }).toMatchObject({
      status: 400,
      body: { errorType: 'bad_data', error: expect.stringContaining('name fewer or shorter ones') },
    })
  }
  expect(counted.asked).toHaveLength(before)
})

test('an endpoint that never told which clusters it holds is missing wherever they may be asked for', async () => {
  const goldseam = await startGoldseam(`log: { level: silent }
clusters: [{ name: east, endpoints: [{ url: "${(await good('a')).url}" }] }]
discover: [{ url: "${NOWHERE}" }]
`)
  started.push(goldseam)
  const missing = expect.stringMatching(
    /^cluster 127\.0\.0\.1:1 is missing \(unavailable\): http:.* cannot be asked which clusters it holds: nothing listens/,
  )
  const asked = async (promql: string) =>
    (await goldseam.get(`/prometheus/api/v1/query?query=${encodeURIComponent(promql)}&time=4`)).body
  expect(await asked('up')).toMatchObject({ status: 'success', warnings: [missing] })
  expect(await asked('up{cluster=~"east|west"} or up{cluster!="east"}')).toMatchObject({
    status: 'success',
    warnings: [missing],
  })
  expect(await asked('up{cluster="west"}')).toMatchObject({ status: 'error', errorType: 'unavailable' })
  expect(await asked('up{cluster="east"}')).not.toHaveProperty('warnings')
  const { body } = await goldseam.get('/prometheus/api/v1/label/cluster/values')
  expect(body).toEqual({ status: 'success', data: ['east'], warnings: [missing] })
})

test('who leaves takes the questions along', async () => {
  const hanging = await fake(() => undefined)
  const goldseam = await over({ east: hanging.url })
  const leaving = new AbortController()
  const asking = goldseam.get('/prometheus/api/v1/query?query=up', leaving.signal).catch(() => null)
  await expect.poll(() => hanging.asked.length).toBe(1)
  leaving.abort()
  await asking
  await hanging.asked[0]?.clientLeft
})

describe('caps have a name', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `s${index}`)

  test('series, of one and of all together', async () => {
    const [few, most, tooMany] = [await good(...many(3)), await good(...many(9)), await good(...many(11))]
    const goldseam = await over({ few: few.url, most: most.url, big: tooMany.url }, '{ maxSeries: 10 }')
    const { warnings } = await query(goldseam)
    expect(warnings).toEqual([
      expect.stringMatching(
        /^cluster (few|most) is missing \(execution\): all clusters together answer with more than 10 series; select fewer clusters, or raise limits.maxSeries$/,
      ),
      'cluster big is missing (execution): more than 10 series in one answer; raise limits.maxSeries or use recording rules',
    ])
  })

  test('bytes', async () => {
    const answer = await good(...many(15))
    const goldseam = await over({ east: answer.url, west: `${answer.url}/west` }, '{ maxResponseBytes: 1KiB }')
    const { warnings } = await query(goldseam)
    expect(warnings).toEqual([
      expect.stringMatching(/all clusters together are|all clusters together answer with more than 1024 bytes/),
    ])
  })

  test('a form that is too long', async () => {
    const goldseam = await over({ east: NOWHERE })
    const response = await fetch(`${goldseam.url}/prometheus/api/v1/query`, {
      method: 'POST',
      body: new URLSearchParams({ query: 'x'.repeat(1_100_000) }),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ status: 'error', errorType: 'bad_data' })
  })
})

test('a large answer arrives whole, compressed or not', async () => {
  const names = Array.from({ length: 20_000 }, (_, index) => `a-rather-long-name-of-series-${index}`)
  const goldseam = await over({ east: (await good(...names)).url })
  for (const encoding of ['gzip', 'identity']) {
    const response = await fetch(`${goldseam.url}/prometheus/api/v1/query?query=up`, {
      headers: { 'accept-encoding': encoding },
    })
    expect(response.headers.get('content-encoding')).toBe(encoding === 'gzip' ? 'gzip' : null)
    const { data } = (await response.json()) as { data: { result: { metric: { name: string } }[] } }
    expect(data.result.map(({ metric }) => metric.name)).toEqual(names)
  }
})

test('a query nested without end is refused, and nothing falls over', async () => {
  const refusing = await fake((_, response) =>
    json(response, 400, { status: 'error', errorType: 'bad_data', error: 'too deep' }),
  )
  const goldseam = await over({ east: refusing.url })
  const response = await fetch(`${goldseam.url}/prometheus/api/v1/query`, {
    method: 'POST',
    body: new URLSearchParams({ query: `${'('.repeat(100_000)}1${')'.repeat(100_000)}` }),
  })
  expect(response.status).toBe(400)
})

test('a slow dashboard does not take the places of the snapshots', async () => {
  const prometheus = await fake((asked, response) => {
    if (asked.fields.get('query') === 'slow') return
    json(response, 200, series())
  })
  const goldseam = await over({ east: prometheus.url })
  const leaving = new AbortController()
  const slow = Array.from({ length: 10 }, () =>
    goldseam.get('/prometheus/api/v1/query?query=slow', leaving.signal).catch(() => null),
  )
  await expect.poll(() => prometheus.asked.length).toBe(2)
  const fleet = (await goldseam.get('/api/v1/fleet')).body as { clusters: { state: string }[] }
  expect(fleet.clusters.map(({ state }) => state)).toEqual(['ok'])
  expect(prometheus.asked.filter(({ fields }) => fields.get('query') === 'slow')).toHaveLength(2)
  leaving.abort()
  await Promise.all(slow)
})

test('more points than are allowed are refused before anybody is asked, and the setting is named', async () => {
  const { url, asked } = await good('a')
  const goldseam = await over({ east: url }, '{ maxPoints: 600 }')
  const ranges = () => asked.filter(({ path }) => path.endsWith('query_range')).length
  const { status, body } = await goldseam.get('/prometheus/api/v1/query_range?query=up&start=0&end=6010&step=10')
  expect([status, body]).toEqual([
    400,
    {
      status: 'error',
      errorType: 'bad_data',
      error:
        'exceeded maximum resolution of 600 points per timeseries (limits.maxPoints). Try decreasing the query resolution (?step=XX)',
    },
  ])
  expect(ranges()).toBe(0)
})
