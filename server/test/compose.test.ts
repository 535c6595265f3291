import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { compose } from '../src/compose.ts'
import { loadConfig } from '../src/config/load-config.ts'
import { json, listening, startFakePrometheus, vector } from './support/fake-prometheus.ts'

let directory = ''
const closing: (() => unknown)[] = []
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'goldseam-compose-'))
})
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
  rmSync(directory, { recursive: true })
})

test.each([
  { auth: 'basicAuth: { username: reader, passwordFile: secret }', sent: `Basic ${btoa('reader:hunter2')}` },
  { auth: 'bearerTokenFile: secret', sent: 'Bearer hunter2' },
])('what the config says reaches the endpoint ($auth), and the secret nothing else', async ({ auth, sent }) => {
  const prometheus = await startFakePrometheus((_, response) => json(response, 200, vector([])))
  closing.push(() => prometheus.close())
  writeFileSync(join(directory, 'secret'), 'hunter2\n')
  writeFileSync(
    join(directory, 'goldseam.yaml'),
    `log: { level: silent }
clusters:
  - name: east
    endpoints: [{ url: "${prometheus.url}/prom", ${auth}, headers: { X-Scope-OrgID: team } }]
`,
  )
  const result = await loadConfig({ argument: null, environment: null, directory })
  if (result.state !== 'loaded') throw new Error(JSON.stringify(result))
  const composed = await compose(result.loaded, { isReady: () => true, webDir: null, build: 'test' })
  const server = createServer(composed.app)
  closing.push(
    () => composed.close(),
    () => server.close(),
  )
  const url = `http://127.0.0.1:${await listening(server)}`

  const answers = await Promise.all(
    ['/api/v1/clusters', '/api/v1/fleet', '/metrics'].map(async (path) => (await fetch(url + path)).text()),
  )
  expect(answers.join()).not.toContain('hunter2')
  expect(prometheus.asked.length).toBeGreaterThan(0)
  for (const { path, headers } of prometheus.asked) {
    expect(path).toMatch(/^\/prom\/api\/v1\//)
    expect(headers).toMatchObject({ authorization: sent, 'x-scope-orgid': 'team' })
  }
})
