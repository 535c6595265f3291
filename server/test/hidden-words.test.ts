import { afterEach, describe, expect, test } from 'vitest'
import { createHttpApi } from '../src/prometheus/http-api.ts'
import { QuestionFailed } from '../src/prometheus/upstream-error.ts'
import { type Answering, json, startFakePrometheus } from './support/fake-prometheus.ts'

const never = new AbortController().signal
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

function api(url: string, headers: Readonly<Record<string, string>>, authorization: string | null = null) {
  const limits = { timeoutSeconds: 7, maxResponseBytes: 100_000, maxSeries: 100 }
  const made = createHttpApi({ url, headers, authorization: async () => authorization, ...limits })
  closing.push(() => made.close())
  return made
}

async function fake(how: Answering) {
  const server = await startFakePrometheus(how)
  closing.push(() => server.close())
  return server
}

const wordsOf = (answer: Promise<unknown>) => answer.then(String, (error: Error) => error.message)

describe('our own words name hosts as they are', () => {
  test.each(['X-Scope-OrgID', 'X-Environment'])('also where the value of %s is a part of one', async (header) => {
    const server = await startFakePrometheus(() => undefined)
    await server.close()
    const { port } = new URL(server.url)
    const asked = api(`http://localhost:${port}`, { [header]: 'localhost' })
    const words = `nothing listens at localhost:${port}; check the URL and that it runs`
    expect(await wordsOf(asked.query('x', 1_000, never))).toBe(words)
    expect(await wordsOf(asked.scrapeIntervalSeconds(never))).toBe(words)
  })
})

describe('what others say', () => {
  const refusing: Answering = ({ headers }, response) =>
    json(response, 403, { status: 'error', error: `refused: ${JSON.stringify(headers)}` })

  test.each<{ what: string; headers: Record<string, string>; authorization: string | null; secret: string }>([
    { what: 'a key in a header', headers: { 'X-API-Key': 'key-of-ours' }, authorization: null, secret: 'key-of-ours' },
    { what: 'a token', headers: {}, authorization: 'Bearer tokenNumberOne', secret: 'tokenNumberOne' },
  ])('is without $what', async ({ headers, authorization, secret }) => {
    const server = await fake(refusing)
    const words = await wordsOf(api(server.url, headers, authorization).query('x', 1_000, never))
    expect(words).toContain('access refused (HTTP 403): refused: {')
    expect(words).toContain('***')
    expect(words).not.toContain(secret)
  })

  test('is without it and still the failure that it was', async () => {
    const server = await fake(({ headers }, response) =>
      json(response, 500, { status: 'error', errorType: 'internal', error: `failed for ${headers['x-api-key']}` }),
    )
    const answer = api(server.url, { 'X-API-Key': 'key-of-ours' }).query('x', 1_000, never)
    const error = await answer.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(QuestionFailed)
    expect(String(error)).toContain('failed for ***')
  })

  test('may name the tenant', async () => {
    const server = await fake((_, response) => json(response, 403, { status: 'error', error: 'no tenant production' }))
    const words = await wordsOf(api(server.url, { 'X-Scope-OrgID': 'production' }).query('x', 1_000, never))
    expect(words).toBe('access refused (HTTP 403): no tenant production')
  })
})
