import { writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { afterAll, afterEach, expect, test } from 'vitest'
import { UpstreamError } from '../src/prometheus/upstream-error.ts'
import { createCertificates } from './support/certificates.ts'
import { eventually } from './support/eventually.ts'
import { createEndpoints } from './support/one-endpoint.ts'
import { openTunnels } from './support/tunnel.ts'

const LOOPBACK = ['IP:127.0.0.1', 'DNS:localhost']
const certificates = createCertificates()
const ours = certificates.authority('ours')
const endpoints = createEndpoints(certificates.directory)
afterAll(() => certificates.remove())
afterEach(() => endpoints.close())

/** A proxy that takes each connection and never says whether there is a way; `asked` settles with the first CONNECT. */
async function frozenProxy() {
  const server = createHttpServer()
  const held: Duplex[] = []
  const asked = new Promise<void>((resolve) => {
    server.on('connect', (_, socket) => {
      socket.on('error', () => undefined)
      held.push(socket)
      resolve()
    })
  })
  endpoints.later(() => {
    for (const socket of held) socket.destroy()
  })
  return { url: `http://127.0.0.1:${await endpoints.serving(server)}`, asked, held }
}

const tooLate = new UpstreamError('timeout', 'no answer within 1 s')

test('a call whose time is over ends while the proxy still keeps it waiting for a tunnel', async () => {
  const { url, asked, held } = await frozenProxy()
  const leaving = new AbortController()
  const answer = endpoints.asking(`url: "https://prometheus.test", proxy: "${url}"`)(leaving.signal)
  await asked
  leaving.abort(tooLate)
  await expect(answer).rejects.toMatchObject({ kind: 'timeout', message: 'no answer within 1 s' })
  expect(held.map(({ destroyed }) => destroyed)).toEqual([false])
})

test('a call whose time is over ends in the midst of a TLS handshake', async () => {
  const server = createServer()
  const over: Socket[] = []
  const shaking = new Promise<Socket>((resolve) => {
    server.on('connection', (socket) => {
      socket.on('error', () => undefined)
      socket.on('end', () => over.push(socket))
      socket.once('data', () => resolve(socket))
      endpoints.later(() => socket.destroy())
    })
  })
  endpoints.later(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const leaving = new AbortController()
  const answer = endpoints.asking(`url: "https://127.0.0.1:${port}"`)(leaving.signal)
  const socket = await shaking
  leaving.abort(tooLate)
  await expect(answer).rejects.toBe(tooLate)
  // What the other side would have been told by then has arrived once something later has.
  const later = connect(port, '127.0.0.1').end()
  await eventually(() => expect(over.length).toBeGreaterThan(0))
  later.destroy()
  expect(over).not.toContain(socket)
})

test('a token that a proxy keeps waiting for is given up, so that the next call asks for it anew', async () => {
  const { url, held } = await frozenProxy()
  writeFileSync(join(certificates.directory, 'client-secret'), 'hunter/2')
  const oauth2 = '{ tokenUrl: "https://login.test/token", clientId: us, clientSecretFile: client-secret }'
  const ask = endpoints.asking(`url: "https://prometheus.test", proxy: "${url}", oauth2: ${oauth2}`)
  await expect(ask()).rejects.toMatchObject({ kind: 'timeout', message: 'no token from login.test within 5 s' })
  expect(held).toHaveLength(1)
})

test('a proxy that is reached over TLS may show a certificate of the authority in caFile', async () => {
  const seen: string[] = []
  const proxy = createHttpsServer(ours.issue(LOOPBACK))
  openTunnels(proxy, { later: endpoints.later, asked: (target) => seen.push(target) })
  const proxyPort = await endpoints.serving(proxy)
  const target = await endpoints.tls(ours.issue(LOOPBACK))
  const settings = `url: "https://127.0.0.1:${target}", proxy: "https://localhost:${proxyPort}"`
  expect(await endpoints.asking(`${settings}, caFile: ${ours.certFile}`)()).toBe(1)
  expect(seen).toEqual([`127.0.0.1:${target}`])
  await expect(endpoints.asking(settings)()).rejects.toMatchObject({ kind: 'tls' })
})
