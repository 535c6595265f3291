const REFUSED = 'refuses the user or the password (links.storePasswordFile)'
const BROKEN = 'broke the connection'
const STARTING = 'is starting or stopping'
const FULL = 'has no space left'
const REPLICA = 'is a replica that cannot be written'
const FORBIDDEN = 'does not let this user do what is needed'
const UNREACHABLE = 'cannot be reached'

/** By what the network, file systems, Postgres (five characters) and Redis (its first word) call it. */
const BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections',
  ENOTFOUND: 'has a name that no address is known for',
  EAI_AGAIN: 'has a name that cannot be looked up at present',
  ETIMEDOUT: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ECONNRESET: BROKEN,
  EPIPE: BROKEN,
  EACCES: 'may not be used by this user',
  EPERM: 'may not be used by this user',
  EROFS: 'cannot be written',
  ENOTDIR: 'is no directory',
  EEXIST: 'is no directory',
  ENOSPC: FULL,
  '53100': FULL,
  OOM: FULL,
  '28000': REFUSED,
  '28P01': REFUSED,
  WRONGPASS: REFUSED,
  NOAUTH: REFUSED,
  '3D000': 'has no such database',
  '42501': FORBIDDEN,
  NOPERM: FORBIDDEN,
  '25006': REPLICA,
  READONLY: REPLICA,
  '53300': 'has no connection to spare',
  '57P01': STARTING,
  '57P03': STARTING,
  LOADING: STARTING,
}

/** What has no code, by how its message begins. */
const BY_MESSAGE: readonly (readonly [RegExp, string])[] = [
  [/^SASL: .*password must be/, 'wants a password (links.storePasswordFile)'],
  // What Redis says to a password where it knows none.
  [/^ERR .*\bAUTH\b|^ERR invalid password/, REFUSED],
  [/^secret file /, 'wants a password whose file cannot be read (links.storePasswordFile)'],
  [/does not support SSL/, 'does not speak TLS'],
  [/timeout/i, UNREACHABLE],
  [/^Connection terminated|^Socket closed|^The client is closed|^Disconnects client/, BROKEN],
]

/** Why a store could not answer. Nothing of the message is told: it may name hosts, users and paths. */
export function storeTrouble(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown }
  const said = typeof message === 'string' ? message : ''
  const known = typeof code === 'string' ? code : (/^[A-Z]{3,}(?= )/.exec(said)?.[0] ?? '')
  if (/CERT|^UNABLE_TO_|^ERR_(TLS|SSL)/.test(known)) return `shows a certificate that is not trusted here (${known})`
  const worded = BY_CODE[known] ?? BY_MESSAGE.find(([begins]) => begins.test(said))?.[1]
  return worded ?? `does not answer as it should${/^\w{3,40}$/.test(known) ? ` (${known})` : ''}`
}
