import { lstat, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { directoryStore } from './directory-store.ts'
import type { KeptStore } from './kept-store.ts'

/** What group and others may do. */
const OTHERS = 0o077
/** Nobody comes back for what is so old. */
const LEFT_BEHIND_MS = 86_400_000
/** Keys of what is come back for later begin with what no hash begins with. */
const LASTING = 'L'

/**
 * A directory among the system's temporary files, where everybody may make one of that name first: it is used only if
 * it is this user's and closed to all others, else each call rejects. What nobody has written anew for a day, or
 * for `lastingMs` where it is kept to last (`lastingIn`), is removed.
 */
export function ownDirectory(directory: string, lastingMs: number): KeptStore {
  const store = directoryStore(directory)
  let opened: Promise<void> | null = null
  const own = async () => {
    opened ??= openOwn(directory, lastingMs)
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
 * A directory that somebody named, from which the same is removed when it is first used, and once a day: what is kept of clusters that are gone for good, and what was cut off while it was written.
 */
export function sweptDirectory(directory: string, lastingMs: number): KeptStore {
  const store = directoryStore(directory)
  let sweptAtMs = Number.NEGATIVE_INFINITY
  const swept = async () => {
    if (Math.abs(Date.now() - sweptAtMs) < LEFT_BEHIND_MS) return store
    sweptAtMs = Date.now()
    // It may not be there yet, and what cannot be removed stands in nobody's way.
    await removeLeftBehind(directory, lastingMs).catch(() => undefined)
    return store
  }
  return {
    ...store,
    get: async (key) => (await swept()).get(key),
    set: async (key, value) => (await swept()).set(key, value),
  }
}

async function openOwn(directory: string, lastingMs: number): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  // Not where a link of somebody else's leads to.
  const found = await lstat(directory)
  const user = process.getuid?.()
  // Where users have no numbers, each has temporary files of his own.
  const isShared = user !== undefined && (found.uid !== user || (found.mode & OTHERS) !== 0)
  if (isShared || !found.isDirectory())
    throw Object.assign(new Error(`${directory} is not this user's alone`), { code: 'EPERM' })
  await removeLeftBehind(directory, lastingMs)
}

/** What was kept by a hash, whole or cut off while it was written; anything else in a directory is somebody else's. */
const WRITTEN = /^[0-9A-FL][0-9A-F]{31}\.json(?<cutOff>\.[0-9a-f-]{36}\.tmp)?$/

/** Removes what was kept there and nobody has written anew for a day, or for as long as what lasts is come back for. */
async function removeLeftBehind(directory: string, lastingMs: number): Promise<void> {
  const nowMs = Date.now()
  for (const name of await readdir(directory)) {
    const written = WRITTEN.exec(name)
    if (written === null) continue
    const isLasting = name.startsWith(LASTING) && written.groups?.cutOff === undefined
    const path = join(directory, name)
    // Another process may be faster.
    const found = await stat(path).catch(() => null)
    const ageMs = found === null ? 0 : nowMs - found.mtimeMs
    if (ageMs > (isLasting ? lastingMs : LEFT_BEHIND_MS)) await rm(path, { force: true })
  }
}

/** The same store for what is to be found again later than after a day. Keys are hashes: one more letter tells enough apart. */
export function lastingIn({ get, set, delete: remove }: Pick<KeptStore, 'get' | 'set' | 'delete'>) {
  const lasting = (key: string) => `${LASTING}${key.slice(1)}`
  return {
    get: (key: string) => get(lasting(key)),
    set: (key: string, value: string) => set(lasting(key), value),
    delete: (key: string) => remove(lasting(key)),
  }
}
