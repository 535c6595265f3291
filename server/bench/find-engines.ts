import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CACHE } from './world.ts'

export interface Engines {
  readonly prometheus: string
  readonly thanos: string
}

/** What `npm run setup:engines` made: `<engine>/<version>/<program>` in `$GOLDSEAM_ENGINES` or the cache folder. */
export function findEngines(env: NodeJS.ProcessEnv): Engines | { readonly missing: readonly string[] } {
  const folder = env.GOLDSEAM_ENGINES || dirname(CACHE)
  const newest = (engine: string, version: RegExp): string | null => {
    const place = join(folder, engine)
    const versions = existsSync(place) ? readdirSync(place).filter((name) => version.test(name)) : []
    const sorted = versions.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    return sorted.map((name) => join(place, name, engine)).find((path) => existsSync(path)) ?? null
  }
  const prometheus = newest('prometheus', /^3\.\d/)
  const thanos = newest('thanos', /^\d/)
  if (prometheus !== null && thanos !== null) return { prometheus, thanos }
  return { missing: [...(prometheus === null ? ['Prometheus 3'] : []), ...(thanos === null ? ['Thanos'] : [])] }
}
