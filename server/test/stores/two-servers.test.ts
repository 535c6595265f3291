import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fleet, MadeLink, Problem, SavedLink } from '../../src/contract/index.ts'
import { answering, oneWorkload } from '../support/fake-mesh.ts'
import { type FakePrometheus, startFakePrometheus } from '../support/fake-prometheus.ts'
import { type SpawnedGoldseam, spawnGoldseam } from '../support/spawn-goldseam.ts'
import type { StoreServer } from '../support/store-server.ts'
import { framesOf } from '../support/wall-frames.ts'
import { holdServersAreHere, type Kept, SERVERS } from './kept-in.ts'

/** The promise is two seconds; a machine that is busy with other tests may take its time. */
const LATEST_MS = 20_000
const JSON_BODY = { 'content-type': 'application/json' }

holdServersAreHere()

describe.each([...SERVERS])('two Goldseams, built, in processes of their own, on one %s', (_name, keep) => {
  let folder: string
  let prometheus: FakePrometheus
  let kept: Kept
  let store: StoreServer
  let servers: SpawnedGoldseam[]

  const config = () => `clusters: [{ name: east, endpoints: [{ url: ${prometheus.url} }], dialects: [linkerd] }]
refresh: 1s
links: { store: '${store.url}', storePasswordFile: ${folder}/password }
`
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'goldseam-two-'))
    prometheus = await startFakePrometheus(answering(oneWorkload('cart')))
    kept = await keep()
    if (kept.server === null) throw new Error('a server is tested here')
    store = kept.server
    writeFileSync(join(folder, 'password'), `${store.password}\n`)
    // Neither needs the store to start.
    await store.kill()
    servers = await Promise.all([spawnGoldseam(config()), spawnGoldseam(config())])
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()))
    await prometheus.close()
    await kept.close()
    rmSync(folder, { recursive: true })
  })

  const at = (index: number) => {
    const server = servers[index]
    if (server === undefined) throw new Error(`no server ${index}`)
    return server
  }
  async function post(index: number, body: object): Promise<{ status: number; body: MadeLink & Problem }> {
    const url = `${at(index).url}/api/v1/links`
    const response = await fetch(url, { method: 'POST', headers: JSON_BODY, body: JSON.stringify(body) })
    return { status: response.status, body: (await response.json()) as MadeLink & Problem }
  }
  async function get<T>(index: number, path: string): Promise<{ status: number; body: T }> {
    return at(index).get(path)
  }
  /** Until a link opens there; anything else than "away" in between is a failure. */
  async function opened(index: number, code: string): Promise<SavedLink> {
    for (;;) {
      const { status, body } = await get<SavedLink>(index, `/api/v1/links/${code}`)
      if (status === 200) return body
      expect(status).toBe(503)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  /** What everybody is told who needs the store, and that nothing else is touched. */
  async function expectAway(code: string): Promise<void> {
    for (const index of [0, 1]) {
      const startedAt = performance.now()
      const answers = await Promise.all([
        get<Problem>(index, `/api/v1/links/${code}`),
        post(index, { address: `/fleet?away=${index}`, title: 'x' }),
        post(index, { kind: 'evidence', address: '/d/east/shop/cart', title: 'x' }),
        get<Problem>(index, `/api/v1/fleet?saved=${code}`),
      ])
      expect(performance.now() - startedAt).toBeLessThan(LATEST_MS)
      for (const { status, body } of answers) {
        expect([status, body.type]).toEqual([503, '/problems/store-away'])
        expect(body.detail).toMatch(/^the store of links [a-z0-9 ]+; try again in a moment$/)
      }
      expect((await fetch(`${at(index).url}/readyz`)).status).toBe(200)
      expect((await fetch(`${at(index).url}/healthz`)).status).toBe(200)
      const fleet = await get<Fleet>(index, '/api/v1/fleet')
      expect([fleet.status, fleet.body.clusters[0]?.state]).toEqual([200, 'ok'])
    }
  }

  test('they start without it, and say so', async () => {
    await expectAway('ABCDEF')
    expect((await get(0, '/api/v1/wall/note')).status).toBe(503)
    await store.start()
  })

  test('what one makes opens at the other: links, evidence and the note on the walls', async () => {
    while ((await get(0, '/api/v1/links/ABCDEF')).status !== 404)
      await new Promise((resolve) => setTimeout(resolve, 50))
    const made = await post(0, { address: '/d/east/shop/cart?from=now-1h', title: 'cart' })
    expect([made.status, made.body.durable]).toEqual([201, true])
    const there = await get<SavedLink>(1, `/api/v1/links/${made.body.code}`)
    expect(there.body).toMatchObject({ address: '/d/east/shop/cart?from=now-1h', title: 'cart', state: 'kept' })
    const again = await post(1, { address: '/d/east/shop/cart?from=now-1h', title: 'other' })
    expect(again.body.code).toBe(made.body.code)

    const evidence = await post(1, { kind: 'evidence', address: '/d/east/shop/cart', title: 'cart' })
    const fleet = await get<Fleet>(0, `/api/v1/fleet?saved=${evidence.body.code}`)
    expect(fleet.body.workloads.map(({ id }) => id)).toEqual(['east/shop/cart'])

    const note = JSON.stringify({ by: 'ann', text: 'rolling back', minutes: 5 })
    await fetch(`${at(0).url}/api/v1/wall/note`, { method: 'PUT', headers: JSON_BODY, body: note })
    expect((await get<{ note: object }>(1, '/api/v1/wall/note')).body.note).toMatchObject({ text: 'rolling back' })
  })

  test('restarted under them, they go on with what was made', async () => {
    const made = await post(0, { address: '/fleet?before', title: 'x' })
    await store.kill()
    await expectAway(made.body.code)
    await store.start()
    for (const index of [0, 1]) expect((await opened(index, made.body.code)).address).toBe('/fleet?before')
    expect((await post(1, { address: '/fleet?after', title: 'x' })).status).toBe(201)
  })

  test('while it hangs, walls go on and keep their note', async () => {
    const made = await post(0, { address: '/fleet?hanging', title: 'x' })
    const leaving = new AbortController()
    const wall = framesOf(await fetch(`${at(1).url}/api/v1/wall/stream`, { signal: leaving.signal }))
    let { value } = await wall.next()
    while (value?.note?.text !== 'rolling back') value = (await wall.next()).value
    store.pause()
    try {
      await expectAway(made.body.code)
      const pictures = new Set<string>()
      while (pictures.size < 3) {
        const frame = (await wall.next()).value
        expect(frame?.note?.text).toBe('rolling back')
        pictures.add(frame?.snapshot.at ?? '')
      }
    } finally {
      store.resume()
      leaving.abort()
    }
    expect((await opened(1, made.body.code)).address).toBe('/fleet?hanging')
  })

  test('a password that is wrong says so, and is told to nobody', async () => {
    const file = join(folder, 'wrong')
    writeFileSync(file, 'wrong-secret\n')
    const wrong = await spawnGoldseam(config().replace(`${folder}/password`, file))
    try {
      const { status, body } = (await wrong.get('/api/v1/links/ABCDEF')) as { status: number; body: Problem }
      expect(status).toBe(503)
      expect(body.detail).toContain('refuses the user or the password (links.storePasswordFile)')
      const everything = JSON.stringify([wrong.logged, wrong.said, body])
      expect(everything).toContain('refuses the user or the password')
      expect(everything).not.toMatch(new RegExp(`wrong-secret|redis://|postgres://|\\b${store.port}\\b`))
    } finally {
      await wrong.close()
    }
  })

  test('little was logged, and nothing of where the store is and what opens it; asked to stop, they end well', async () => {
    for (const server of servers) {
      expect(await server.stop()).toBe(0)
      const lines = server.logged.filter(({ msg }) => /store|request failed/.test(String(msg)))
      const causes = new Set(lines.map(({ msg, why }) => `${msg} ${why}`))
      expect(causes.size).toBeGreaterThan(1)
      // Each cause at most once a minute: this took less than four.
      for (const cause of causes)
        expect(lines.filter(({ msg, why }) => `${msg} ${why}` === cause).length).toBeLessThan(5)
      const everything = JSON.stringify([server.logged, server.said])
      expect(everything).not.toMatch(new RegExp(`-secret|redis://|postgres://|\\b${store.port}\\b`))
    }
    while ((await store.connections()) > 0) await new Promise((resolve) => setTimeout(resolve, 50))
  })
})
