import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Keeper, keeperOf, NOT_KEPT } from './federation/kept.ts'
import { guardedStore } from './links/guarded-store.ts'
import { ownDirectory, sweptDirectory } from './links/own-directory.ts'
import type { Logger } from './telemetry/logger.ts'
import { createStoreLog } from './telemetry/store-log.ts'

const WORDS = {
  answers: 'last good values are kept again',
  fails: 'last good values cannot be kept, so that a restart loses those of silent clusters: lastGoodDirectory',
}

/** Where last good values outlive the process; `directory` is what the config's paths are relative to. */
export function composeKept(place: string, directory: string, logger: Logger, clock: () => number): Keeper {
  if (place === 'none') return () => NOT_KEPT
  // A user need not have a name, as in containers.
  const user = process.getuid?.() ?? 'last-good'
  const note = createStoreLog(logger, clock, WORDS)
  const store =
    place === 'temporary' ? ownDirectory(join(tmpdir(), `goldseam-${user}`)) : sweptDirectory(resolve(directory, place))
  return keeperOf(guardedStore(store, note), note)
}
