import type { KeptStore } from './kept-store.ts'

/** Where the config names no place: gone with the process. */
export function memoryStore(): KeptStore {
  const entries = new Map<string, string>()
  return {
    get: async (key) => entries.get(key),
    async set(key, value) {
      entries.set(key, value)
    },
    async add(key, value) {
      if (entries.has(key)) return false
      entries.set(key, value)
      return true
    },
    async delete(key) {
      entries.delete(key)
    },
    holds: async (count) => entries.size >= count,
    keys: async (most) => [...entries.keys()].slice(0, most),
    reset: () => undefined,
    close: async () => undefined,
  }
}
