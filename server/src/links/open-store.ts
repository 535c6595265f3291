import { directoryStore } from './directory-store.ts'
import { guardedStore, type NoteTrouble } from './guarded-store.ts'
import type { KeptStore } from './kept-store.ts'
import { memoryStore } from './memory-store.ts'
import type { StorePlace } from './store-place.ts'

/** Several Goldseams may share a directory or a server. Nothing is connected to before it is needed. */
export async function openStore(place: StorePlace, note: NoteTrouble): Promise<KeptStore> {
  return guardedStore(await storeAt(place), note)
}

/** Drivers are loaded where they are configured, so that others do not pay for them. */
async function storeAt(place: StorePlace): Promise<KeptStore> {
  switch (place.kind) {
    case 'memory':
      return memoryStore()
    case 'directory':
      return directoryStore(place.directory)
    case 'redis':
      return (await import('./redis-store.ts')).redisStore(place)
    case 'postgres':
      return (await import('./postgres-store.ts')).postgresStore(place)
    default:
      return place satisfies never
  }
}
