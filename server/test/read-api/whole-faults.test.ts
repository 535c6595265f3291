import { afterEach, expect, test } from 'vitest'
import { type Answering, json, startFakePrometheus } from '../support/fake-prometheus.ts'
import { startGoldseam } from '../support/start-goldseam.ts'

const started: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of started.splice(0).reverse()) await one.close()
})

/** An endpoint that holds `east` and `west` and answers each with its own number; `whole` answers for both at once. */
async function over(whole: Answering, options = 'timeout: 5s', stores: () => object | null = () => null) {
  const many = await startFakePrometheus((asked, response) => {
    const told = asked.path.endsWith('/stores') ? stores() : null
    if (told !== null) return json(response, 200, { status: 'success', data: told })
    if (asked.path.endsWith('/label/cluster/values'))
      return json(response, 200, { status: 'success', data: ['east', 'west'] })
    const query = asked.fields.get('query') ?? ''
    if (query.includes('east|west')) return whole(asked, response)
    const value = query.includes('"east"') ? '1' : '2'
    const data = { resultType: 'vector', result: [{ metric: {}, value: [4, value] }] }
    json(response, 200, { status: 'success', data })
  })
  started.push(many)
  const goldseam = await startGoldseam(`log: { level: silent }\ndiscover:\n  - { url: "${many.url}", ${options} }\n`)
  started.push(goldseam)
  const ask = async (query: string, more = '') =>
    (await goldseam.get(`/prometheus/api/v1/query?time=4&query=${encodeURIComponent(query)}${more}`)).body as object
  const sent = () => many.asked.flatMap(({ path, fields }) => (path.endsWith('/query') ? fields.get('query') : []))
  return { many, ask, sent, host: new URL(many.url).host }
}

const APART = {
  resultType: 'vector',
  result: [
    { metric: { cluster: 'east' }, value: [4, '1'] },
    { metric: { cluster: 'west' }, value: [4, '2'] },
  ],
}

test.each<[string, Answering, string, string]>([
  [
    'refuses',
    (_, response) => json(response, 422, { status: 'error', errorType: 'execution', error: 'too many samples' }),
    'too many samples',
    'timeout: 5s',
  ],
  ['hangs', () => undefined, 'no answer within 1 s', 'timeout: 1s'],
])('an endpoint that %s is asked for each cluster instead, and it is said', async (_, whole, why, options) => {
  const { ask, host } = await over(whole, options)
  expect(await ask('sum(up)')).toEqual({
    status: 'success',
    data: APART,
    infos: [
      'sum without the label "cluster" was evaluated in each cluster on its own, not over all of them',
      expect.stringContaining(`${host} did not answer for all clusters at once: ${why}`),
    ],
  })
})

test('whoever told how long to wait is not kept longer', async () => {
  const { ask, many, sent } = await over(() => undefined, 'timeout: 20s')
  expect(await ask('sum(up)', '&timeout=2s')).toMatchObject({ status: 'error', errorType: 'timeout' })
  expect(sent()).toHaveLength(1)
  await many.asked.find(({ path }) => path.endsWith('/query'))?.clientLeft
})

test('what joins different clusters has no other way: the failure is the answer', async () => {
  const refuse: Answering = (_, response) =>
    json(response, 422, { status: 'error', errorType: 'execution', error: 'found duplicate series' })
  const { ask } = await over(refuse)
  const query = 'sum(up{cluster=~"east|west"}) / sum(up{cluster="west"})'
  expect(await ask(query)).toEqual({ status: 'error', errorType: 'execution', error: 'found duplicate series' })
})

test('a warning about no store is handed on, one that nobody was asked is about every cluster', async () => {
  const data = { resultType: 'vector', result: [{ metric: {}, value: [4, '3'] }] }
  const none = 'No StoreAPIs matched for this query'
  const { ask } = await over((_, response) =>
    json(response, 200, { status: 'success', data, warnings: ['results may be old', none] }),
  )
  const { warnings } = (await ask('sum(up)')) as { warnings: string[] }
  expect(warnings).toEqual([
    expect.stringMatching(/^cluster east is missing or incomplete: no store of it/),
    expect.stringMatching(/^cluster west is missing or incomplete: no store of it/),
    'results may be old',
  ])
})

test('a cluster that comes back while it is asked for is in the answer, or missed by name', async () => {
  const store = (cluster: string, lastError: string | null) => ({ name: cluster, lastError, labelSets: [{ cluster }] })
  let gone: string | null = 'connection refused'
  const { ask, sent } = await over(
    (_, response) => {
      const value = gone === null ? '3' : '1'
      json(response, 200, {
        status: 'success',
        data: { resultType: 'vector', result: [{ metric: {}, value: [4, value] }] },
      })
      // Its store connects right after the answer.
      if (sent().length === 2) gone = null
    },
    'timeout: 5s',
    () => ({ sidecar: [store('east', null), store('west', gone)] }),
  )
  const result = [{ metric: {}, value: [4, '1'] }]
  const missing = [expect.stringMatching(/^cluster west is missing .*connection refused/)]
  expect(await ask('sum(up)')).toMatchObject({ data: { result }, warnings: missing })
  expect(await ask('sum(up)')).toEqual({
    status: 'success',
    data: { resultType: 'vector', result: [{ metric: {}, value: [4, '3'] }] },
  })
  expect(sent()).toHaveLength(3)
})

test('only conditions on the cluster are put in other words', async () => {
  const { ask, sent } = await over((_, response) =>
    json(response, 200, { status: 'success', data: { resultType: 'vector', result: [] } }),
  )
  await ask('count(up{cluster!="nowhere", job="a{b}"}) or sum({cluster=~"e.*|w.*"}) # } ) cluster')
  expect(sent()).toEqual([
    'count(up{job="a{b}",cluster=~"east|west"}) or sum({cluster=~"east|west",__name__!=""}) # } ) cluster',
  ])
})
