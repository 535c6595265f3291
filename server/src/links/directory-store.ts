import { randomUUID } from 'node:crypto'
import { link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeptStore } from './kept-store.ts'

const ENDING = '.json'
/** Made of what keys are made of: all else in the directory is nobody's link. */
const NAME = /^[0-9A-Z]{1,32}\.json$/

/** A file that was to be moved to its place. */
const CUT_OFF = /^[0-9A-Z]{1,32}\.json\.[0-9a-f-]{36}\.tmp$/
/** Nobody writes for so long. */
const CUT_OFF_AFTER_MS = 3_600_000

/** What file systems without hard links say, such as SMB shares. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL']

/**
 * One file a key. Files are written beside and moved to their place, so that whoever reads while another process writes
 * (several servers may share the directory) sees a whole one.
 */
export function directoryStore(directory: string): KeptStore {
  const pathOf = (key: string) => join(directory, `${key}${ENDING}`)
  /** Gives `place` a file with the value to put in its place, and leaves nothing of it behind, also on a full disk. */
  async function writing<T>(key: string, value: string, place: (beside: string, path: string) => Promise<T>) {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    // What cannot be removed stands in nobody's way.
    await sweep().catch(() => undefined)
    const path = pathOf(key)
    const beside = `${path}.${randomUUID()}.tmp`
    try {
      await writeFile(beside, value, { mode: 0o600 })
      return await place(beside, path)
    } finally {
      // A failure to remove would hide the reason of the one before.
      await rm(beside, { force: true }).catch(() => undefined)
    }
  }
  let sweptAtMs = Number.NEGATIVE_INFINITY
  /** Takes away what processes that were ended while they wrote have left. */
  async function sweep(): Promise<void> {
    const nowMs = Date.now()
    if (Math.abs(nowMs - sweptAtMs) < CUT_OFF_AFTER_MS) return
    sweptAtMs = nowMs
    for (const name of await readdir(directory)) {
      if (!CUT_OFF.test(name)) continue
      const path = join(directory, name)
      const found = await unlessMissing(stat(path))
      if (found !== null && nowMs - found.mtimeMs > CUT_OFF_AFTER_MS) await rm(path, { force: true })
    }
  }
  const names = async () => ((await unlessMissing(readdir(directory))) ?? []).filter((name) => NAME.test(name))
  return {
    async get(key) {
      return (await unlessMissing(readFile(pathOf(key), 'utf8'))) ?? undefined
    },
    set: (key, value) => writing(key, value, rename),
    add: (key, value) =>
      writing(key, value, async (beside, path) => {
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
        }
      }),
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
