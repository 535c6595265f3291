import { text } from './fields.ts'
import type { StoreConfig } from './settings.ts'

const EXAMPLES = 'redis://redis.example.com:6379 or postgres://goldseam@postgres.example.com:5432/goldseam'

type Parsed = Omit<StoreConfig, 'passwordFile' | 'caFile'>

/** The URL of a server that keeps links. It is taken apart here and shown nowhere, neither whole nor in an error. */
export const storeUrl = text(`a URL such as ${EXAMPLES}`).transform((value, context): Parsed => {
  const parsed = parseStoreUrl(value)
  if (typeof parsed !== 'string') return parsed
  context.addIssue(parsed)
  return { kind: 'redis', host: '', port: null, database: '', username: null, tls: false }
})

/** The parts, or what is wrong, without anything of the URL but its scheme. */
function parseStoreUrl(value: string): Parsed | string {
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(value) ?? []
  const kind = KINDS[scheme.toLowerCase()]
  if (scheme !== '' && kind === undefined) return `${scheme}:// is no store that is known here; write ${EXAMPLES}`
  const url = URL.canParse(value) ? new URL(value) : null
  if (kind === undefined || url === null || url.hostname === '' || url.hash !== '')
    return `this is not the URL of a store; write ${EXAMPLES}`
  if (url.password !== '' || url.searchParams.has('password'))
    return 'a password does not belong in the URL; put it into a file and name that in links.storePasswordFile'
  const [username, database] = [decoded(url.username), decoded(url.pathname.slice(1))]
  if (username === null || database === null) return `this is not the URL of a store; write ${EXAMPLES}`
  const common = {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? null : Number(url.port),
    username: username === '' ? null : username,
  }
  if (kind === 'redis') {
    if (url.search !== '') return 'nothing is known to follow a ? in the URL of Redis; remove it'
    if (!/^\d{0,4}$/.test(database)) return 'the path of a Redis URL is the number of a database, such as /0'
    return { ...common, kind, database: database === '' ? '0' : database, tls: scheme.toLowerCase() === 'rediss' }
  }
  if (username === '' || database === '' || database.includes('/'))
    return 'name the user and the database: postgres://goldseam@postgres.example.com:5432/goldseam'
  const tls = SSL_MODES[url.search]
  if (tls === undefined) return 'after the ? only sslmode=verify-full (TLS) or sslmode=disable is known'
  return { ...common, kind, database, tls }
}

const KINDS: Readonly<Record<string, StoreConfig['kind']>> = {
  redis: 'redis',
  rediss: 'redis',
  postgres: 'postgres',
  postgresql: 'postgres',
}

/** Only what can be told in one word: libpq's other modes encrypt without looking whom they speak to. */
const SSL_MODES: Readonly<Record<string, boolean>> = {
  '': false,
  '?sslmode=disable': false,
  '?sslmode=verify-full': true,
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}
