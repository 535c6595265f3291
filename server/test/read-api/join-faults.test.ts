import { afterEach, expect, test } from 'vitest'
import { json, startFakePrometheus } from '../support/fake-prometheus.ts'
import { startGoldseam } from '../support/start-goldseam.ts'

const started: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of started.splice(0).reverse()) await one.close()
})

/** A cluster with this sum, and a count of 10; it refuses every query with one of the words. */
async function cluster(value: string, refuses: readonly string[] = []) {
  const fake = await startFakePrometheus(({ fields }, response) => {
    const query = fields.get('query') ?? ''
    if (refuses.some((word) => query.includes(word)))
      return json(response, 422, { status: 'error', errorType: 'execution', error: 'too many samples' })
    const result = [{ metric: {}, value: [4, query.startsWith('count') ? '10' : value] }]
    json(response, 200, { status: 'success', data: { resultType: 'vector', result } })
  })
  started.push(fake)
  asked.set(fake.url, fake.asked)
  return fake.url
}

const asked = new Map<string, readonly { readonly fields: URLSearchParams }[]>()

async function over(east: string, west: string, limits = '{}') {
  const named = (name: string, url: string) => `  - { name: ${name}, endpoints: [{ url: "${url}" }] }\n`
  const goldseam = await startGoldseam(
    `log: { level: silent }\nlimits: ${limits}\nclusters:\n${named('east', east)}${named('west', west)}`,
  )
  started.push(goldseam)
  return async (query: string) =>
    goldseam.get(`/prometheus/api/v1/query?time=4&join=1&query=${encodeURIComponent(query)}`)
}

test('a cluster that fails in one part is missing in all of them, and it is said', async () => {
  const ask = await over(await cluster('30'), await cluster('500', ['count(']))
  const { status, body } = await ask('sum(a) / count(a)')
  expect(status).toBe(200)
  // Not 530 / 10.
  expect(body).toMatchObject({ data: { result: [{ metric: {}, value: [4, '3'] }] } })
  expect(body).toMatchObject({
    warnings: [expect.stringMatching(/cluster west .*too many samples/)],
    infos: ['joined over east: sums were added up; counts were added up'],
  })
})

test('where no cluster answers every part there is no answer', async () => {
  const ask = await over(await cluster('30', ['sum(']), await cluster('500', ['count(']))
  const { status, body } = await ask('sum(a) / count(a)')
  expect(status).toBe(503)
  expect(body).toMatchObject({ status: 'error', errorType: 'unavailable', error: 'no cluster answered to every part' })
})

test('what stands there twice is asked once', async () => {
  const east = await cluster('30')
  const ask = await over(east, await cluster('500'))
  const { body } = await ask('(sum(a) - min(a)) / sum(a)')
  expect(body).toMatchObject({ data: { result: [{ metric: {}, value: [4, '0.9433962264150944'] }] } })
  const queries = asked.get(east)?.flatMap(({ fields }) => fields.get('query') ?? [])
  expect(queries?.toSorted()).toEqual(['min(a)', 'sum(a)'])
})

test('all parts together keep to the limits of one answer', async () => {
  const ask = await over(await cluster('30'), await cluster('500'), '{ maxSeries: 3 }')
  const { body } = await ask('sum(a) / count(a)')
  expect(JSON.stringify(body)).toContain('maxSeries')
})

test('too many questions for one answer are not asked, and it is said', async () => {
  const east = await cluster('30')
  const ask = await over(east, await cluster('500'))
  const terms = Array.from({ length: 21 }, (_, index) => `sum(a${index})`)
  const { body } = await ask(terms.join(' + '))
  expect(body).toMatchObject({
    infos: expect.arrayContaining([
      'not joined: it takes 21 questions to each cluster, more than the 20 that one answer may take; split it up',
    ]),
  })
  expect(asked.get(east)).toHaveLength(1)
})
