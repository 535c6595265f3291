import { dirname, resolve } from 'node:path'
import { Access } from './access/access.ts'
import { WallStore } from './access/wall-store.ts'
import type { Config } from './config/config.ts'

/** Who may look, as the config says it; paired walls are in a file beside it. */
export function composeAccess({ auth }: Config, configFile: string): Access {
  if (auth === null || auth === 'none') return new Access({ tokens: null, walls: [] }, null)
  const walls = auth.walls.map((wall) => ({ ...wall, createdAt: null }))
  return new Access({ tokens: auth.tokens, walls }, new WallStore(resolve(dirname(configFile), auth.wallsFile)))
}
