import { X509Certificate } from 'node:crypto'
import { copyFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer, type Server, type ServerOptions } from 'node:https'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { httpEndpoint } from '../src/compose-endpoint.ts'
import { parseConfig } from '../src/config/config.ts'
import { createSecrets } from '../src/config/secrets.ts'
import { createHttpApi } from '../src/prometheus/http-api.ts'
import { type Authority, type Certificates, createCertificates } from './support/certificates.ts'
import { json, listening, vector } from './support/fake-prometheus.ts'
import { openTunnels } from './support/tunnel.ts'

const never = new AbortController().signal
const LOOPBACK = ['IP:127.0.0.1', 'DNS:localhost']
const good: RequestListener = (_, response) => json(response, 200, vector([{ value: '1' }]))
const closing: (() => unknown)[] = []
let certificates: Certificates
let ours: Authority
let others: Authority

beforeAll(() => {
  certificates = createCertificates()
  ours = certificates.authority('ours')
  others = certificates.authority('others')
})
afterAll(() => certificates.remove())
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

async function serving(server: Server | ReturnType<typeof createHttpServer>): Promise<number> {
  closing.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return listening(server as Server)
}
const tlsServer = (options: ServerOptions, how = good) => serving(createServer(options, how))

/** What the endpoint of a config file answers to a query. Paths are relative to the directory of the certificates. */
function endpointOf(settings: string, nowSeconds = () => Date.now() / 1_000) {
  const text = `clusters: [{ name: east, endpoints: [{ ${settings} }] }]\n`
  const parsed = parseConfig(text, 'goldseam.yaml')
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors))
  const [endpoint] = parsed.config.clusters[0]?.endpoints ?? []
  if (endpoint === undefined) throw new Error('no endpoint')
  const secrets = createSecrets(certificates.directory, nowSeconds)
  const api = createHttpApi(httpEndpoint(endpoint, parsed.config.limits, secrets, nowSeconds))
  closing.push(() => api.close())
  const ask = () => api.query('x', 1_000, never).then(({ data: [sample] }) => sample?.value)
  return Object.assign(ask, { certificateEndsAtSeconds: () => api.status()[0]?.certificateEndsAtSeconds })
}

describe('the certificate of a server', () => {
  const ca = () => `caFile: ${ours.certFile}`

  test('signed by the authority of caFile', async () => {
    const port = await tlsServer(ours.issue(LOOPBACK))
    expect(await endpointOf(`url: "https://127.0.0.1:${port}", ${ca()}`)()).toBe(1)
    expect(await endpointOf(`url: "https://localhost:${port}", ${ca()}`)()).toBe(1)
  })

  test.each([
    {
      name: 'has expired',
      words: /certificate of 127.0.0.1:\d+ has expired on 2 Jan 2020, 00:00 UTC; renew it, or/,
      make: () => ours.issue(LOOPBACK, 'expired'),
    },
    { name: 'is for another host', words: /is made out to other names/, make: () => ours.issue(['DNS:other.test']) },
    {
      name: 'is of an unknown authority',
      words: /not signed by an authority trusted here; set caFile/,
      make: () => others.issue(LOOPBACK),
    },
  ])('$name: refused, and said', async ({ make, words }) => {
    const port = await tlsServer(make())
    await expect(endpointOf(`url: "https://127.0.0.1:${port}", ${ca()}`)()).rejects.toMatchObject({
      kind: 'tls',
      message: words,
    })
  })

  test('its end is known, whether it is accepted or not; without TLS there is none', async () => {
    const valid = ours.issue(LOOPBACK)
    const endOf = ({ cert }: typeof valid) => Date.parse(new X509Certificate(cert).validTo) / 1_000
    const accepted = endpointOf(`url: "https://127.0.0.1:${await tlsServer(valid)}", ${ca()}`)
    expect(accepted.certificateEndsAtSeconds()).toBeNull()
    await accepted()
    expect(accepted.certificateEndsAtSeconds()).toBe(endOf(valid))
    const refused = endpointOf(`url: "https://127.0.0.1:${await tlsServer(ours.issue(LOOPBACK, 'expired'))}", ${ca()}`)
    await expect(refused()).rejects.toMatchObject({ kind: 'tls' })
    expect(refused.certificateEndsAtSeconds()).toBe(Date.UTC(2020, 0, 2) / 1_000)
    const plain = endpointOf(`url: "http://127.0.0.1:${await serving(createHttpServer(good))}"`)
    await plain()
    expect(plain.certificateEndsAtSeconds()).toBeNull()
  })

  test('without caFile the well-known authorities count', async () => {
    const port = await tlsServer(ours.issue(LOOPBACK))
    await expect(endpointOf(`url: "https://127.0.0.1:${port}"`)()).rejects.toMatchObject({ kind: 'tls' })
  })
})

describe('a server that wants a certificate of Goldseam', () => {
  const picky = () => ({ ...ours.issue(LOOPBACK), ca: ours.cert, requestCert: true, rejectUnauthorized: true })

  test('gets that of certFile and keyFile', async () => {
    const port = await tlsServer(picky())
    const { certFile, keyFile } = ours.issue(['DNS:goldseam.test'])
    const ask = endpointOf(
      `url: "https://127.0.0.1:${port}", caFile: ${ours.certFile}, certFile: ${certFile}, keyFile: ${keyFile}`,
    )
    expect(await ask()).toBe(1)
  })

  test.each([
    { name: 'none', files: () => '' },
    {
      name: 'one of another authority',
      files: () => {
        const { certFile, keyFile } = others.issue(['DNS:goldseam.test'])
        return `, certFile: ${certFile}, keyFile: ${keyFile}`
      },
    },
  ])('and refuses $name, which is said', async ({ files }) => {
    const port = await tlsServer(picky())
    const ask = endpointOf(`url: "https://127.0.0.1:${port}", caFile: ${ours.certFile}${files()}`)
    await expect(ask()).rejects.toMatchObject({
      message: /closed the connection; .* want another certificate \(certFile\)/,
    })
  })

  test('and says so in the handshake (TLS 1.2): named as such', async () => {
    const port = await tlsServer({ ...picky(), maxVersion: 'TLSv1.2' })
    const ask = endpointOf(`url: "https://127.0.0.1:${port}", caFile: ${ours.certFile}`)
    await expect(ask()).rejects.toMatchObject({ kind: 'tls', message: /does not accept Goldseam's certificate/ })
  })

  test('a renewed certificate is picked up without a restart', async () => {
    const port = await tlsServer(picky())
    const clock = { seconds: 1_000 }
    const [stale, fresh] = [others, ours].map((authority) => authority.issue(['DNS:goldseam.test']))
    const use = (from: typeof stale) => {
      copyFileSync(from?.certFile ?? '', join(certificates.directory, 'mine.pem'))
      copyFileSync(from?.keyFile ?? '', join(certificates.directory, 'mine.key'))
    }
    use(stale)
    const files = `caFile: ${ours.certFile}, certFile: mine.pem, keyFile: mine.key`
    const ask = endpointOf(`url: "https://127.0.0.1:${port}", ${files}`, () => clock.seconds)
    await expect(ask()).rejects.toMatchObject({ kind: 'unreachable' })
    use(fresh)
    clock.seconds += 61
    expect(await ask()).toBe(1)
  })
})

describe('a proxy on the way', () => {
  async function proxy() {
    const seen: string[] = []
    const server = createHttpServer((request, response) => {
      seen.push(`${request.method} ${request.url}`)
      good(request, response)
    })
    openTunnels(server, { later: (close) => closing.push(close), asked: (target) => seen.push(`CONNECT ${target}`) })
    return { port: await serving(server), seen }
  }

  test('carries https in a tunnel, with the certificates of both ends', async () => {
    const { port, seen } = await proxy()
    const target = await tlsServer({
      ...ours.issue(LOOPBACK),
      ca: ours.cert,
      requestCert: true,
      rejectUnauthorized: true,
    })
    const { certFile, keyFile } = ours.issue(['DNS:goldseam.test'])
    const tls = `caFile: ${ours.certFile}, certFile: ${certFile}, keyFile: ${keyFile}`
    const ask = endpointOf(`url: "https://127.0.0.1:${target}", ${tls}, proxy: "http://127.0.0.1:${port}"`)
    expect(await ask()).toBe(1)
    expect(seen).toEqual([`CONNECT 127.0.0.1:${target}`])
    expect(ask.certificateEndsAtSeconds()).toBeGreaterThan(Date.now() / 1_000)
  })

  test('is handed plain http as it is', async () => {
    const { port, seen } = await proxy()
    expect(await endpointOf(`url: "http://prometheus.test/prom", proxy: "http://127.0.0.1:${port}"`)()).toBe(1)
    expect(seen).toEqual(['POST http://prometheus.test/prom/api/v1/query'])
  })

  test('that is away, or refuses, is named', async () => {
    const away = endpointOf('url: "http://prometheus.test", proxy: "http://127.0.0.1:1"')
    await expect(away()).rejects.toMatchObject({
      kind: 'unreachable',
      message: /nothing listens at the proxy 127.0.0.1:1;/,
    })
    const server = createHttpServer(() => undefined)
    server.on('connect', (_, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'))
    const port = await serving(server)
    const refused = endpointOf(`url: "https://prometheus.test", proxy: "http://127.0.0.1:${port}"`)
    await expect(refused()).rejects.toMatchObject({
      kind: 'unreachable',
      message: /the proxy refused the way to prometheus.test \(HTTP 403\)/,
    })
  })
})

describe('OAuth2 client credentials', () => {
  async function login(how: RequestListener) {
    const asked: { authorization: string | undefined; form: URLSearchParams }[] = []
    const port = await serving(
      createHttpServer(async (request, response) => {
        let body = ''
        for await (const chunk of request) body += chunk
        asked.push({ authorization: request.headers.authorization, form: new URLSearchParams(body) })
        how(request, response)
      }),
    )
    return { asked, url: `http://127.0.0.1:${port}/token` }
  }
  /** A Prometheus that takes these tokens. */
  async function prometheus(accepted: Set<string>) {
    const seen: (string | undefined)[] = []
    const port = await serving(
      createHttpServer((request, response) => {
        const { authorization } = request.headers
        seen.push(authorization)
        if (accepted.has(authorization ?? '')) good(request, response)
        else response.writeHead(401).end()
      }),
    )
    return { seen, url: `http://127.0.0.1:${port}` }
  }
  const settings = (url: string, tokenUrl: string) => {
    writeFileSync(join(certificates.directory, 'client-secret'), 'hunter/2\n')
    return `url: "${url}", oauth2: { tokenUrl: "${tokenUrl}", clientId: "gold seam", clientSecretFile: client-secret, scopes: [a, b] }`
  }
  const issuing = (lifeSeconds: number) => {
    let issued = 0
    return ((_, response) => {
      issued += 1
      json(response, 200, { access_token: `t${issued}`, token_type: 'Bearer', expires_in: lifeSeconds })
    }) satisfies RequestListener
  }

  test('one token for all who wait, kept while it lasts, renewed before it runs out', async () => {
    const { asked, url: tokenUrl } = await login(issuing(100))
    const { seen, url } = await prometheus(new Set(['Bearer t1', 'Bearer t2']))
    const clock = { seconds: 1_000 }
    const ask = endpointOf(settings(url, tokenUrl), () => clock.seconds)
    await Promise.all([ask(), ask(), ask()])
    clock.seconds += 80
    await ask()
    expect(asked).toHaveLength(1)
    expect(asked[0]?.authorization).toBe(`Basic ${btoa('gold%20seam:hunter%2F2')}`)
    expect(Object.fromEntries(asked[0]?.form ?? [])).toEqual({ grant_type: 'client_credentials', scope: 'a b' })
    clock.seconds += 11
    await ask()
    expect(seen).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t1', 'Bearer t1', 'Bearer t2'])
  })

  test('a token that was revoked is replaced, and nobody notices', async () => {
    const { url: tokenUrl } = await login(issuing(100))
    const accepted = new Set(['Bearer t1'])
    const { seen, url } = await prometheus(accepted)
    const ask = endpointOf(settings(url, tokenUrl))
    expect(await ask()).toBe(1)
    accepted.clear()
    accepted.add('Bearer t2')
    expect(await ask()).toBe(1)
    expect(seen).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t2'])
    // Where the next one is refused as well, that is the answer.
    accepted.clear()
    await expect(ask()).rejects.toMatchObject({ kind: 'unauthorized' })
    expect(seen.slice(3)).toEqual(['Bearer t2', 'Bearer t3'])
  })

  test('a server that wants the secret in the form gets it there', async () => {
    const { asked, url: tokenUrl } = await login((request, response) =>
      request.headers.authorization === undefined
        ? json(response, 200, { access_token: 't1' })
        : json(response, 401, { error: 'invalid_client' }),
    )
    const { url } = await prometheus(new Set(['Bearer t1']))
    expect(await endpointOf(settings(url, tokenUrl))()).toBe(1)
    expect(Object.fromEntries(asked[1]?.form ?? [])).toMatchObject({
      client_id: 'gold seam',
      client_secret: 'hunter/2',
    })
  })

  test.each<{ name: string; how: RequestListener; kind: string; words: RegExp }>([
    {
      name: 'refuses',
      how: (_, r) => json(r, 401, { error: 'invalid_client' }),
      kind: 'unauthorized',
      words: /no token for it: 127.0.0.1:\d+ refused \(HTTP 401, invalid_client\); check clientId/,
    },
    {
      name: 'fails',
      how: (_, r) => void r.writeHead(503).end(),
      kind: 'unreachable',
      words: /no token for it: .* failed \(HTTP 503\)/,
    },
    {
      name: 'is a web page',
      how: (_, r) => void r.end('<html>'),
      kind: 'malformed',
      words: /without a token; check tokenUrl/,
    },
    {
      name: 'cuts the connection',
      how: (_, r) => void r.destroy(),
      kind: 'unreachable',
      words: /no token for it: .* closed the connection/,
    },
  ])('who hands out tokens $name: said, without the secret', async ({ how, kind, words }) => {
    const { url: tokenUrl } = await login(how)
    const { url, seen } = await prometheus(new Set())
    const error = await endpointOf(settings(url, tokenUrl))().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ kind, message: expect.stringMatching(words) })
    expect(String(error)).not.toContain('hunter')
    expect(seen).toEqual([])
  })
})
