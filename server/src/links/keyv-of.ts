import { Keyv } from 'keyv'
import type { KeptStore } from './kept-store.ts'

/** Values over a store of texts, written as Keyv writes them. Failures are thrown, never taken for "there is none". */
export function keyvOf(store: KeptStore): Keyv {
  const adapter = {
    opts: {},
    on() {
      return adapter
    },
    get: async <Value>(key: string) => (await store.get(key)) as Value | undefined,
    set: (key: string, value: unknown) => store.set(key, String(value)),
    async delete(key: string) {
      await store.delete(key)
      return true
    },
    clear: () => Promise.reject(new Error('links are deleted one by one')),
  }
  const keyv = new Keyv({ store: adapter, useKeyPrefix: false, throwOnErrors: true })
  keyv.on('error', () => undefined)
  return keyv
}

/** As `keyv.set`, but only where the key is free; false where somebody was first. */
export async function addTo(keyv: Keyv, store: KeptStore, key: string, value: object): Promise<boolean> {
  return store.add(key, String(await keyv.serializeData({ value, expires: undefined })))
}
