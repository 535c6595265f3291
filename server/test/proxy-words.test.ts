import { createServer } from 'node:http'
import { createServer as createHttpsServer, type ServerOptions } from 'node:https'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { asUpstreamError } from '../src/prometheus/upstream-error.ts'
import { createCertificates } from './support/certificates.ts'
import { createEndpoints } from './support/one-endpoint.ts'
import { openTunnels } from './support/tunnel.ts'

const certificates = createCertificates()
const ours = certificates.authority('ours')
const others = certificates.authority('others')
const LOOPBACK = ['IP:127.0.0.1', 'DNS:localhost']
const endpoints = createEndpoints(certificates.directory)
afterAll(() => certificates.remove())
afterEach(() => endpoints.close())

/** A proxy that wants to know who asks before it lets anybody through. */
async function askingWho(): Promise<string> {
  const head = { 'proxy-authenticate': 'Basic realm="proxy"', 'content-type': 'text/html' }
  const server = createServer((_, response) => {
    response.writeHead(407, head).end('<h1>Who are you?</h1>')
  })
  server.on('connect', (_, socket) => {
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 407 Proxy Authentication Required\r\n${lines.join('')}content-length: 0\r\n\r\n`)
  })
  return `http://127.0.0.1:${await endpoints.serving(server)}`
}

test.each(['http', 'https'])('a proxy that wants credentials is told in the same words, %s', async (scheme) => {
  const ask = endpoints.asking(`url: "${scheme}://prometheus.test:9090", proxy: "${await askingWho()}"`)
  const words =
    'the proxy refused the way to prometheus.test:9090 (HTTP 407); check that it may go there and asks for no credentials'
  await expect(ask()).rejects.toMatchObject({ kind: 'unreachable', message: words })
  // What else the proxy says of it does not end up in the next answer.
  await expect(ask()).rejects.toMatchObject({ kind: 'unreachable', message: words })
})

test('a proxy that does not answer is named', () => {
  // By its code: the five seconds until undici gives up are tested where they are set.
  const error = Object.assign(new Error('Headers Timeout Error'), { code: 'UND_ERR_HEADERS_TIMEOUT' })
  const signal = new AbortController().signal
  const asked = { url: 'https://prometheus.test', proxy: 'http://proxy.test:3128', signal }
  expect(asUpstreamError(error, asked)).toMatchObject({
    kind: 'unreachable',
    message: 'the proxy proxy.test:3128 does not answer; check that it can reach the endpoint',
  })
})

describe('a proxy that is reached over TLS', () => {
  /** One that opens a way to wherever it is asked to; its port. */
  async function throughProxy(options: ServerOptions): Promise<number> {
    const server = createHttpsServer(options)
    openTunnels(server, { later: endpoints.later })
    return endpoints.serving(server)
  }
  const trusting = () => `caFile: ${ours.certFile}`

  test.each([
    {
      what: 'is signed by nobody known',
      make: () => others.issue(LOOPBACK),
      words: 'is not signed by an authority trusted here; set caFile to the one that signed it',
    },
    {
      what: 'has expired',
      make: () => ours.issue(LOOPBACK, 'expired'),
      words: 'has expired; renew it, or set the clock of this machine',
    },
    {
      what: 'is for another host',
      make: () => ours.issue(['DNS:other.test']),
      words: 'is made out to other names; put one of them into its URL, or renew it',
    },
  ])('whose certificate $what is named, and not the endpoint behind it', async ({ make, words }) => {
    const port = await throughProxy(make())
    for (const url of ['https://prometheus.test:9090', 'http://prometheus.test:9090'])
      await expect(
        endpoints.asking(`url: "${url}", ${trusting()}, proxy: "https://localhost:${port}"`)(),
      ).rejects.toMatchObject({ kind: 'tls', message: `the certificate of the proxy localhost:${port} ${words}` })
  })

  test.each([
    { what: 'is signed by nobody known', make: () => others.issue(LOOPBACK), words: 'is not signed by an authority' },
    { what: 'has expired', make: () => ours.issue(LOOPBACK, 'expired'), words: 'has expired' },
    { what: 'is for another host', make: () => ours.issue(['DNS:other.test']), words: 'is made out to other names' },
  ])('is not blamed for the certificate of the endpoint behind it that $what', async ({ make, words }) => {
    const proxy = await throughProxy(ours.issue(LOOPBACK))
    const port = await endpoints.tls(make())
    await expect(
      endpoints.asking(`url: "https://127.0.0.1:${port}", ${trusting()}, proxy: "https://localhost:${proxy}"`)(),
    ).rejects.toMatchObject({
      kind: 'tls',
      message: expect.stringContaining(`the certificate of 127.0.0.1:${port} ${words}`),
    })
  })

  test('that speaks no TLS, and one that speaks no HTTP, are named too', async () => {
    const plain = await endpoints.serving(createServer())
    await expect(
      endpoints.asking(`url: "https://prometheus.test", proxy: "https://localhost:${plain}"`)(),
    ).rejects.toMatchObject({
      kind: 'tls',
      message: expect.stringContaining(`TLS with the proxy localhost:${plain} failed`),
    })
    const banner = createServer().on('connection', (socket) => socket.end('SSH-2.0-OpenSSH_9.7\r\n'))
    const ssh = await endpoints.serving(banner)
    await expect(
      endpoints.asking(`url: "https://prometheus.test", proxy: "http://127.0.0.1:${ssh}"`)(),
    ).rejects.toMatchObject({
      kind: 'malformed',
      message: `the proxy 127.0.0.1:${ssh} does not answer in HTTP; check scheme and port`,
    })
  })

  test('that wants a certificate gets none, which is said', async () => {
    const wanting = { ca: ours.cert, requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' } as const
    const port = await throughProxy({ ...ours.issue(LOOPBACK), ...wanting })
    const { certFile, keyFile } = ours.issue(['DNS:goldseam.test'])
    const files = `${trusting()}, certFile: ${certFile}, keyFile: ${keyFile}`
    await expect(
      endpoints.asking(`url: "https://prometheus.test", ${files}, proxy: "https://localhost:${port}"`)(),
    ).rejects.toMatchObject({
      kind: 'tls',
      message: expect.stringMatching(
        /^the proxy localhost:\d+ refused the handshake \(\w+\); if it wants a certificate, Goldseam shows one to endpoints only$/,
      ),
    })
  })
})
