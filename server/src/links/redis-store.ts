import { isIP } from 'node:net'
import { createClient } from '@redis/client'
import type { KeptStore } from './kept-store.ts'
import type { ServerPlace } from './store-place.ts'

/** Of each key: others may use the same database. */
const PREFIX = 'goldseam:'
const CONNECT_TIMEOUT_MS = 2_000
/** Far above what 60 links a minute and the walls ask; a queue without an end would be memory without one. */
const MOST_WAITING = 1_000
/** Keys looked at by one SCAN: some milliseconds of the server's time. */
const SCAN_STEP = 5_000

type Client = ReturnType<typeof newClient>

/**
 * One key an entry in Redis, over one connection, which is made when it is first needed and again after it broke. It
 * does not reconnect by itself: who asks while Redis is away is told so, and nothing queues up for its return.
 */
export function redisStore(place: ServerPlace): KeptStore {
  let current: { readonly client: Client; readonly ready: Promise<unknown> } | null = null
  let closed = false

  function forget(client: Client): void {
    if (current?.client === client) current = null
    if (client.isOpen) client.destroy()
  }

  function connect(ca: string | null) {
    if (closed) throw new Error('the store is closed')
    const client = newClient(place, ca)
    // Without a listener the process would end when a connection breaks. Who waits for an answer is told by its promise.
    client.on('error', () => forget(client))
    const ready = client.connect()
    ready.catch(() => forget(client))
    current = { client, ready }
    return current
  }

  async function connected(): Promise<Client> {
    // Read before it is looked whether there is a connection, so that all who ask at once share one.
    const ca = (await place.tls?.ca?.()) ?? null
    const { client, ready } = current ?? connect(ca)
    await ready
    return client
  }

  return {
    async get(key) {
      return (await (await connected()).get(PREFIX + key)) ?? undefined
    },
    async set(key, value) {
      await (await connected()).set(PREFIX + key, value)
    },
    async add(key, value) {
      return (await (await connected()).set(PREFIX + key, value, { condition: 'NX' })) !== null
    },
    async delete(key) {
      await (await connected()).del(PREFIX + key)
    },
    async holds(count) {
      const client = await connected()
      // All keys of the database together are known at once, and mostly they are too few already.
      return (await client.dbSize()) >= count && (await ours(client, count)).size >= count
    },
    async keys(most) {
      return [...(await ours(await connected(), most))].slice(0, most).map((key) => key.slice(PREFIX.length))
    },
    reset() {
      if (current !== null) forget(current.client)
    },
    async close() {
      closed = true
      if (current !== null) forget(current.client)
    },
  }
}

function newClient({ host, port, database, username, password, tls }: ServerPlace, ca: string | null) {
  return createClient({
    database: Number(database),
    // Asked at each connection, so that a password that was changed in its file is taken.
    credentialsProvider: {
      type: 'async-credentials-provider',
      credentials: async () => ({
        ...(username === null ? {} : { username }),
        ...(password === null ? {} : { password: await password() }),
      }),
    },
    disableOfflineQueue: true,
    commandsQueueMaxLength: MOST_WAITING,
    socket: {
      host,
      port: port ?? 6_379,
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectStrategy: false,
      ...(tls === null
        ? {}
        : { tls: true, ...(isIP(host) === 0 ? { servername: host } : {}), ...(ca === null ? {} : { ca }) }),
    },
  })
}

/** Keys that are ours, about `most` of them. SCAN may name one twice while the server grows its table. */
async function ours(client: Client, most: number): Promise<ReadonlySet<string>> {
  const seen = new Set<string>()
  for await (const keys of client.scanIterator({ MATCH: `${PREFIX}*`, COUNT: SCAN_STEP })) {
    for (const key of keys) seen.add(key)
    if (seen.size >= most) break
  }
  return seen
}
