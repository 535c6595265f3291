import { randomUUID } from 'node:crypto'
import { link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeptStore } from './kept-store.ts'

const ENDING = '.json'

/** What file systems without hard links say, such as SMB shares. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL']

/**
 * One file a key. Files are written beside and moved to their place, so that whoever reads while another process writes
 * (several servers may share the directory) sees a whole one.
 */
export function directoryStore(directory: string): KeptStore {
  const pathOf = (key: string) => join(directory, `${key}${ENDING}`)
  async function written(key: string, value: string): Promise<{ path: string; beside: string }> {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const path = pathOf(key)
    const beside = `${path}.${randomUUID()}.tmp`
    await writeFile(beside, value, { mode: 0o600 })
    return { path, beside }
  }
  const names = async () => ((await unlessMissing(readdir(directory))) ?? []).filter((name) => name.endsWith(ENDING))
  return {
    async get(key) {
      return (await unlessMissing(readFile(pathOf(key), 'utf8'))) ?? undefined
    },
    async set(key, value) {
      const { path, beside } = await written(key, value)
      await rename(beside, path)
    },
    async add(key, value) {
      const { path, beside } = await written(key, value)
      try {
        // Unlike a rename it never takes the place of what is there already.
        await link(beside, path)
        return true
      } catch (error) {
        const code = codeOf(error)
        if (code === 'EEXIST') return false
        if (!NO_LINKS.includes(code)) throw error
        if ((await unlessMissing(stat(path))) !== null) return false
        await rename(beside, path)
        return true
      } finally {
        await rm(beside, { force: true })
      }
    },
    async delete(key) {
      await rm(pathOf(key), { force: true })
    },
    holds: async (count) => (await names()).length >= count,
    keys: async (most) => (await names()).slice(0, most).map((name) => name.slice(0, -ENDING.length)),
    reset: () => undefined,
    close: async () => undefined,
  }
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? ''
}
