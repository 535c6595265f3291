import { expect, test } from 'vitest'
import { parseConfig } from './config.ts'

const CLUSTERS = 'clusters: [{ name: east, endpoints: [{ url: http://127.0.0.1:1 }] }]\n'

function parsed(links: string) {
  const result = parseConfig(`${CLUSTERS}links: { ${links} }\n`, 'g.yaml')
  if ('errors' in result) return result.errors.map(({ line, path, message }) => `${line} ${path}: ${message}`)
  const { store } = result.config.links
  return store === null ? [] : [store]
}

const PLAIN = { port: null, database: '0', username: null, tls: false, passwordFile: null, caFile: null }

test.each([
  ['redis://redis.example.com', { ...PLAIN, kind: 'redis', host: 'redis.example.com' }],
  ['redis://10.0.0.1:6380/3', { ...PLAIN, kind: 'redis', host: '10.0.0.1', port: 6380, database: '3' }],
  ['rediss://links%40a@[fd00::1]:6380', { kind: 'redis', host: 'fd00::1', port: 6380, username: 'links@a', tls: true }],
  ['postgres://me@pg/links', { ...PLAIN, kind: 'postgres', host: 'pg', username: 'me', database: 'links' }],
  ['postgresql://me@pg:6432/a%2Db?sslmode=verify-full', { kind: 'postgres', port: 6432, database: 'a-b', tls: true }],
  ['postgres://me@pg/links?sslmode=disable', { kind: 'postgres', tls: false }],
])('%s', (url, store) => {
  expect(parsed(`store: '${url}'`)).toEqual([expect.objectContaining(store)])
})

test('its files', () => {
  const files = 'storePasswordFile: pw, storeCaFile: ca.pem'
  expect(parsed(`store: rediss://r, ${files}`)).toEqual([
    { ...PLAIN, kind: 'redis', host: 'r', tls: true, passwordFile: 'pw', caFile: 'ca.pem' },
  ])
})

const EXPECTED = 'write redis://redis.example.com:6379 or postgres://goldseam@postgres.example.com:5432/goldseam'
const NO_URL = `this is not the URL of a store; ${EXPECTED}`
const TO_FILE = 'a password does not belong in the URL; put it into a file and name that in links.storePasswordFile'
const PG_NAMES = 'name the user and the database: postgres://goldseam@postgres.example.com:5432/goldseam'

test.each([
  ['mysql://me@db/links', `mysql:// is no store that is known here; ${EXPECTED}`],
  ['http://example.com', `http:// is no store that is known here; ${EXPECTED}`],
  ['redis.example.com:6379', NO_URL],
  ['s3cret', NO_URL],
  ['redis://', NO_URL],
  ['redis:///0', NO_URL],
  ['redis://a b', NO_URL],
  ['redis://me:s3cret@host:notaport', NO_URL],
  ['redis://host/0#s3cret', NO_URL],
  ['redis://me%zz@host', NO_URL],
  ['redis://:s3cret@host', TO_FILE],
  ['rediss://me:s3cret@host/1', TO_FILE],
  ['postgres://me:s3cret@host/links', TO_FILE],
  ['postgres://me@host/links?password=s3cret', TO_FILE],
  ['redis://host/s3cret', 'the path of a Redis URL is the number of a database, such as /0'],
  ['redis://host?x=s3cret', 'nothing is known to follow a ? in the URL of Redis; remove it'],
  ['postgres://host/links', PG_NAMES],
  ['postgres://me@host', PG_NAMES],
  ['postgres://me@host/', PG_NAMES],
  [
    'postgres://me@host/links?sslmode=require',
    'after the ? only sslmode=verify-full (TLS) or sslmode=disable is known',
  ],
  ['postgres://me@host/links?host=s3cret', 'after the ? only sslmode=verify-full (TLS) or sslmode=disable is known'],
])('%s is refused, without a secret in the words', (url, message) => {
  expect(parsed(`store: '${url}'`)).toEqual([`2 links.store: ${message}`])
  expect(message).not.toContain('s3cret')
})

test.each([
  ['store: redis://r, directory: links', '2 links.store: links are kept in one place; remove directory or store'],
  ['storePasswordFile: pw', '2 links.storePasswordFile: belongs to links.store'],
  ['directory: links, storeCaFile: ca', '2 links.storeCaFile: belongs to links.store'],
  [
    'store: redis://r, storeCaFile: ca',
    '2 links.storeCaFile: certificates need TLS: a store such as rediss://... or ...?sslmode=verify-full',
  ],
  ['store: 7', '2 links.store: a URL such as redis://redis.example.com:6379 or'],
  [
    'store: redis://r, storePasswordfile: pw',
    '2 links.storePasswordfile: unknown key; did you mean storePasswordFile?',
  ],
])('%s', (links, starts) => {
  const [error, ...others] = parsed(links)
  expect(others).toEqual([])
  expect(String(error)).toContain(starts)
})
