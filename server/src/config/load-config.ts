import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type Config, parseConfig } from './config.ts'
import { formatConfigError } from './config-error.ts'
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

const SHORTEST_KEY = 32

/** Where to look: a file named on the command line, one named by `$GOLDSEAM_CONFIG`, and the directory to start from. */
export interface ConfigPlaces {
  readonly argument: string | null
  readonly environment: string | null
  readonly directory: string
}

/**
 * Finds, reads and checks the config file and the secret files it names. A file asked for by name must be there; of
 * the usual places the first that exists is taken. Secret paths are relative to the config file.
 */
export async function loadConfig(places: ConfigPlaces): Promise<LoadResult> {
  const named = places.argument ?? places.environment
  const candidates =
    named === null
      ? [resolve(places.directory, 'goldseam.yaml'), '/etc/goldseam/goldseam.yaml']
      : [resolve(places.directory, named)]
  for (const file of candidates) {
    const text = await readText(file)
    if (typeof text === 'string') return checked(text, file)
    if (named !== null || text.code !== 'ENOENT') {
      const from = places.argument === null && named !== null ? ' (from $GOLDSEAM_CONFIG)' : ''
      return { state: 'invalid', errors: [`${file}${from}: cannot be read: ${unreadable(text)}`] }
    }
  }
  return { state: 'none', looked: candidates }
}

async function checked(text: string, file: string): Promise<LoadResult> {
  const parsed = parseConfig(text, file)
  if ('errors' in parsed) return { state: 'invalid', errors: parsed.errors.map(formatConfigError) }
  const { config } = parsed
  const paths = [...config.clusters, ...config.discover].flatMap(({ endpoints }) =>
    endpoints.flatMap(({ auth, caFile, clientCertificate }) => [
      ...authFiles(auth),
      ...(caFile === null ? [] : [caFile]),
      ...(clientCertificate === null ? [] : [clientCertificate.certFile, clientCertificate.keyFile]),
    ]),
  )
  const { preview, store } = config.links
  for (const path of [preview?.keyFile, store?.passwordFile, store?.caFile]) if (path) paths.push(path)
  const secrets = createSecrets(dirname(file))
  const tried = await Promise.allSettled([...new Set(paths)].map((path) => secrets.read(path)))
  const errors = tried.flatMap((result) =>
    result.status === 'rejected' ? [`${file}: ${String(result.reason.message)}`] : [],
  )
  if (errors.length === 0 && preview !== null) {
    const { keyFile } = preview
    // Shorter ones are guessed, and then anybody's words stand in the pictures.
    if ((await secrets.read(keyFile)).length < SHORTEST_KEY)
      errors.push(
        `${file}: ${keyFile} holds a key of less than ${SHORTEST_KEY} characters; make one: openssl rand -hex 32`,
      )
  }
  return errors.length > 0 ? { state: 'invalid', errors } : { state: 'loaded', loaded: { config, file, secrets } }
}

function authFiles(auth: Config['clusters'][number]['endpoints'][number]['auth']): readonly string[] {
  switch (auth.kind) {
    case 'none':
      return []
    case 'bearer':
      return [auth.tokenFile]
    case 'basic':
      return [auth.passwordFile]
    case 'oauth2':
      return [auth.clientSecretFile]
    default:
      return auth satisfies never
  }
}

async function readText(file: string): Promise<string | NodeJS.ErrnoException> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    return error as NodeJS.ErrnoException
  }
}
