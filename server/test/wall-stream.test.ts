import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { WallFrame } from '../src/contract/index.ts'
import { createBuildId } from '../src/http/build-id.ts'
import { answering, oneWorkload } from './support/fake-mesh.ts'
import { type FakePrometheus, startFakePrometheus } from './support/fake-prometheus.ts'
import { startGoldseam } from './support/start-goldseam.ts'
import { framesOf } from './support/wall-frames.ts'

/** How a snapshot asks what arrives at workloads. */
const INBOUND = 'rate(response_total{direction="inbound"'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function prometheus(name: string): Promise<FakePrometheus> {
  const fake = await startFakePrometheus(answering(oneWorkload(name)))
  closing.push(fake.close)
  return fake
}

async function twoClusters() {
  const [east, west] = [await prometheus('cart'), await prometheus('pay')]
  const clusters = [east, west].map(
    ({ url }, index) => `{ name: ${index === 0 ? 'east' : 'west'}, endpoints: [{ url: ${url} }] }`,
  )
  const goldseam = await startGoldseam(
    `log: { level: silent }\nrefresh: 1s\nlimits: { queryTimeout: 1s, softDeadline: 1s, lastGoodFor: 2s }\nclusters: [${clusters.join(', ')}]\n`,
  )
  closing.push(goldseam.close)
  return { goldseam, east, west }
}

async function open(url: string, path: string): Promise<{ response: Response; frames: AsyncGenerator<WallFrame> }> {
  const leaving = new AbortController()
  closing.push(() => leaving.abort())
  const response = await fetch(`${url}${path}`, { signal: leaving.signal })
  return { response, frames: framesOf(response) }
}

async function next(frames: AsyncGenerator<WallFrame>): Promise<WallFrame> {
  const { value, done } = await frames.next()
  if (done) throw new Error('the stream ended')
  return value
}

test('one stream brings each snapshot, every workload in a fixed order, and the build', async () => {
  const { goldseam } = await twoClusters()
  const { response, frames } = await open(goldseam.url, '/api/v1/wall/stream')
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(response.headers.get('x-accel-buffering')).toBe('no')
  // On a busy machine a cluster may be late for the first one.
  const first = await until(frames, ({ hero }) => hero.form === 'quiet')
  const names = first.clusters.map(({ name, names: cells, marks }) => [name, cells, marks])
  expect(names).toEqual([
    ['east', ['shop/cart'], ['ok']],
    ['west', ['shop/pay'], ['ok']],
  ])
  expect(first.build).toBe('test')
  const second = await next(frames)
  expect(Date.parse(second.sentAt)).toBeGreaterThan(Date.parse(first.sentAt))
})

test('walls of two scopes share the snapshots; each shows its own part', async () => {
  const { goldseam, east } = await twoClusters()
  const walls = await Promise.all([
    open(goldseam.url, '/api/v1/wall/stream?c=east'),
    open(goldseam.url, '/api/v1/wall/stream?c=west'),
  ])
  const [onEast, onWest] = await Promise.all(
    walls.map(({ frames }) => until(frames, ({ hero }) => hero.form === 'quiet')),
  )
  expect(onEast?.clusters.map(({ name }) => name)).toEqual(['east'])
  expect(onWest?.clusters.map(({ name }) => name)).toEqual(['west'])
  const [asked, beganMs] = [east.asked.length, Date.now()]
  const more = await Promise.all(Array.from({ length: 8 }, () => open(goldseam.url, '/api/v1/wall/stream?c=east')))
  await Promise.all(more.map(({ frames }) => next(frames)))
  // They got what the first wall of their scope had; of all questions one that each snapshot asks once, each second.
  const snapshots = east.asked
    .slice(asked)
    .filter(({ path, fields }) => path.endsWith('/query') && fields.get('query')?.includes(INBOUND))
  expect(snapshots.length).toBeLessThanOrEqual(2 + (Date.now() - beganMs) / 1_000)
})

test('a cluster that stops answering is named; when none answers the wall is blind', async () => {
  const { goldseam, east, west } = await twoClusters()
  const { frames } = await open(goldseam.url, '/api/v1/wall/stream')
  await until(frames, ({ hero }) => hero.form === 'quiet')
  west.answer((_asked, response) => void response.writeHead(500).end())
  const partial = await until(frames, ({ hero }) => hero.form === 'partial')
  expect(partial.hero.text).toMatch(/^west (has not answered|does not answer)/)
  const [, band] = partial.clusters
  expect(band?.names).toEqual(['shop/pay'])
  expect(['stale', 'none']).toContain(band?.marks[0])
  east.answer((_asked, response) => void response.writeHead(500).end())
  const blind = await until(frames, ({ hero }) => hero.form === 'blind')
  expect(blind.hero.text).toMatch(
    /east (has not answered for|does not answer).*west (has not answered for|does not answer)/,
  )
})

async function until(frames: AsyncGenerator<WallFrame>, wanted: (frame: WallFrame) => boolean): Promise<WallFrame> {
  for (;;) {
    const frame = await next(frames)
    if (wanted(frame)) return frame
  }
}

test('an unknown cluster in the address is said in words', async () => {
  const { goldseam } = await twoClusters()
  const { status, body } = await goldseam.get('/api/v1/wall/stream?c=wst')
  expect(status).toBe(400)
  expect(body).toMatchObject({
    errors: [{ detail: expect.stringContaining('cluster wst is not configured here (known: east, west)') }],
  })
})

test('the build changes with the page that is served, also under a running server', () => {
  const directory = mkdtempSync(join(tmpdir(), 'goldseam-build-'))
  closing.push(() => rmSync(directory, { recursive: true }))
  let now = 0
  const build = createBuildId('1.0.0', directory, () => now)
  expect(build()).toBe('1.0.0')
  for (const page of ['index.html', 'wall.html', 'wall-app.html']) writeFileSync(join(directory, page), 'one')
  now += 5_000
  const one = build()
  expect(one).toMatch(/^1\.0\.0-[0-9a-f]{8}$/)
  writeFileSync(join(directory, 'wall-app.html'), 'another one')
  expect(build()).toBe(one)
  now += 5_000
  expect(build()).toMatch(/^1\.0\.0-[0-9a-f]{8}$/)
  expect(build()).not.toBe(one)
  const another = build()
  writeFileSync(join(directory, 'wall-app.html'), 'one after the clock was set back')
  now -= 3_600_000
  expect(build()).not.toBe(another)
})
