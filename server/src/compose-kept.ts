import { lastGoodPlace } from './config/last-good-place.ts'
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
  const path = lastGoodPlace(place, directory)
  if (path === null) return () => NOT_KEPT
  const note = createStoreLog(logger, clock, WORDS)
  const store = place === 'temporary' ? ownDirectory(path) : sweptDirectory(path)
  return keeperOf(guardedStore(store, note), note)
}
