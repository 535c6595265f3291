import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { ConfigPath } from './config-error.ts'
import type { Secrets } from './secrets.ts'

/** One place of the config that names a file with something secret, or with what others are known by. */
export interface SecretFile {
  readonly path: ConfigPath
  readonly key: string
  readonly file: string
}

type Read = (file: string) => Promise<string>

/** What is wrong with what such a file holds, in words; null: nothing that can be seen. */
type Check = (text: string) => string | null

const anything: Check = () => null

const token: Check = (text) =>
  /^[\x21-\x7e]+$/.test(text)
    ? null
    : 'holds no token, but several lines, blanks, or signs that no header may carry; leave the token alone in it'

const certificates: Check = (text) =>
  parses(() => new X509Certificate(text)) ? null : 'holds no certificate; it has to begin with BEGIN CERTIFICATE (PEM)'

const privateKey: Check = (text) =>
  parses(() => createPrivateKey(text))
    ? null
    : 'holds no private key without a passphrase; it has to begin with BEGIN PRIVATE KEY or the like (PEM)'

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

const SHORTEST_KEY = 32

/** Shorter ones are guessed, and then anybody's words stand in the pictures. */
const previewKey: Check = (text) =>
  text.length < SHORTEST_KEY
    ? `holds a key of less than ${SHORTEST_KEY} characters; make one: openssl rand -hex 32`
    : null

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
      const [certificate, privateKey] = await Promise.all([read(one.file), read(key.file)])
      if (new X509Certificate(certificate).checkPrivateKey(createPrivateKey(privateKey))) return []
      return [{ path: key.path, message: `${key.file} is not the key of the certificate in ${one.file}` }]
    }),
  )
  return pairs.flat()
}

async function wrongWith({ path, key, file }: SecretFile, read: Read): Promise<string | null> {
  const check = path[0] === 'links' && key === 'keyFile' ? previewKey : (CHECKS.get(key) ?? anything)
  try {
    const wrong = check(await read(file))
    return wrong === null ? null : `${file} ${wrong}`
  } catch (error) {
    return (error as Error).message
  }
}

function isBeside(one: ConfigPath, other: ConfigPath): boolean {
  return one.slice(0, -1).join('\n') === other.slice(0, -1).join('\n')
}

function parses(parse: () => unknown): boolean {
  try {
    parse()
    return true
  } catch {
    return false
  }
}
