import { createServer } from 'node:http'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createCertificates } from './support/certificates.ts'
import { createEndpoints } from './support/one-endpoint.ts'

const certificates = createCertificates()
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
