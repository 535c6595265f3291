import { homedir } from 'node:os'
import { join } from 'node:path'

/** Everything the demo keeps between runs. Safe to delete. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'goldseam')
}
