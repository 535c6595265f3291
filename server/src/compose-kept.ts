import { MOST_FORGET_AFTER_SECONDS } from './config/discover-schema.ts'
import { lastGoodPlace } from './config/last-good-place.ts'
import { type Keeper, keeperOf, NOT_KEPT } from './federation/kept.ts'
import { guardedStore } from './links/guarded-store.ts'
import { lastingIn, ownDirectory, sweptDirectory } from './links/own-directory.ts'
import type { Logger } from './telemetry/logger.ts'
import { createStoreLog } from './telemetry/store-log.ts'

const WORDS = {
  answers: 'last good values are kept again',
  fails: 'last good values cannot be kept, so that a restart loses those of silent clusters: lastGoodDirectory',
}

export interface ComposedKept {
  /** Keeps what nobody comes back for after a day. */
  readonly keeper: Keeper
  /** Keeps what is come back for as long as a config may want it to be remembered. */
  readonly lastingKeeper: Keeper
}

/** Where last good values outlive the process; `directory` is what the config's paths are relative to. */
export function composeKept(place: string, directory: string, logger: Logger, clock: () => number): ComposedKept {
  const path = lastGoodPlace(place, directory)
  if (path === null) return { keeper: () => NOT_KEPT, lastingKeeper: () => NOT_KEPT }
  const note = createStoreLog(logger, clock, WORDS)
  // Not what this config says: another Goldseam of this user may remember for longer.
  const lastingMs = MOST_FORGET_AFTER_SECONDS * 1_000
  const store = guardedStore((place === 'temporary' ? ownDirectory : sweptDirectory)(path, lastingMs), note)
  return { keeper: keeperOf(store, note), lastingKeeper: keeperOf(lastingIn(store), note) }
}
