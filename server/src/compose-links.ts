import { resolve } from 'node:path'
import type { LinksConfig } from './config/config.ts'
import { certificates } from './config/secret-checks.ts'
import type { Secrets } from './config/secrets.ts'
import { createLinkStore, type LinkStore } from './links/link-store.ts'
import { createNoteStore, type NoteStore } from './links/note-store.ts'
import { openStore } from './links/open-store.ts'
import type { StorePlace } from './links/store-place.ts'
import type { Logger } from './telemetry/logger.ts'
import { createStoreLog } from './telemetry/store-log.ts'

interface Surroundings {
  /** What paths in the config are relative to. */
  readonly directory: string
  /** Unix seconds. */
  readonly clock: () => number
  readonly logger: Logger
}

/** Links and the note on the walls, in the one store that the config names. */
export async function composeLinks(
  config: LinksConfig,
  secrets: Secrets,
  { directory, clock, logger }: Surroundings,
): Promise<{ readonly links: LinkStore; readonly notes: NoteStore; closeStore(): Promise<void> }> {
  const place = placeOf(config, secrets, directory)
  const store = await openStore(place, createStoreLog(logger, clock))
  const links = createLinkStore({ ...config, store, durable: place.kind !== 'memory', clock })
  return { links, notes: createNoteStore(store, clock), closeStore: () => store.close() }
}

function placeOf(config: LinksConfig, secrets: Secrets, directory: string): StorePlace {
  if (config.directory !== null) return { kind: 'directory', directory: resolve(directory, config.directory) }
  if (config.store === null) return { kind: 'memory' }
  const { passwordFile, caFile, tls, ...server } = config.store
  return {
    ...server,
    password: passwordFile === null ? null : () => secrets.read(passwordFile),
    tls: tls ? { ca: caFile === null ? null : () => secrets.read(caFile, certificates) } : null,
  }
}
