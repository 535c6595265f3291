import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type Config, parseConfig, writtenConfig } from './config.ts'
import { formatConfigError } from './config-error.ts'
import { directoryErrors } from './directory-errors.ts'
import { secretFileErrors, secretFilesIn } from './secret-files.ts'
import { createSecrets, type Secrets, unreadable } from './secrets.ts'

export interface LoadedConfig {
  readonly config: Config
  readonly file: string
  /** Contents of the files the config refers to, by the path written there. */
  readonly secrets: Secrets
}

export type LoadResult =
  | { readonly state: 'loaded'; readonly loaded: LoadedConfig }
  | { readonly state: 'invalid'; readonly errors: readonly string[] }
  | { readonly state: 'none'; readonly looked: readonly string[] }

/** Where to look: a file named on the command line, one named by `$GOLDSEAM_CONFIG`, and the directory to start from. */
export interface ConfigPlaces {
  readonly argument: string | null
  readonly environment: string | null
  readonly directory: string
}

/**
 * Finds, reads and checks the config file and the secret files it names. A file asked for by name must be there; of
 * the usual places the first that exists is taken. Secret paths are relative to the config file. `metrics`: those that an
 * override may rename; null: not looked at.
 */
export async function loadConfig(
  places: ConfigPlaces,
  metrics: ReadonlySet<string> | null = null,
): Promise<LoadResult> {
  const named = places.argument ?? places.environment
  const candidates =
    named === null
      ? [resolve(places.directory, 'goldseam.yaml'), '/etc/goldseam/goldseam.yaml']
      : [resolve(places.directory, named)]
  for (const file of candidates) {
    const text = await readText(file)
    if (typeof text === 'string') return checked(text, file, metrics)
    if (named !== null || text.code !== 'ENOENT') {
      const from = places.argument === null && named !== null ? ' (from $GOLDSEAM_CONFIG)' : ''
      return { state: 'invalid', errors: [`${file}${from}: cannot be read: ${unreadable(text)}`] }
    }
  }
  return { state: 'none', looked: candidates }
}

async function checked(text: string, file: string, metrics: ReadonlySet<string> | null): Promise<LoadResult> {
  const parsed = parseConfig(text, file, metrics)
  if ('errors' in parsed) return { state: 'invalid', errors: parsed.errors.map(formatConfigError) }
  const { config } = parsed
  const secrets = createSecrets(dirname(file))
  const { raw, at } = writtenConfig(text, file)
  const wrong = await secretFileErrors(secretFilesIn(raw), secrets)
  const found = [
    ...wrong.map(({ path, message }) => at(path, message)),
    ...(await directoryErrors(config, dirname(file), at)),
  ]
  const errors = found.map(formatConfigError)
  return errors.length > 0 ? { state: 'invalid', errors } : { state: 'loaded', loaded: { config, file, secrets } }
}

async function readText(file: string): Promise<string | NodeJS.ErrnoException> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    return error as NodeJS.ErrnoException
  }
}
