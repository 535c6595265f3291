import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The programs the tests compare with: made by `npm run setup:engines`. */
export interface Engines {
  readonly prometheus3: string
  readonly thanos: string
  /** The last line of 2.x that Debian ships; null where there is no such package. */
  readonly prometheus2: string | null
  /** Null where it was not built. */
  readonly victoriaMetrics: string | null
  /** What reads compose files as Docker Compose does. */
  readonly composeSpec: string | null
}

/** Whether their absence is a failure: on CI always, elsewhere where set-up is said to have run. */
export function enginesExpected(env: NodeJS.ProcessEnv): boolean {
  return env.CI === 'true' || env.GOLDSEAM_EXPECT_ENGINES === '1'
}

/** Looks into `$GOLDSEAM_ENGINES`, else into the cache folder; both are laid out `<engine>/<version>/<program>`. */
export function findEngines(env: NodeJS.ProcessEnv): Engines | { readonly missing: readonly string[] } {
  const folder = env.GOLDSEAM_ENGINES || join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'goldseam')
  const newest = (engine: string, version: RegExp, program = engine): string | null => {
    const place = join(folder, engine)
    const versions = existsSync(place) ? readdirSync(place).filter((name) => version.test(name)) : []
    return (
      versions
        .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
        .map((name) => join(place, name, program))
        .find((path) => existsSync(path)) ?? null
    )
  }
  const prometheus3 = newest('prometheus', /^3\.\d/)
  const thanos = newest('thanos', /^\d/)
  if (prometheus3 !== null && thanos !== null) {
    return {
      prometheus3,
      thanos,
      prometheus2: newest('prometheus', /^2\.\d/),
      victoriaMetrics: newest('victoriametrics', /^\d/, 'victoria-metrics'),
      composeSpec: newest('compose-spec', /^\d/),
    }
  }
  return { missing: [...(prometheus3 === null ? ['Prometheus 3'] : []), ...(thanos === null ? ['Thanos'] : [])] }
}
