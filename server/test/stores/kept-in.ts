import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { KeptStore } from '../../src/links/kept-store.ts'
import { createLinkStore, type LinkStore } from '../../src/links/link-store.ts'
import { openStore } from '../../src/links/open-store.ts'
import type { StorePlace } from '../../src/links/store-place.ts'
import { enginesExpected } from '../engines/find-engines.ts'
import { findStores } from '../support/find-stores.ts'
import { startPostgres } from '../support/start-postgres.ts'
import { startRedis } from '../support/start-redis.ts'
import type { StoreServer } from '../support/store-server.ts'

export const stores = findStores(process.env)

/** Somewhere that several Goldseams may keep their links. */
export interface Kept {
  readonly place: StorePlace
  /** The server, where there is one. */
  readonly server: StoreServer | null
  close(): Promise<void>
}

/** Each kind that can be had here, by what it is called in a test's name. */
export const KINDS: readonly (readonly [string, () => Promise<Kept>])[] = [
  ['a directory', inDirectory],
  ...(stores.redis === null ? [] : [['Redis', inRedis] as const]),
  ...(stores.postgres === null ? [] : [['Postgres', inPostgres] as const]),
]

export const SERVERS = KINDS.slice(1)

/** What cannot be tested here. */
export const MISSING = [stores.redis === null ? 'Redis' : '', stores.postgres === null ? 'Postgres' : ''].filter(
  Boolean,
)

/** In each file: not skipped but not there, as a skipped test is a failure on CI, and not every machine has these. */
export function holdServersAreHere(): void {
  test('Redis and Postgres are here where they are expected', () => {
    expect(enginesExpected(process.env) ? MISSING : []).toEqual([])
  })
}

async function inDirectory(): Promise<Kept> {
  const directory = mkdtempSync(join(tmpdir(), 'goldseam-links-'))
  return {
    place: { kind: 'directory', directory },
    server: null,
    close: async () => rmSync(directory, { recursive: true, force: true }),
  }
}

async function inRedis(): Promise<Kept> {
  if (stores.redis === null) throw new Error('no Redis')
  const server = await startRedis(stores.redis)
  const { port, password } = server
  const access = { username: null, password: async () => password, tls: null }
  return {
    place: { kind: 'redis', host: '127.0.0.1', port, database: '1', ...access },
    server,
    close: () => server.close(),
  }
}

async function inPostgres(): Promise<Kept> {
  if (stores.postgres === null) throw new Error('no Postgres')
  const server = await startPostgres(stores.postgres)
  const { port, password } = server
  const access = { username: 'goldseam', password: async () => password, tls: null }
  return {
    place: { kind: 'postgres', host: '127.0.0.1', port, database: 'postgres', ...access },
    server,
    close: () => server.close(),
  }
}

/** One Goldseam's view of a store: what it logged about it is in `troubles`, null where it was well. */
export async function openOne(place: StorePlace): Promise<{ store: KeptStore; troubles: (string | null)[] }> {
  const troubles: (string | null)[] = []
  return { store: await openStore(place, (why) => troubles.push(why)), troubles }
}

export function linksIn(store: KeptStore, change: Partial<Parameters<typeof createLinkStore>[0]> = {}): LinkStore {
  const limits = { maxCount: 100, maxBytes: 10_000, keepForSeconds: null }
  return createLinkStore({ store, durable: true, ...limits, clock: () => 1_000_000, ...change })
}

export const link = (address: string) => ({
  kind: 'link' as const,
  address,
  title: 'cart',
  snapshotAtSeconds: null,
  verdict: null,
  answers: null,
})

export const evidence = (answers: Record<string, object>) => ({
  ...link('/triage'),
  kind: 'evidence' as const,
  snapshotAtSeconds: 999_000,
  verdict: 'cart is slow',
  answers,
})
