import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Config } from './settings.ts'

/** Where last good values are kept, as a whole path; null: nowhere. `directory`: what the config's paths are relative to. */
export function lastGoodPlace(place: Config['lastGoodDirectory'], directory: string): string | null {
  if (place === 'none') return null
  // A user need not have a name, as in containers.
  const user = process.getuid?.() ?? 'last-good'
  return place === 'temporary' ? join(tmpdir(), `goldseam-${user}`) : resolve(directory, place)
}
