import { realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { ConfigError, ConfigPath, ErrorAt } from './config-error.ts'
import { lastGoodPlace } from './last-good-place.ts'
import type { Config } from './settings.ts'

interface OwnDirectory {
  readonly key: string
  readonly path: ConfigPath
  /** What is done there that nothing else survives, or may be near. */
  readonly use: string
  readonly place: string | null
}

/**
 * Goldseam clears each of its directories by what it keeps there: in one of them for two purposes, the one takes the
 * other's files for its own old ones. `directory`: what the config's paths are relative to.
 */
export async function directoryErrors(config: Config, directory: string, at: ErrorAt): Promise<ConfigError[]> {
  const { links, lastGoodDirectory, assetsDirectory } = config
  const whole = (place: string | null) => (place === null ? null : resolve(directory, place))
  const used: OwnDirectory[] = [
    {
      key: 'lastGoodDirectory',
      path: ['lastGoodDirectory'],
      use: 'what is a day old is removed',
      place: lastGoodPlace(lastGoodDirectory, directory),
    },
    {
      key: 'assetsDirectory',
      path: ['assetsDirectory'],
      use: 'what is a week old is removed, and all is served without sign-in',
      place: whole(assetsDirectory),
    },
    {
      key: 'links.directory',
      path: ['links', 'directory'],
      use: 'links are kept and counted',
      place: whole(links.directory),
    },
  ]
  const errors: ConfigError[] = []
  const seen = new Map<string, OwnDirectory>()
  for (const one of used) {
    if (one.place === null) continue
    const place = await realPlace(one.place)
    const other = seen.get(place)
    if (other === undefined) seen.set(place, one)
    else
      errors.push(
        at(one.path, `is the directory of ${other.key} too (${place}), where ${other.use}; give each one of its own`),
      )
  }
  return errors
}

/** Where links of the file system lead to, as far as there is anything yet. */
async function realPlace(place: string): Promise<string> {
  try {
    return await realpath(place)
  } catch {
    const above = dirname(place)
    return above === place ? place : join(await realPlace(above), basename(place))
  }
}
