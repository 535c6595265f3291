import { Keyv } from 'keyv'
import { directoryStore } from './directory-store.ts'
import { createLinkStore, type LinkStore } from './link-store.ts'

interface OpenOptions {
  /** Null: in memory. */
  readonly directory: string | null
  readonly maxCount: number
  readonly maxBytes: number
  readonly keepForSeconds: number | null
  /** Unix seconds. */
  readonly clock: () => number
}

/** The store that the config chose. Several servers may share a directory. */
export function openLinkStore({ directory, ...options }: OpenOptions): LinkStore {
  const memory = new Map<string, unknown>()
  const store = directory === null ? memory : directoryStore(directory)
  // A store that does not answer is the request's failure, not a link that does not exist.
  const keyv = new Keyv({ store, useKeyPrefix: false, throwOnErrors: true })
  keyv.on('error', () => undefined)
  const count = store instanceof Map ? async () => store.size : () => store.count()
  return createLinkStore({ ...options, keyv, count, durable: directory !== null })
}
