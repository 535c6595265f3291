import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type {
  Alerts,
  ClusterDetail,
  Compare,
  Failover,
  Fleet,
  MadeLink,
  Outlooks,
  Problem,
  SavedLink,
  WorkloadDetail,
} from '../src/contract/index.ts'
import { eventually } from './support/eventually.ts'
import { answering, oneWorkload } from './support/fake-mesh.ts'
import { atRest, type FakePrometheus, startFakePrometheus } from './support/fake-prometheus.ts'
import { type StartedGoldseam, startGoldseam } from './support/start-goldseam.ts'

let folder: string
let prometheus: FakePrometheus
let goldseam: StartedGoldseam

const start = () =>
  startGoldseam(
    `clusters: [{ name: east, endpoints: [{ url: ${prometheus.url} }], dialects: [linkerd] }]
links: { directory: ${folder}/links }
tools: [{ name: Grafana, url: 'https://grafana.example.com/d/x?ns={namespace}', clusters: [east] }]
refresh: 60s
log: { level: silent }
`,
    folder,
  )

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'goldseam-web-'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><html><head><title>G</title></head><body></body></html>')
  prometheus = await startFakePrometheus(answering(oneWorkload('cart')))
  goldseam = await start()
})
afterAll(async () => {
  await goldseam.close()
  await prometheus.close()
  rmSync(folder, { recursive: true, force: true })
})

async function post(body: unknown, headers: Record<string, string> = { 'content-type': 'application/json' }) {
  const sent = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(`${goldseam.url}/api/v1/links`, { method: 'POST', headers, body: sent })
  return { status: response.status, body: (await response.json()) as unknown }
}
const get = async <T>(path: string) => (await goldseam.get(path)) as { status: number; body: T }
const page = async (path: string) => (await fetch(goldseam.url + path, { headers: { accept: 'text/html' } })).text()

test('a short link is made once, found by its code in any case, and is a page', async () => {
  const address = '/d/east/shop/cart?from=now-1h&q=a%20b'
  const made = await post({ address, title: 'cart' })
  expect(made.status).toBe(201)
  const { code, path, durable } = made.body as MadeLink
  expect(path).toBe(`/s/${code}`)
  expect(durable).toBe(true)
  expect((await post({ address, title: 'again' })).body).toMatchObject({ code })
  const { body } = await get<SavedLink>(`/api/v1/links/${code.toLowerCase()}`)
  expect(body).toMatchObject({ code, kind: 'link', state: 'kept', title: 'cart', address, snapshotAt: null })
  expect(await page(path)).toContain('og:title" content="cart"')
})

test('saved evidence keeps its numbers when Prometheus is gone and Goldseam has restarted', async () => {
  // With its past, which a snapshot of a busy machine may go out without.
  const live = await eventually(async () => {
    const fleet = await get<Fleet>('/api/v1/fleet')
    expect(fleet.body.verdict.form).toBe('quiet')
    return fleet
  })
  expect(live.body.workloads.map(({ id }) => id)).toEqual(['east/shop/cart'])
  const made = await post({ kind: 'evidence', address: '/d/east/shop/cart?from=now-30m&q=x', title: 'cart' })
  expect(made.status).toBe(201)
  const { code, leftOut } = made.body as MadeLink
  expect(leftOut).toEqual([])
  const link = (await get<SavedLink>(`/api/v1/links/${code}`)).body
  expect(link.address).toBe(
    `/d/east/shop/cart?from=${encodeURIComponent(minus30Minutes(link.snapshotAt ?? ''))}&q=x&to=${encodeURIComponent(seconds(link.snapshotAt ?? ''))}`,
  )

  const sides = 'a=east/shop&b=east%40now-20m~now-10m'
  const compared = (await get<Compare>(`/api/v1/compare?${sides}`)).body
  const comparison = await post({ kind: 'evidence', address: `/compare?${sides}&goals=p99:500ms`, title: 'two' })
  const cluster = await post({ kind: 'evidence', address: '/clusters/east', title: 'east' })

  await goldseam.close()
  await prometheus.close()
  goldseam = await start()
  const again = (comparison.body as MadeLink).code
  // The window of a side is of the moment, too: whoever opens it tomorrow is to see the same.
  const { searchParams } = new URL((await get<SavedLink>(`/api/v1/links/${again}`)).body.address ?? '', 'http://page')
  const savedSides = new URLSearchParams({ a: searchParams.get('a') ?? '', b: searchParams.get('b') ?? '' })
  const kept = await get<Compare>(`/api/v1/compare?${savedSides}&saved=${again}`)
  expect(compared.all.a?.golden.requestsPerSecond).toBeGreaterThan(0)
  expect(kept.body.all.a?.golden.requestsPerSecond).toBeCloseTo(
    compared.all.a?.golden.requestsPerSecond ?? Number.NaN,
    6,
  )
  expect(kept.body.b.text).toMatch(/^east@\d{4}-[\dT:-]+Z~\d{4}-[\dT:-]+Z$/)
  expect((await get<Problem>(`/api/v1/compare?a=east&saved=${again}`)).status).toBe(404)
  const ofCluster = await get<ClusterDetail>(`/api/v1/clusters/east?saved=${(cluster.body as MadeLink).code}`)
  expect(ofCluster.body.requests.length).toBeGreaterThan(0)
  const fleet = await get<Fleet>(`/api/v1/fleet?saved=${code}`)
  expect(fleet.status).toBe(200)
  expect(fleet.body.snapshot.at).toBe(link.snapshotAt)
  expect(fleet.body.clusters[0]?.state).toBe('ok')
  expect(fleet.body.workloads[0]?.now).toEqual(live.body.workloads[0]?.now)
  // Rows, as they were saved: who can read tables can read them as well.
  expect((await get<Fleet>(`/api/v1/fleet?as=table&saved=${code}`)).body).toEqual(fleet.body)
  const detail = await get<WorkloadDetail>(`/api/v1/workloads/east/shop/cart?saved=${code.toLowerCase()}`)
  expect(detail.body.workload.now.requestsPerSecond).toBe(10)
  for (const path of ['suspects', 'clusters', 'topology', 'suspects?focus=east/shop/cart'])
    expect((await get(`/api/v1/${path}${path.includes('?') ? '&' : '?'}saved=${code}`)).status).toBe(200)
  expect(await page(`/s/${code}`)).toMatch(/og:description" content="Saved evidence, \d+ \w+ \d\d:\d\d UTC: All quiet/)

  const other = await get<Problem>(`/api/v1/workloads/east/shop/other?saved=${code}`)
  expect(other).toMatchObject({ status: 404, body: { detail: expect.stringContaining('was not saved with') } })
  expect((await get(`/api/v1/fleet?saved=ZZZZZZ`)).status).toBe(404)
})

test('evidence of what happens if a cluster goes has the answer, and those to choose from', async () => {
  const made = await post({ kind: 'evidence', address: '/failover?gone=east&days=1', title: 'gone' })
  const { code } = made.body as MadeLink
  const saved = await get<Failover>(`/api/v1/failover?cluster=east&days=1&saved=${code}`)
  expect(saved).toMatchObject({ status: 200, body: { cluster: 'east', days: 1 } })
  expect((await get<Problem>(`/api/v1/failover?cluster=east&days=7&saved=${code}`)).status).toBe(404)
  const chosen = await get<Outlooks>(`/api/v1/failover/clusters?saved=${code}`)
  expect(chosen.body.outlooks.map(({ cluster }) => cluster)).toEqual(['east'])
  const week = (await post({ kind: 'evidence', address: '/failover?gone=east', title: 'week' })).body as MadeLink
  expect((await get(`/api/v1/failover?cluster=east&days=7&saved=${week.code}`)).status).toBe(200)
})

test('evidence has the alerts that fire', async () => {
  const { code } = (await post({ kind: 'evidence', address: '/triage', title: 'x' })).body as MadeLink
  const { status, body } = await get<Alerts>(`/api/v1/alerts?saved=${code}`)
  expect(status).toBe(200)
  expect(body.sources.map(({ cluster }) => cluster)).toEqual(['east'])
})

test('evidence of a map that looks at a moment is of that moment', async () => {
  const at = seconds(new Date(Math.floor(Date.now() / 60_000 - 5) * 60_000).toISOString())
  const made = await post({ kind: 'evidence', address: `/map?sel=x&at=${at}`, title: 'x' })
  const { code } = made.body as MadeLink
  const link = (await get<SavedLink>(`/api/v1/links/${code}`)).body
  expect(Math.abs(Date.parse(link.snapshotAt ?? '') - Date.parse(at))).toBeLessThanOrEqual(5_000)
  const { searchParams } = new URL(link.address ?? '', 'http://page')
  expect(Object.fromEntries(searchParams)).toEqual({ sel: 'x', from: minus30Minutes(at), to: at })
  const wrong = await post({ kind: 'evidence', address: '/map?at=soon', title: 'x' })
  expect(wrong).toMatchObject({ status: 400 })
})

const seconds = (at: string) => at.replace('.000Z', 'Z')
const minus30Minutes = (at: string) => seconds(new Date(Date.parse(at) - 1_800_000).toISOString())

describe('what is not taken', () => {
  test.each([
    ['//evil.example.com/x', 400],
    ['/\\evil.example.com', 400],
    ['https://evil.example.com/', 400],
    ['javascript:alert(1)', 400],
    ['/fleet?q=a\nb', 400],
    [`/fleet?q=${'x'.repeat(8_001)}`, 400],
  ])('the address %s', async (address, status) => {
    expect((await post({ address })).status).toBe(status)
  })

  test('unknown fields, broken JSON, forms, other sites, other methods, large bodies', async () => {
    expect((await post({ address: '/fleet', evil: 1 })).status).toBe(400)
    expect((await post('{"address":')).status).toBe(400)
    expect((await post('address=/fleet', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415)
    const json = { 'content-type': 'application/json' }
    expect((await post({ address: '/fleet' }, { ...json, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await post({ address: '/fleet' }, { ...json, 'sec-fetch-site': 'same-origin' })).status).toBe(201)
    expect((await post({ address: '/fleet', title: 'x'.repeat(40_000) })).status).toBe(413)
    expect((await fetch(`${goldseam.url}/api/v1/links`)).status).toBe(405)
    expect((await post({ kind: 'evidence', address: '/fleet?from=garbage' })).status).toBe(400)
  })

  test.each(['nosuch1', '0', '..%2f..%2fetc%2fpasswd', 'x'.repeat(200)])('the code %s', async (code) => {
    const { status, body } = await get<Problem>(`/api/v1/links/${code}`)
    expect(status).toBe(404)
    expect(body.title).toBe('No such link')
  })
})

test('a preview says what is known and asks no cluster', async () => {
  await atRest(prometheus)
  const before = prometheus.asked.length
  const html = await page('/d/east/shop/%3Cimg%20src=x%3E')
  expect(html).toContain('<meta property="og:title" content="shop/&lt;img src=x&gt; (east) - Goldseam" />')
  expect(prometheus.asked.length).toBe(before)
})

test('the tools of the config', async () => {
  expect((await get<{ tools: unknown[] }>('/api/v1/tools')).body.tools).toEqual([
    {
      name: 'Grafana',
      url: 'https://grafana.example.com/d/x?ns={namespace}',
      for: 'workload',
      clusters: ['east'],
      workloads: [],
    },
  ])
})

test('where sign-in is needed, previews say nothing and nobody makes links without it', async () => {
  const config = `auth: { tokens: [{ name: ann, hash: 'sha256:${'a'.repeat(64)}' }] }`
  const closed = await startGoldseam(
    `clusters: [{ name: east, endpoints: [{ url: ${prometheus.url} }] }]\n${config}\nlog: { level: silent }\n`,
    folder,
  )
  try {
    const html = await (await fetch(`${closed.url}/d/east/shop/cart`, { headers: { accept: 'text/html' } })).text()
    expect(html).toContain('<title>G</title>')
    expect(html).not.toContain('og:')
    const headers = { 'content-type': 'application/json' }
    const made = await fetch(`${closed.url}/api/v1/links`, { method: 'POST', headers, body: '{"address":"/fleet"}' })
    expect(made.status).toBe(401)
    expect((await fetch(`${closed.url}/api/v1/links/ABCDEF`)).status).toBe(401)
  } finally {
    await closed.close()
  }
})
