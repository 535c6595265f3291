import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Exporter } from '../mesh/exporter.ts'
import { createRegistry } from '../mesh/registry.ts'
import { startTargetsServer } from './targets-server.ts'

const portOf = (server: Server) => (server.address() as AddressInfo).port
const servers: Server[] = []
let ready = false
let url = ''
let exporters: Exporter[] = []

beforeAll(async () => {
  const page = createServer((request, reply) => {
    reply.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' })
    reply.end(`asked_for{path="${request.url}"} 1\n`)
  })
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve))
  const gone = createServer()
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
  exporters = [exporter('cart-0', portOf(page)), exporter('cart-1', portOf(gone))]
  await new Promise((resolve) => gone.close(resolve))
  const server = await startTargetsServer({
    host: '127.0.0.1',
    port: 0,
    exporters: (cluster) => (cluster === 'east' ? exporters : []),
    isReady: () => ready,
  })
  servers.push(page, server)
  url = `http://127.0.0.1:${portOf(server)}`
})
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

function exporter(name: string, port: number): Exporter {
  const labels = { namespace: 'shop', deployment: 'cart', instance: '10.42.0.9:4191' }
  return { name, registry: createRegistry(), job: 'linkerd-proxy', path: '/metrics', labels, port }
}

test('lists nothing and is not ready until the past is written', async () => {
  ready = false
  expect((await fetch(`${url}/ready`)).status).toBe(503)
  expect(await (await fetch(`${url}/targets/east`)).json()).toEqual([])
})

test('lists a page of each pod of the cluster, at the address it was asked at', async () => {
  ready = true
  expect((await fetch(`${url}/ready`)).status).toBe(200)
  const listed = (await (await fetch(`${url}/targets/east`)).json()) as { targets: string[]; labels: object }[]
  expect(listed.map(({ targets }) => targets)).toEqual([[new URL(url).host], [new URL(url).host]])
  expect(listed[0]?.labels).toMatchObject({
    __metrics_path__: '/pods/east/cart-0/metrics',
    job: 'linkerd-proxy',
    namespace: 'shop',
    deployment: 'cart',
    instance: '10.42.0.9:4191',
  })
  expect(await (await fetch(`${url}/targets/west`)).json()).toEqual([])
})

test('hands through what a pod says, and fails where there is none', async () => {
  const page = await fetch(`${url}/pods/east/cart-0/metrics`)
  expect(page.headers.get('content-type')).toBe('text/plain; version=0.0.4')
  expect(await page.text()).toBe('asked_for{path="/metrics"} 1\n')
  expect((await fetch(`${url}/pods/east/cart-1/metrics`)).status).toBe(502)
  expect((await fetch(`${url}/pods/east/cart-9/metrics`)).status).toBe(404)
  expect((await fetch(`${url}/pods/west/cart-0/metrics`)).status).toBe(404)
})
