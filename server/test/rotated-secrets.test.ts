import { X509Certificate } from 'node:crypto'
import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { compose } from '../src/compose.ts'
import { loadConfig } from '../src/config/load-config.ts'
import { createCertificates, type Pair } from './support/certificates.ts'
import { eventually } from './support/eventually.ts'
import { json } from './support/fake-prometheus.ts'
import { createEndpoints, one } from './support/one-endpoint.ts'

const certificates = createCertificates()
const ours = certificates.authority('ours')
const endpoints = createEndpoints(certificates.directory)
afterAll(() => certificates.remove())
afterEach(() => endpoints.close())

const write = (name: string, text: string) => writeFileSync(join(certificates.directory, name), text)

/** A Prometheus that takes one Authorization header. */
async function picky(accepted: { authorization: string }) {
  const seen: (string | undefined)[] = []
  const port = await endpoints.plain(((request, response) => {
    seen.push(request.headers.authorization)
    if (request.headers.authorization === accepted.authorization) one(request, response)
    else response.writeHead(401).end()
  }) satisfies RequestListener)
  return { url: `http://127.0.0.1:${port}`, seen }
}

describe('a secret that is good no longer from one moment to the next', () => {
  test.each([
    { kind: 'bearer', auth: 'bearerTokenFile: secret', sent: (secret: string) => `Bearer ${secret}` },
    {
      kind: 'basic',
      auth: 'basicAuth: { username: us, passwordFile: secret }',
      sent: (secret: string) => `Basic ${btoa(`us:${secret}`)}`,
    },
  ])('$kind: the very next query is answered with the new one', async ({ auth, sent }) => {
    const accepted = { authorization: sent('hunter-one') }
    const { url, seen } = await picky(accepted)
    write('secret', 'hunter-one')
    const ask = endpoints.asking(`url: "${url}", ${auth}`, () => 1_000)
    expect(await ask()).toBe(1)
    write('secret', 'hunter-two')
    accepted.authorization = sent('hunter-two')
    expect(await ask()).toBe(1)
    expect(await ask()).toBe(1)
    expect(seen).toEqual(['one', 'one', 'two', 'two'].map((end) => sent(`hunter-${end}`)))
    // Where the file holds no other, it is not asked twice.
    accepted.authorization = sent('hunter-three')
    await expect(ask()).rejects.toMatchObject({ kind: 'unauthorized' })
    expect(seen).toHaveLength(5)
    write('secret', 'hunter-three')
    expect(await ask()).toBe(1)
  })

  test("an OAuth2 client's: the next token is had with the new one", async () => {
    const accepted = { secret: 'hunter-one', authorization: 'Bearer t1' }
    let issued = 0
    const tokens = await endpoints.plain((request, response) => {
      const pair = Buffer.from(String(request.headers.authorization).split(' ')[1] ?? '', 'base64').toString()
      if (pair !== `us:${accepted.secret}`) return json(response, 401, { error: 'invalid_client' })
      issued += 1
      json(response, 200, { access_token: `t${issued}` })
    })
    const { url } = await picky(accepted)
    write('secret', 'hunter-one')
    const oauth2 = `{ tokenUrl: "http://127.0.0.1:${tokens}", clientId: us, clientSecretFile: secret }`
    const ask = endpoints.asking(`url: "${url}", oauth2: ${oauth2}`, () => 1_000)
    expect(await ask()).toBe(1)
    write('secret', 'hunter-two')
    Object.assign(accepted, { secret: 'hunter-two', authorization: 'Bearer t2' })
    expect(await ask()).toBe(1)
  })
})

/** What is asked, with a clock, and what is told of its files. */
function watched(settings: string) {
  const clock = { seconds: 1_000 }
  const ask = endpoints.asking(settings, () => clock.seconds)
  const told: [string, string | null][] = []
  ask.secrets.watch((file, wrong) => told.push([file, wrong]))
  const aMinuteLater = () => {
    clock.seconds += 61
  }
  return { ask, told, aMinuteLater }
}

describe('a file that goes bad', () => {
  test('a token: the last good one stays in use, and which file it is, is told once', async () => {
    const { url, seen } = await picky({ authorization: 'Bearer hunter-one' })
    write('secret', 'hunter-one')
    const { ask, told, aMinuteLater } = watched(`url: "${url}", bearerTokenFile: secret`)
    expect(await ask()).toBe(1)
    write('secret', 'an error page\nof the one who writes it')
    aMinuteLater()
    expect([await ask(), await ask()]).toEqual([1, 1])
    expect(told).toEqual([['secret', expect.stringMatching(/^secret holds no token/)]])
    rmSync(join(certificates.directory, 'secret'))
    expect(await ask()).toBe(1)
    expect(told.slice(1)).toEqual([['secret', expect.stringMatching(/secret cannot be read: there is no such file$/)]])
    write('secret', 'hunter-one')
    expect([await ask(), await ask()]).toEqual([1, 1])
    expect(told.slice(2)).toEqual([['secret', null]])
    expect(new Set(seen)).toEqual(new Set(['Bearer hunter-one']))
  })

  test.each([
    { what: 'a token', settings: 'bearerTokenFile: bad', kind: 'unauthorized', words: /^bad holds no token/ },
    {
      what: 'a file that is away',
      settings: 'bearerTokenFile: away',
      kind: 'unauthorized',
      words: /away cannot be read/,
    },
    { what: 'an authority', settings: 'caFile: bad', kind: 'tls', words: /^bad holds no certificate/ },
  ])('$what that never was good is the reason why nothing is asked', async ({ settings, kind, words }) => {
    write('bad', 'not a\ntoken')
    const ask = endpoints.asking(`url: "https://prometheus.test", ${settings}`)
    await expect(ask()).rejects.toMatchObject({ kind, message: expect.stringMatching(words) })
  })
})

describe('certificates that are renewed', () => {
  /** A server that wants a certificate with each request, and the fingerprints of those that it got. */
  async function wanting() {
    const shown: string[] = []
    const options = { ...ours.issue(['IP:127.0.0.1']), ca: ours.cert, requestCert: true, rejectUnauthorized: true }
    const port = await endpoints.tls(options, (request, response) => {
      shown.push((request.socket as TLSSocket).getPeerCertificate().fingerprint256)
      response.setHeader('connection', 'close')
      one(request, response)
    })
    const files = `caFile: ${ours.certFile}, certFile: mine.pem, keyFile: mine.key`
    return { shown, settings: `url: "https://127.0.0.1:${port}", ${files}` }
  }
  const put = (from: string, name: string) => copyFileSync(from, join(certificates.directory, name))
  const use = ({ certFile, keyFile }: Pair) => {
    put(certFile, 'mine.pem')
    put(keyFile, 'mine.key')
  }
  const fingerprint = ({ cert }: Pair) => new X509Certificate(cert).fingerprint256

  test('one after the other: the old pair is shown until both are there', async () => {
    const { shown, settings } = await wanting()
    const [before, after] = [ours.issue(['DNS:a.test']), ours.issue(['DNS:b.test'])]
    use(before)
    const { ask, told, aMinuteLater } = watched(settings)
    expect(await ask()).toBe(1)
    put(after.certFile, 'mine.pem')
    aMinuteLater()
    expect([await ask(), await ask()]).toEqual([1, 1])
    expect(told.map(([, wrong]) => wrong)).toEqual(['mine.key is not the key of the certificate in mine.pem'])
    put(after.keyFile, 'mine.key')
    expect(await ask()).toBe(1)
    expect(told.slice(1).map(([, wrong]) => wrong)).toEqual([null])
    expect(shown).toEqual([before, before, before, after].map(fingerprint))
  })

  test.each(['mine.pem', 'mine.key'])(
    'to garbage in %s: the old pair stays in use, and the file is named',
    async (name) => {
      const { shown, settings } = await wanting()
      const pair = ours.issue(['DNS:a.test'])
      use(pair)
      const { ask, told, aMinuteLater } = watched(settings)
      expect(await ask()).toBe(1)
      write(name, 'certainly')
      aMinuteLater()
      expect(await ask()).toBe(1)
      expect(told).toEqual([[name, expect.stringMatching(new RegExp(`^${name} holds no `))]])
      expect(shown).toEqual([pair, pair].map(fingerprint))
    },
  )
})

test('the log says which file went bad, and when it is good again', async () => {
  const accepted = { authorization: 'Bearer hunter-one' }
  const { url } = await picky(accepted)
  write('secret', 'hunter-one')
  const cluster = `{ name: east, endpoints: [{ url: "${url}", bearerTokenFile: secret }] }`
  write('goldseam.yaml', `refresh: 2s\nlastGoodDirectory: none\nclusters: [${cluster}]\n`)
  const result = await loadConfig({ argument: null, environment: null, directory: certificates.directory })
  if (result.state !== 'loaded') throw new Error(JSON.stringify(result))
  const lines: Record<string, unknown>[] = []
  const logTo = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const composed = await compose(result.loaded, { isReady: () => true, webDir: null, build: 'test', logTo })
  endpoints.later(() => composed.close())
  const app = await endpoints.plain(composed.app)
  const look = () => fetch(`http://127.0.0.1:${app}/api/v1/fleet`)
  const told = () => lines.filter(({ file }) => file === 'secret').map(({ msg, why }) => [msg, why])
  const bad = [
    'secret file is no good; what it held before stays in use',
    expect.stringMatching(/^secret holds no token/),
  ]
  write('secret', 'two\nlines')
  accepted.authorization = 'Bearer hunter-two'
  await eventually(async () => {
    await look()
    expect(told()).toEqual([bad])
  })
  write('secret', 'hunter-two')
  await eventually(async () => {
    await look()
    expect(told()).toEqual([bad, ['secret file is good again, and used', undefined]])
  })
})
