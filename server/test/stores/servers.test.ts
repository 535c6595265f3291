import { createClient } from '@redis/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ServerPlace } from '../../src/links/store-place.ts'
import { type Certificates, createCertificates } from '../support/certificates.ts'
import { startPostgres } from '../support/start-postgres.ts'
import { startRedis } from '../support/start-redis.ts'
import { holdServersAreHere, link, linksIn, openOne, stores } from './kept-in.ts'

const UNTRUSTED = /^the store of links shows a certificate that is not trusted here \([A-Z_]+\)$/

holdServersAreHere()

let certificates: Certificates
let caFile: { cert: string; certFile: string; keyFile: string }
let other: { cert: string }
let leaf: { certFile: string; keyFile: string }
beforeAll(() => {
  certificates = createCertificates()
  const ca = certificates.authority('stores')
  caFile = ca
  other = certificates.authority('other')
  leaf = ca.issue(['DNS:localhost'])
})
afterAll(() => certificates.remove())

/** Trusted, unknown and belonging to another name: the same for both servers. */
async function holdTls(kind: 'redis' | 'postgres', place: ServerPlace): Promise<void> {
  const attempt = async (change: Partial<ServerPlace>) => {
    const { store } = await openOne({ kind, ...place, ...change })
    try {
      await store.add('TLS', '1')
      return await store.get('TLS')
    } catch (error) {
      return String((error as Error).message)
    } finally {
      await store.close()
    }
  }
  expect(await attempt({ tls: { ca: async () => caFile.cert } })).toBe('1')
  expect(await attempt({ tls: { ca: async () => other.cert } })).toMatch(UNTRUSTED)
  expect(await attempt({ tls: { ca: null } })).toMatch(UNTRUSTED)
  expect(await attempt({ host: '127.0.0.1', tls: { ca: async () => caFile.cert } })).toMatch(UNTRUSTED)

  // The file is written anew under a running server.
  let trusted = other.cert
  const { store } = await openOne({ kind, ...place, tls: { ca: async () => trusted } })
  await expect(store.get('TLS')).rejects.toThrow(UNTRUSTED)
  trusted = caFile.cert
  expect(await store.get('TLS')).toBe('1')
  await store.close()
}

if (stores.redis !== null) {
  const programs = stores.redis
  describe('Redis', () => {
    let server: Awaited<ReturnType<typeof startRedis>>
    let place: ServerPlace
    beforeAll(async () => {
      server = await startRedis(programs, leaf)
      const { port, password } = server
      place = { host: 'localhost', port, database: '1', username: null, password: async () => password, tls: null }
    })
    afterAll(() => server.close())

    test('TLS with a CA of one’s own', async () => {
      await holdTls('redis', { ...place, port: server.tlsPort })
    })

    /** Somebody with all rights. */
    async function operator(database: number) {
      const client = createClient({ password: server.password, database, socket: { port: server.port } })
      client.on('error', () => undefined)
      return client.connect()
    }

    test('only our own keys count and are written, in the database of the URL', async () => {
      const client = await operator(1)
      await client.flushDb()
      await client.mSet(Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`other:${index}`, 'theirs'])))
      const { store } = await openOne({ kind: 'redis', ...place })
      const links = linksIn(store, { maxCount: 2 })
      const { code } = await links.make(link('/a'))
      await links.make(link('/b'))
      expect([await store.holds(2), await store.holds(3)]).toEqual([true, false])
      await expect(links.make(link('/c'))).rejects.toMatchObject({ reason: 'full' })
      expect((await client.keys('goldseam:*')).sort()).toContain(`goldseam:${code}`)
      expect(await client.dbSize()).toBe(3_002)
      expect(await client.ttl(`goldseam:${code}`)).toBe(-1)
      await client.del(`goldseam:${code}`)
      await expect(links.make(link('/c'))).resolves.toBeDefined()
      await store.close()
      await client.close()
    })

    test('a user of its own, who may do nothing else', async () => {
      const client = await operator(0)
      const rights = ['~goldseam:*', '+get', '+set', '+del', '+dbsize', '+scan', '+select']
      await client.sendCommand(['ACL', 'SETUSER', 'links', 'on', '>users-secret', ...rights])
      await client.sendCommand(['ACL', 'SETUSER', 'reader', 'on', '>users-secret', '~goldseam:*', '+get', '+select'])
      const access = { kind: 'redis', ...place, password: async () => 'users-secret' } as const
      const { store } = await openOne({ ...access, username: 'links' })
      const { code } = await linksIn(store, { maxCount: 1_000 }).make(link('/user'))
      await store.delete(code)
      await store.close()
      const { store: reading } = await openOne({ ...access, username: 'reader' })
      await expect(reading.set('ABC', '1')).rejects.toThrow(/does not let this user do what is needed$/)
      await reading.close()
      await client.close()
    })
  })
}

if (stores.postgres !== null) {
  const programs = stores.postgres
  describe('Postgres', () => {
    let server: Awaited<ReturnType<typeof startPostgres>>
    let place: ServerPlace
    beforeAll(async () => {
      server = await startPostgres(programs, leaf)
      const { port, password } = server
      const access = { username: 'goldseam', password: async () => password, tls: null }
      place = { host: 'localhost', port, database: 'postgres', ...access }
    })
    afterAll(() => server.close())

    test('TLS with a CA of one’s own', async () => {
      await holdTls('postgres', place)
    })

    test('several that find no table at the same moment make one, and lose nothing', async () => {
      const opened = await Promise.all(Array.from({ length: 6 }, () => openOne({ kind: 'postgres', ...place })))
      try {
        // Which of several errors the late ones get is a matter of microseconds: often enough for each.
        for (let round = 0; round < 20; round += 1) {
          await server.query('DROP TABLE IF EXISTS goldseam_links')
          const added = await Promise.all(opened.map(({ store }, index) => store.add(`K${index}`, String(index))))
          expect(added).toEqual(opened.map(() => true))
          expect(await server.query('SELECT count(*)::int AS rows FROM goldseam_links')).toEqual([{ rows: 6 }])
        }
      } finally {
        await Promise.all(opened.map(({ store }) => store.close()))
      }
    })

    test('a user who may make no table works with one that is there, and is told so otherwise', async () => {
      await server.query(`CREATE ROLE reader LOGIN PASSWORD 'users-secret'`)
      await server.query('CREATE TABLE IF NOT EXISTS goldseam_links (key text PRIMARY KEY, value text NOT NULL)')
      await server.query('GRANT SELECT, INSERT, UPDATE, DELETE ON goldseam_links TO reader')
      const access = { username: 'reader', password: async () => 'users-secret' }
      const { store } = await openOne({ kind: 'postgres', ...place, ...access })
      const { code } = await linksIn(store).make(link('/granted'))
      expect((await linksIn(store).find(code))?.address).toBe('/granted')
      await server.query('DROP TABLE goldseam_links')
      await expect(store.get(code)).rejects.toThrow(/does not let this user do what is needed$/)
      await store.close()
    })

    test('no more than four connections, however many ask', async () => {
      while ((await server.connections()) > 0) await new Promise((resolve) => setTimeout(resolve, 50))
      const { store } = await openOne({ kind: 'postgres', ...place })
      await Promise.all(Array.from({ length: 200 }, (_, index) => store.set(`MANY${index}`, '1')))
      expect(await server.connections()).toBeLessThanOrEqual(4)
      await store.close()
    })

    test.each([
      [{ database: 'nowhere' }, 'the store of links has no such database'],
      [{ tls: { ca: null }, host: '127.0.0.1' }, UNTRUSTED],
    ])('%j is told', async (change, message) => {
      const { store } = await openOne({ kind: 'postgres', ...place, ...change })
      await expect(store.get('ABC')).rejects.toThrow(message)
      await store.close()
    })
  })
}
