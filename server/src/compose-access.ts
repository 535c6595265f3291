import { dirname, resolve } from 'node:path'
import { Access } from './access/access.ts'
import { WallStore } from './access/wall-store.ts'
import type { Config } from './config/config.ts'
import type { Logger } from './telemetry/logger.ts'
import { createStoreLog } from './telemetry/store-log.ts'

const WORDS = {
  answers: 'the file of paired walls can be read again',
  fails: 'the file of paired walls cannot be read, so that none of them may look',
}

/** Who may look, as the config says it; paired walls are in a file beside it. `clock`: unix seconds. */
export function composeAccess({ auth }: Config, configFile: string, logger: Logger, clock: () => number): Access {
  if (auth === null || auth === 'none') return new Access({ tokens: null, walls: [] }, null)
  const walls = auth.walls.map((wall) => ({ ...wall, createdAt: null }))
  const note = createStoreLog(logger, clock, WORDS)
  const store = new WallStore(resolve(dirname(configFile), auth.wallsFile), Date.now, note)
  return new Access({ tokens: auth.tokens, walls }, store)
}
