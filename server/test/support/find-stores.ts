import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

/** A server's programs in `folder`, and where the libraries are that were unpacked with it. */
export interface StorePrograms {
  readonly folder: string
  /** What was unpacked, `folder` included; null where the system's own packages are used. */
  readonly unpacked: string | null
}

export interface Stores {
  readonly redis: StorePrograms | null
  readonly postgres: StorePrograms | null
}

/**
 * Redis and Postgres for the tests of stores: from the PATH, from where Debian installs Postgres, or from what
 * `npm run setup:engines` unpacked into the cache folder.
 */
export function findStores(env: NodeJS.ProcessEnv): Stores {
  const path = (env.PATH ?? '').split(delimiter)
  const cache = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'goldseam')
  return {
    redis: installed(path, 'redis-server') ?? fetched(join(cache, 'redis'), 'redis-server'),
    postgres:
      installed([...path, ...debianPostgres('/')], 'initdb', 'postgres') ??
      fetched(join(cache, 'postgres'), 'initdb', 'postgres'),
  }
}

function installed(folders: readonly string[], ...programs: string[]): StorePrograms | null {
  const folder = folders.find((at) => programs.every((program) => existsSync(join(at, program))))
  return folder === undefined ? null : { folder, unpacked: null }
}

function fetched(place: string, ...programs: string[]): StorePrograms | null {
  for (const version of newestFirst(place)) {
    const unpacked = join(place, version)
    const found = installed([join(unpacked, 'usr/bin'), ...debianPostgres(unpacked)], ...programs)
    if (found !== null) return { ...found, unpacked }
  }
  return null
}

function debianPostgres(root: string): string[] {
  const place = join(root, 'usr/lib/postgresql')
  return newestFirst(place).map((version) => join(place, version, 'bin'))
}

function newestFirst(place: string): string[] {
  const names = existsSync(place) ? readdirSync(place) : []
  return names.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
}

/** The folders of `LD_LIBRARY_PATH` for programs that were unpacked and not installed. */
export function librariesBelow(unpacked: string): string[] {
  return ['lib', 'usr/lib'].flatMap((name) => {
    const place = join(unpacked, name)
    const inside = existsSync(place) ? readdirSync(place).filter((inner) => inner.includes('-linux-')) : []
    return inside.map((inner) => join(place, inner))
  })
}
