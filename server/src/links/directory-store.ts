import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeyvStoreAdapter } from 'keyv'

/** Keys become file names: nothing else than what codes are made of may reach the disk. */
const KEY = /^[0-9A-Z]{1,32}$/

/**
 * A Keyv store of one file a key. Files are written beside and renamed, so that whoever reads while another process
 * writes (several servers may share the directory) sees a whole one.
 */
export function directoryStore(directory: string): KeyvStoreAdapter & { count(): Promise<number> } {
  const pathOf = (key: string) => {
    if (!KEY.test(key)) throw new Error('a key of the link store is made of digits and capital letters')
    return join(directory, `${key}.json`)
  }
  return {
    opts: {},
    on() {
      return this
    },
    async get<Value>(key: string) {
      try {
        return (await readFile(pathOf(key), 'utf8')) as Value
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    async set(key: string, value: unknown) {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const path = pathOf(key)
      const beside = `${path}.${randomUUID()}.tmp`
      await writeFile(beside, String(value), { mode: 0o600 })
      await rename(beside, path)
      return true
    },
    async delete(key: string) {
      await rm(pathOf(key), { force: true })
      return true
    },
    async clear() {
      for (const name of await filesIn(directory)) await rm(join(directory, name), { force: true })
    },
    async count() {
      return (await filesIn(directory)).length
    },
  }
}

async function filesIn(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).filter((name) => name.endsWith('.json'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
