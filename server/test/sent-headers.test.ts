import { createServer } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { httpEndpoint } from '../src/compose-endpoint.ts'
import { parseConfig } from '../src/config/config.ts'
import { createSecrets } from '../src/config/secrets.ts'
import { createHttpApi } from '../src/prometheus/http-api.ts'
import { json, listening, vector } from './support/fake-prometheus.ts'

const never = new AbortController().signal
const closing: (() => unknown)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

/** The headers of a query as they cross the wire, by their names in lower case: each value that was sent. */
async function sentWith(headers: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const raw: string[] = []
  const server = createServer((request, response) => {
    raw.push(...request.rawHeaders)
    json(response, 200, vector([]))
  })
  closing.push(() => server.close())
  const text = `clusters: [{ name: east, endpoints: [{ url: "http://127.0.0.1:${await listening(server)}", headers: { ${headers} } }] }]`
  const parsed = parseConfig(text, 'goldseam.yaml')
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors))
  const [endpoint] = parsed.config.clusters[0]?.endpoints ?? []
  if (endpoint === undefined) throw new Error('no endpoint')
  const nowSeconds = () => 1_000
  const secrets = createSecrets(import.meta.dirname)
  const api = createHttpApi(httpEndpoint(endpoint, parsed.config.limits, secrets, nowSeconds))
  closing.unshift(() => api.close())
  await api.query('x', 1_000, never)
  const sent: Record<string, string[]> = {}
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]?.toLowerCase() ?? ''
    sent[name] = [...(sent[name] ?? []), raw[at + 1] ?? '']
  }
  return sent
}

const OURS = {
  accept: ['application/json'],
  'accept-encoding': ['gzip'],
  'content-type': ['application/x-www-form-urlencoded'],
}

test.each(['User-Agent', 'user-agent'])(
  '%s in the config stands instead of ours, and each header goes out once',
  async (name) => {
    const sent = await sentWith(`${name}: fleet-7, X-Scope-OrgID: a`)
    expect(sent).toMatchObject({ ...OURS, 'user-agent': ['fleet-7'], 'x-scope-orgid': ['a'] })
  },
)

test('without one Goldseam says who it is', async () => {
  expect(await sentWith('')).toMatchObject({ ...OURS, 'user-agent': ['goldseam'] })
})
