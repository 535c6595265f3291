import { afterEach, expect, test } from 'vitest'
import { createHttpApi } from '../src/prometheus/http-api.ts'
import { type Answering, json, startFakePrometheus, vector } from './support/fake-prometheus.ts'

const never = new AbortController().signal
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

async function started(how: Answering) {
  const server = await startFakePrometheus(how)
  const options = { headers: {}, authorization: async () => null, timeoutSeconds: 7 }
  const api = createHttpApi({ url: server.url, ...options, maxResponseBytes: 100_000, maxSeries: 100 })
  closing.push(
    () => api.close(),
    () => server.close(),
  )
  const asked = () =>
    server.asked.map(({ fields }) => ['nocache', 'latency_offset'].flatMap((name) => fields.get(name) ?? []))
  return { api, asked, server }
}

const EXACT = ['1', '1ms']
const good: Answering = (_, response) => json(response, 200, vector([{ value: '1' }]))
const goodOfVictoria: Answering = (asked, response) => {
  response.setHeader('x-server-hostname', 'vm-0')
  return good(asked, response)
}

test('a Prometheus is told nothing that it does not know', async () => {
  const { api, asked } = await started(good)
  await api.query('up', 1_000, never)
  expect(asked()).toEqual([[]])
})

test('what answers as a VictoriaMetrics is asked again for the very instant, and so from then on', async () => {
  const { api, asked } = await started(goodOfVictoria)
  await api.query('up', 1_000, never)
  expect(asked()).toEqual([[], EXACT])
  await api.query('up', 1_000, never)
  expect(asked().slice(2)).toEqual([EXACT])
})

test('where names told already what it is, nothing is asked twice', async () => {
  const { api, asked, server } = await started((_, response) => {
    response.setHeader('x-server-hostname', 'vm-0')
    json(response, 200, { status: 'success', data: ['east'] })
  })
  await api.labelValues('cluster', [], { fromSeconds: 0, toSeconds: 1_000 }, never)
  server.answer(goodOfVictoria)
  await api.query('up', 1_000, never)
  expect(asked()).toEqual([[], EXACT])
})

test('a proxy that cannot reach it does not make it another server', async () => {
  const { api, asked, server } = await started(goodOfVictoria)
  await api.query('up', 1_000, never)
  server.answer((_, response) => json(response, 502, {}))
  await expect(api.query('up', 1_000, never)).rejects.toMatchObject({ kind: 'unreachable' })
  server.answer(goodOfVictoria)
  await api.query('up', 1_000, never)
  expect(asked().slice(2)).toEqual([EXACT, EXACT])
})

test.each([
  { type: '422', error: 'cannot parse it', kind: 'rejected', worded: 'execution' },
  { type: '400', error: 'missing `query` arg', kind: 'rejected', worded: 'bad_data' },
  { type: '422', error: 'timeout exceeded during the query: 7.0 seconds', kind: 'timeout', worded: 'timeout' },
])('an error of type $type ("$error") is put as Prometheus puts it', async ({ type, error, kind, worded }) => {
  const { api } = await started((_, response) =>
    json(response, Number(type), { status: 'error', errorType: type, error }),
  )
  await expect(api.query('up', 1_000, never)).rejects.toMatchObject({ kind, message: expect.stringContaining(error) })
  const question = { path: '/api/v1/query', method: 'POST', fields: [], timeoutSeconds: null } as const
  expect(await api.forward(question, never)).toMatchObject({ state: 'refused', errorType: worded, error })
})

test('how long it took to evaluate stands beside the data', async () => {
  const stats = { seriesFetched: '12', executionTimeMsec: 250 }
  const { api } = await started((_, response) => json(response, 200, vector([], { stats })))
  expect(await api.query('up', 1_000, never)).toMatchObject({ data: { length: 0 }, evalSeconds: 0.25 })
})
