import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseConfig } from '../src/config/config.ts'
import { answering, oneWorkload } from './support/fake-mesh.ts'
import { atRest, type FakePrometheus, startFakePrometheus } from './support/fake-prometheus.ts'
import { type StartedGoldseam, startGoldseam } from './support/start-goldseam.ts'

const PUBLIC = 'https://goldseam.example.com'
let folder: string
let prometheus: FakePrometheus
let goldseam: StartedGoldseam

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'goldseam-preview-'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><html><head><title>G</title></head><body></body></html>')
  writeFileSync(join(folder, 'preview.key'), 'a key that is long enough for anybody\n')
  prometheus = await startFakePrometheus(answering(oneWorkload('cart')))
  goldseam = await startGoldseam(configOf(`preview: { url: ${PUBLIC}, keyFile: ${folder}/preview.key }`), folder)
})
afterAll(async () => {
  await goldseam.close()
  await prometheus.close()
  rmSync(folder, { recursive: true, force: true })
})

const configOf = (links: string) => `clusters: [{ name: east, endpoints: [{ url: ${prometheus.url} }] }]
links: { ${links} }
log: { level: silent }
`
const imageIn = async (started: StartedGoldseam, path: string) => {
  const html = await (await fetch(started.url + path, { headers: { accept: 'text/html' } })).text()
  return /og:image" content="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')
}

test('a page names its picture, and whoever has the address gets it, from what is known already', async () => {
  await goldseam.get('/api/v1/fleet')
  await atRest(prometheus)
  const asked = prometheus.asked.length
  const address = (await imageIn(goldseam, '/d/east/shop/cart')) ?? ''
  expect(address).toMatch(/^https:\/\/goldseam\.example\.com\/preview\.png\?t=shop%2Fcart/)
  expect(new URL(address).searchParams.get('d')).toContain('All quiet')
  const response = await fetch(address.replace(PUBLIC, goldseam.url))
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(response.headers.get('cache-control')).toContain('immutable')
  const png = Buffer.from(await response.arrayBuffer())
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  // Width and height of the header; and words make a picture larger than an empty card.
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630])
  const empty = (await imageIn(goldseam, '/fleet?to=2026-01-01T00:00Z')) ?? ''
  const other = Buffer.from(await (await fetch(empty.replace(PUBLIC, goldseam.url))).arrayBuffer())
  expect(png.length).toBeGreaterThan(other.length)
  expect(prometheus.asked.length).toBe(asked)
})

test('words that were not signed here are not shown', async () => {
  const address = new URL(((await imageIn(goldseam, '/fleet')) ?? '').replace(PUBLIC, goldseam.url))
  address.searchParams.set('d', 'Everything is on fire')
  const refused = await fetch(address)
  expect(refused.status).toBe(403)
  expect(await refused.json()).toMatchObject({ title: 'Not allowed', status: 403 })
  expect((await fetch(`${goldseam.url}/preview.png`)).status).toBe(403)
})

test('nothing is shown where nothing is configured', async () => {
  const plain = await startGoldseam(configOf(''), folder)
  try {
    expect(await imageIn(plain, '/fleet')).toBeUndefined()
    expect((await fetch(`${plain.url}/preview.png?t=a&d=b&s=c`)).status).toBe(404)
  } finally {
    await plain.close()
  }
})

test.each([
  ['links: { preview: { url: "javascript:x", keyFile: k } }', "'javascript:x' is not how others reach this Goldseam"],
  ['links: { preview: { url: https://a.example.com } }', 'keyFile'],
  ['links: { unfurl: false, preview: { url: https://a.example.com, keyFile: k } }', 'with unfurl: false'],
  [
    `auth: { tokens: [{ name: a, hash: "sha256:${'a'.repeat(64)}" }] }\nlinks: { preview: { url: https://a.example.com, keyFile: k } }`,
    'where sign-in is needed',
  ],
])('%s is refused', (yaml, said) => {
  const parsed = parseConfig(
    `clusters: [{ name: east, endpoints: [{ url: http://a.example.com }] }]\n${yaml}\n`,
    'g.yaml',
  )
  expect('errors' in parsed && parsed.errors.map(({ path, message }) => `${path} ${message}`).join('\n')).toContain(
    said,
  )
})
