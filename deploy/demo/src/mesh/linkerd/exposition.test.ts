import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Scenario, ServicePlan } from '../../scenarios/scenario.ts'
import type { Behaviour } from '../../services/behaviour.ts'
import { loopback } from '../../transport/loopback.ts'
import { startWorld, type World } from '../../world/world.ts'
import {
  ADMIN_NOISE,
  INBOUND_FROM_MESH,
  INBOUND_FROM_OUTSIDE,
  OUTBOUND_IN_CLUSTER,
  OUTBOUND_OF_INGRESS,
  OUTBOUND_TO_INGRESS,
} from './reference.fixture.ts'

const quick = (more: Partial<Behaviour> = {}): Behaviour => ({ workers: 4, workMs: 1, spreadMs: 0, ...more })
const service = (
  cluster: string,
  name: string,
  behaviour: Behaviour,
  more: Partial<ServicePlan> = {},
): ServicePlan => ({
  cluster,
  namespace: 'shop',
  name,
  replicas: 1,
  port: 8080,
  serviceAccount: name,
  behaviour,
  ...more,
})
const ingress = (cluster: string, address: string, hosts: Record<string, string>): ServicePlan =>
  service(cluster, 'controller', quick(), { namespace: 'ingress-nginx', port: 80, ingress: { address, hosts } })

const SHOP: Scenario = {
  name: 'shop',
  title: '',
  scale: '',
  culprit: '',
  cast: [],
  clusters: ['east', 'west'],
  services: [
    ingress('east', '203.0.113.10:80', { 'web.east.example.com': 'shop/web', 'hasty.east.example.com': 'shop/hasty' }),
    service(
      'east',
      'web',
      quick({
        calls: [
          { host: 'cart.shop.svc.cluster.local:8080' },
          { host: 'a.west.example.com' },
          { host: 'b.west.example.com' },
        ],
      }),
    ),
    service('east', 'cart', quick()),
    service('east', 'hasty', quick({ calls: [{ host: 'slow.west.example.com', timeoutMs: 250 }] })),
    ingress('west', '203.0.113.20:80', {
      'a.west.example.com': 'shop/cart',
      'b.west.example.com': 'shop/cart',
      'slow.west.example.com': 'shop/slow',
    }),
    service('west', 'cart', quick()),
    service('west', 'slow', quick({ workMs: 1500 })),
  ],
  phases: [],
  load: { host: '', path: '', thinkSeconds: 1 },
  background: [],
}

let world: World
const pages = new Map<string, string>()

beforeAll(async () => {
  world = await startWorld(loopback, SHOP)
  for (let i = 0; i < 4; i++) expect(await get('web.east.example.com')).toBe(200)
  await change({ 'east/shop/cart': { failureShare: 1 } })
  expect(await get('web.east.example.com')).toBe(503)
  await change({
    'west/shop/cart': { failureShare: 1 },
    'east/shop/web': { calls: [{ host: 'b.west.example.com' }] },
  })
  expect(await get('web.east.example.com')).toBe(503)
  expect(await get('hasty.east.example.com')).toBe(504)
  for (const cluster of SHOP.clusters) {
    for (const pod of world.pods(cluster)) {
      await pod.askAdmin('/ready')
      await fetchText(pod.adminPort)
      pages.set(`${cluster}/${pod.facts.deployment}`, await fetchText(pod.adminPort))
    }
  }
})

afterAll(() => world.close())

function change(behaviours: Record<string, Partial<Behaviour>>): Promise<void> {
  const changes = Object.fromEntries(Object.entries(behaviours).map(([id, behaviour]) => [id, { behaviour }]))
  return world.apply({ name: '', title: '', text: '', durationSeconds: 0, users: [], changes })
}

const page = (id: string): string => pages.get(id) ?? ''

describe('the label sets of Linkerd 2.17', () => {
  test.each([
    {
      why: 'a caller in the same cluster and over an ingress',
      id: 'east/web',
      direction: 'outbound',
      want: [...OUTBOUND_IN_CLUSTER, ...OUTBOUND_TO_INGRESS],
    },
    {
      why: 'the callee, with the noise of its admin port',
      id: 'east/cart',
      direction: 'inbound',
      want: [...INBOUND_FROM_MESH, ...ADMIN_NOISE],
    },
    {
      why: 'an ingress, from outside',
      id: 'west/controller',
      direction: 'inbound',
      want: [...INBOUND_FROM_OUTSIDE, ...ADMIN_NOISE],
    },
    { why: 'an ingress, to pod addresses', id: 'west/controller', direction: 'outbound', want: OUTBOUND_OF_INGRESS },
  ])('$why', ({ id, direction, want }) => {
    const names = new Set(want.map(nameOf))
    const got = seriesOf(page(id))
      .filter((series) => names.has(nameOf(series)) && isOf(direction, series))
      .filter((series) => !/slow\.west|dst_deployment="slow"/.test(series))
    const unlike = got.filter((series) => !want.some((reference) => matches(reference, series)))
    const missing = want.filter((reference) => !got.some((series) => matches(reference, series)))
    // The ingress accepts in the same label set that its callers dial; connections inbound are compared at the callee.
    expect({
      unlike: unlike.filter((series) => !/^tcp_.*peer="src"/.test(series) || id === 'east/web'),
      missing,
    }).toEqual({ unlike: [], missing: [] })
  })
})

test('every latency histogram has the 26 bounds of Linkerd, rises, and ends at the number of responses', () => {
  const text = page('east/web')
  for (const count of seriesOf(text).filter((series) => series.startsWith('response_latency_ms_count'))) {
    const labels = count.slice(count.indexOf('{') + 1, -1)
    const buckets = linesOf(text).filter((line) => line.startsWith(`response_latency_ms_bucket{${labels},le=`))
    expect(buckets.map((line) => /le="([^"]+)"/.exec(line)?.[1])).toEqual(
      '1 2 3 4 5 10 20 30 40 50 100 200 300 400 500 1000 2000 3000 4000 5000 10000 20000 30000 40000 50000 +Inf'.split(
        ' ',
      ),
    )
    const values = buckets.map(numberOf)
    expect(values).toEqual(values.toSorted((a, b) => a - b))
    const responses = linesOf(text).filter((line) => line.startsWith(`response_total{${labels},`))
    expect([values.at(-1), valueIn(text, count)]).toEqual([numberOf(responses[0] ?? ''), numberOf(responses[0] ?? '')])
  }
})

test('the second encoder writes floats, puts le first, and ends the page', () => {
  const text = page('east/web')
  const bounds = linesOf(text)
    .filter((line) => line.startsWith('outbound_http_route_backend_response_duration_seconds_bucket{le='))
    .map((line) => /le="([^"]+)"/.exec(line)?.[1])
  expect(bounds.slice(0, 8)).toEqual(['0.025', '0.05', '0.1', '0.25', '0.5', '1.0', '10.0', '+Inf'])
  expect(text).toContain('# TYPE outbound_http_route_request_statuses counter\n')
  expect(text).toContain('# UNIT outbound_http_route_request_duration_seconds seconds\n')
  expect(text.endsWith('# EOF\n')).toBe(true)
  expect(text.indexOf('request_total{')).toBeLessThan(text.indexOf('outbound_http_route'))
})

test('a request that ran out of time has a route error and no response at the endpoint', () => {
  const text = page('east/hasty')
  expect(text).toMatch(
    /request_statuses_total\{.*hostname="slow.west.example.com",http_status="",error="REQUEST_TIMEOUT"\} 1\n/,
  )
  expect(text).toMatch(/^request_total\{direction="outbound",target_addr="203.0.113.20:80".*\} 1$/m)
  expect(text).not.toMatch(/^response_total\{direction="outbound"/m)
  expect(text).toMatch(/^response_total\{direction="inbound".*status_code="504",classification="failure".*\} 1$/m)
})

test('whoever was cancelled on the way records no response either', () => {
  expect(page('west/slow')).toMatch(/^request_total\{direction="inbound",authority="slow.west.example.com".*\} 1$/m)
  expect(page('west/slow')).not.toMatch(/^response_total\{direction="inbound",authority/m)
})

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
const seriesOf = (text: string) => linesOf(text).map((line) => line.slice(0, line.lastIndexOf(' ')))
const numberOf = (line: string) => Number(line.slice(line.lastIndexOf(' ') + 1))
const valueIn = (text: string, series: string) =>
  numberOf(linesOf(text).find((line) => line.startsWith(`${series} `)) ?? '')
const nameOf = (series: string) => series.slice(0, series.indexOf('{'))

/** The route families say no direction: they are all outbound. */
const isOf = (direction: string, series: string) =>
  series.includes(`direction="${direction}"`) || (direction === 'outbound' && series.startsWith('outbound_'))

function matches(reference: string, series: string): boolean {
  const pattern = reference.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^"]+')
  return new RegExp(`^${pattern}$`).test(series)
}

function get(host: string): Promise<number> {
  return fetchFrom(world.entryPort(host), host, '/').then(({ status }) => status)
}

async function fetchText(port: number): Promise<string> {
  return (await fetchFrom(port, `127.0.0.1:${port}`, '/metrics')).body
}

function fetchFrom(port: number, host: string, path: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
    })
      .on('error', reject)
      .end()
  })
}
