import { createServer, type Server, type Socket } from 'node:net'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { StoreAway } from '../../src/links/guarded-store.ts'
import type { KeptStore } from '../../src/links/kept-store.ts'
import type { StorePlace } from '../../src/links/store-place.ts'
import { holdServersAreHere, type Kept, link, linksIn, openOne, SERVERS } from './kept-in.ts'

/** The promise is two seconds; a machine that is busy with other tests may take its time. */
const LATEST_MS = 20_000

/** Asks until the store answers; the test's own time limit ends it. */
async function recovered<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof StoreAway)) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

/** Why it failed; a store that answers where it should not is told by what it answered. */
async function failure(ask: () => Promise<unknown>): Promise<StoreAway> {
  const startedAt = performance.now()
  const answer = await ask().catch((error: unknown) => error)
  expect(answer).toBeInstanceOf(StoreAway)
  expect(performance.now() - startedAt).toBeLessThan(LATEST_MS)
  return answer as StoreAway
}

type Served = Extract<StorePlace, { kind: 'redis' | 'postgres' }>

holdServersAreHere()

describe.each([...SERVERS])('%s that fails', (_name, keep) => {
  let kept: Kept
  let place: Served
  beforeAll(async () => {
    kept = await keep()
    place = kept.place as Served
  })
  afterAll(() => kept.close())
  const server = () => {
    if (kept.server === null) throw new Error('a server is tested here')
    return kept.server
  }
  /** What no sentence and no error may hold: where the store is, and what opens it. */
  const telling = () => new RegExp(String.raw`127\.0\.0\.1|nowhere|\b${server().port}\b|-secret`)
  async function using(
    change: Partial<Served>,
    work: (store: KeptStore, troubles: (string | null)[]) => Promise<void>,
  ) {
    const { store, troubles } = await openOne({ ...place, ...change })
    try {
      await work(store, troubles)
    } finally {
      await store.close()
    }
    for (const why of troubles) expect(why ?? '').not.toMatch(telling())
  }

  test('away at the start: said at once, and used when it comes', async () => {
    await server().kill()
    await using({}, async (store, troubles) => {
      const links = linksIn(store)
      const { message } = await failure(() => links.find('ABCDEF'))
      expect(message).toBe('the store of links refuses connections')
      await failure(() => links.make(link('/away')))
      expect(troubles).not.toContain(null)
      await server().start()
      const { code } = await recovered(() => links.make(link('/away')))
      expect((await links.find(code))?.address).toBe('/away')
      expect(troubles.at(-1)).toBeNull()
    })
  })

  test('killed and restarted under two Goldseams: never "no such link", and what was made is there again', async () => {
    await using({}, (mine) =>
      using({}, async (theirs) => {
        const { code } = await linksIn(mine).make(link('/kept'))
        expect(await linksIn(theirs).find(code)).not.toBeNull()
        await server().kill()
        for (const store of [mine, theirs, mine, theirs]) {
          const { why } = await failure(() => linksIn(store).find(code))
          // The last one: where this process itself was kept from running for so long.
          expect([
            'broke the connection',
            'refuses connections',
            'is starting or stopping',
            'does not answer within 2 seconds',
          ]).toContain(why)
        }
        await server().start()
        for (const store of [mine, theirs])
          expect((await recovered(() => linksIn(store).find(code)))?.address).toBe('/kept')
      }),
    )
  })

  test('a killed store is noticed without being asked, by no more than a new connection', async () => {
    await using({}, async (store) => {
      const { code } = await linksIn(store).make(link('/idle'))
      await server().kill()
      await server().start()
      expect((await recovered(() => linksIn(store).find(code)))?.address).toBe('/idle')
    })
  })

  test('hanging: everybody is answered in time, and well when it goes on', async () => {
    await using({}, async (store, troubles) => {
      const links = linksIn(store)
      const { code } = await links.make(link('/hanging'))
      server().pause()
      try {
        await Promise.all(Array.from({ length: 30 }, () => failure(() => links.find(code))))
        await failure(() => links.make(link('/meanwhile')))
        expect(troubles.at(-1)).toMatch(/does not answer within 2 seconds|cannot be reached/)
      } finally {
        server().resume()
      }
      expect((await recovered(() => links.find(code)))?.address).toBe('/hanging')
    })
  })

  test('a password that is wrong is said, told nowhere, and taken when its file is mended', async () => {
    let password = 'wrong-secret'
    await using({ password: async () => password }, async (store) => {
      const error = await failure(() => store.get('ABCDEF'))
      expect(error.why).toBe('refuses the user or the password (links.storePasswordFile)')
      expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(telling())
      password = server().password
      expect(await recovered(() => store.get('ABCDEF'))).toBeUndefined()
    })
  })

  test('a password that is missing, or whose file is gone, is said', async () => {
    await using({ password: null }, async (store) => {
      expect((await failure(() => store.get('ABCDEF'))).why).toMatch(/password.*\(links\.storePasswordFile\)$/)
    })
    const gone = async () => {
      throw new Error('secret file /etc/secret cannot be read: there is no such file')
    }
    await using({ password: gone }, async (store) => {
      expect((await failure(() => store.get('ABCDEF'))).why).toBe(
        'wants a password whose file cannot be read (links.storePasswordFile)',
      )
    })
  })

  test('a name that nobody knows', async () => {
    await using({ host: 'nowhere.invalid' }, async (store) => {
      // Where there is no resolver either, the name cannot even be looked up.
      expect((await failure(() => store.get('ABCDEF'))).why).toMatch(
        /^has a name that|cannot be reached|does not answer/,
      )
    })
  })

  test.each([
    ['says nothing', (_socket: Socket) => undefined],
    ['hangs up', (socket: Socket) => void socket.destroy()],
    ['is something else', (socket: Socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ])('a port behind which somebody %s', async (_what, behave) => {
    const sockets = new Set<Socket>()
    const other: Server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      behave(socket)
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as { port: number }
    try {
      await using({ port }, async (store) => {
        await failure(() => store.get('ABCDEF'))
        await failure(() => store.add('ABCDEF', '{}'))
      })
    } finally {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => other.close(resolve))
    }
  })

  test('closed, it lets go of its connections and makes no others', async () => {
    const { store } = await openOne(place)
    await store.get('ABCDEF')
    expect(await server().connections()).toBe(1)
    await store.close()
    while ((await server().connections()) > 0) await new Promise((resolve) => setTimeout(resolve, 50))
    await failure(() => store.get('ABCDEF'))
    expect(await server().connections()).toBe(0)
    await store.close()
  })
})
