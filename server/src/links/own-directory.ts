import { lstat, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { directoryStore } from './directory-store.ts'
import type { KeptStore } from './kept-store.ts'

/** What group and others may do. */
const OTHERS = 0o077
/** Nobody comes back for what is so old. */
const LEFT_BEHIND_MS = 86_400_000

/**
 * A directory among the system's temporary files, where everybody may make one of that name first: it is used only if
 * it is this user's and closed to all others, else each call rejects. What is older than a day is removed.
 */
export function ownDirectory(directory: string): KeptStore {
  const store = directoryStore(directory)
  let opened: Promise<void> | null = null
  const own = async () => {
    opened ??= openOwn(directory)
    // Whoever asks next may find it mended.
    await opened.catch((error: unknown) => {
      opened = null
      throw error
    })
    return store
  }
  return {
    get: async (key) => (await own()).get(key),
    set: async (key, value) => (await own()).set(key, value),
    add: async (key, value) => (await own()).add(key, value),
    delete: async (key) => (await own()).delete(key),
    holds: async (count) => (await own()).holds(count),
    keys: async (most) => (await own()).keys(most),
    reset: () => store.reset(),
    close: () => store.close(),
  }
}

/**
 * A directory that somebody named, from which what nobody has written anew for a day is removed when it is first used,
 * and once a day: what is kept of clusters that are gone for good, and what was cut off while it was written.
 */
export function sweptDirectory(directory: string): KeptStore {
  const store = directoryStore(directory)
  let sweptAtMs = Number.NEGATIVE_INFINITY
  const swept = async () => {
    if (Math.abs(Date.now() - sweptAtMs) < LEFT_BEHIND_MS) return store
    sweptAtMs = Date.now()
    // It may not be there yet, and what cannot be removed stands in nobody's way.
    await removeLeftBehind(directory).catch(() => undefined)
    return store
  }
  return {
    ...store,
    get: async (key) => (await swept()).get(key),
    set: async (key, value) => (await swept()).set(key, value),
  }
}

async function openOwn(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  // Not where a link of somebody else's leads to.
  const found = await lstat(directory)
  const user = process.getuid?.()
  // Where users have no numbers, each has temporary files of his own.
  const isShared = user !== undefined && (found.uid !== user || (found.mode & OTHERS) !== 0)
  if (isShared || !found.isDirectory())
    throw Object.assign(new Error(`${directory} is not this user's alone`), { code: 'EPERM' })
  await removeLeftBehind(directory)
}

/** What a store writes, whole or cut off while it was written; anything else in a directory is somebody else's. */
const WRITTEN = /^[0-9A-Z]{1,32}\.json(\.[0-9a-f-]{36}\.tmp)?$/

/** Removes what a store wrote there and nobody has written anew for a day. */
async function removeLeftBehind(directory: string): Promise<void> {
  const oldest = Date.now() - LEFT_BEHIND_MS
  for (const name of await readdir(directory)) {
    if (!WRITTEN.test(name)) continue
    const path = join(directory, name)
    // Another process may be faster.
    const found = await stat(path).catch(() => null)
    if (found !== null && found.mtimeMs < oldest) await rm(path, { force: true })
  }
}
