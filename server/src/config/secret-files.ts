import type { ConfigPath } from './config-error.ts'
import { anything, belongTogether, type Check, certificates, previewKey, privateKey, token } from './secret-checks.ts'
import type { Secrets } from './secrets.ts'

/** One place of the config that names a file with something secret, or with what others are known by. */
export interface SecretFile {
  readonly path: ConfigPath
  readonly key: string
  readonly file: string
}

type Read = Secrets['read']

/** By the key that names the file. */
const CHECKS: ReadonlyMap<string, Check> = new Map([
  ['bearerTokenFile', token],
  ['passwordFile', anything],
  ['clientSecretFile', anything],
  ['caFile', certificates],
  ['certFile', certificates],
  ['keyFile', privateKey],
  ['storePasswordFile', anything],
  ['storeCaFile', certificates],
])

/** All places of a config, as its YAML holds it, that name such a file; in the order in which they are written. */
export function secretFilesIn(raw: unknown, path: ConfigPath = []): SecretFile[] {
  if (Array.isArray(raw)) return raw.flatMap((item, index) => secretFilesIn(item, [...path, index]))
  if (typeof raw !== 'object' || raw === null) return []
  return Object.entries(raw).flatMap(([key, value]) => {
    const here = [...path, key]
    if (CHECKS.has(key) && typeof value === 'string') return [{ path: here, key, file: value }]
    return secretFilesIn(value, here)
  })
}

/** What is wrong with these files, and where the config names them. */
export async function secretFileErrors(
  files: readonly SecretFile[],
  { read }: Secrets,
): Promise<{ readonly path: ConfigPath; readonly message: string }[]> {
  const found = await Promise.all(
    files.map(async (one) => {
      const message = await wrongWith(one, read)
      return message === null ? [] : [{ path: one.path, message }]
    }),
  )
  const errors = found.flat()
  if (errors.length > 0) return errors
  const pairs = await Promise.all(
    files.map(async (one) => {
      const key = files.find(({ key, path }) => key === 'keyFile' && isBeside(path, one.path))
      if (one.key !== 'certFile' || key === undefined) return []
      const [certificate, secret] = await Promise.all([read(one.file, certificates), read(key.file, privateKey)])
      if (belongTogether(certificate, secret)) return []
      return [{ path: key.path, message: notItsKey(key.file, one.file) }]
    }),
  )
  return pairs.flat()
}

async function wrongWith({ path, key, file }: SecretFile, read: Read): Promise<string | null> {
  const check = path[0] === 'links' && key === 'keyFile' ? previewKey : (CHECKS.get(key) ?? anything)
  try {
    await read(file, check)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

export function notItsKey(keyFile: string, certFile: string): string {
  return `${keyFile} is not the key of the certificate in ${certFile}`
}

function isBeside(one: ConfigPath, other: ConfigPath): boolean {
  return one.slice(0, -1).join('\n') === other.slice(0, -1).join('\n')
}
