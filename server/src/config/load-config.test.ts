import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadConfig } from './load-config.ts'
import { createSecrets } from './secrets.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'goldseam-config-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const config = (endpoint = '') => `clusters: [{ name: east, endpoints: [{ url: http://127.0.0.1:9090${endpoint} }] }]\n`
const places = (change: { argument?: string; environment?: string } = {}) => ({
  argument: null,
  environment: null,
  directory,
  ...change,
})

test('the argument wins over the environment, and that over the working directory', async () => {
  for (const name of ['a.yaml', 'e.yaml', 'goldseam.yaml']) writeFileSync(join(directory, name), config())
  const file = async (change: Parameters<typeof places>[0]) => {
    const result = await loadConfig(places(change))
    return result.state === 'loaded' ? result.loaded.file : result
  }
  expect(await file({ argument: 'a.yaml', environment: 'e.yaml' })).toBe(join(directory, 'a.yaml'))
  expect(await file({ environment: 'e.yaml' })).toBe(join(directory, 'e.yaml'))
  expect(await file({})).toBe(join(directory, 'goldseam.yaml'))
})

test('nothing found names the places', async () => {
  expect(await loadConfig(places())).toEqual({
    state: 'none',
    looked: [join(directory, 'goldseam.yaml'), '/etc/goldseam/goldseam.yaml'],
  })
})

test('a file asked for by name must be there, and be a file', async () => {
  mkdirSync(join(directory, 'dir'))
  expect(await loadConfig(places({ environment: 'x.yaml' }))).toEqual({
    state: 'invalid',
    errors: [`${join(directory, 'x.yaml')} (from $GOLDSEAM_CONFIG): cannot be read: there is no such file`],
  })
  expect(await loadConfig(places({ argument: 'dir' }))).toMatchObject({
    errors: [expect.stringContaining('it is a directory')],
  })
})

test('secret files are read relative to the config, trimmed, and missing ones all named', async () => {
  writeFileSync(join(directory, 'token'), ' abc\n')
  writeFileSync(join(directory, 'goldseam.yaml'), config(', bearerTokenFile: token'))
  const good = await loadConfig(places())
  expect(good.state === 'loaded' && (await good.loaded.secrets.read('token'))).toBe('abc')

  writeFileSync(join(directory, 'empty'), '\n')
  writeFileSync(join(directory, 'goldseam.yaml'), config(', bearerTokenFile: empty, caFile: ca.pem'))
  expect(await loadConfig(places())).toEqual({
    state: 'invalid',
    errors: [
      `${join(directory, 'goldseam.yaml')}:1:85: clusters[0].endpoints[0].bearerTokenFile: secret file ${join(directory, 'empty')} cannot be read: it is empty`,
      `${join(directory, 'goldseam.yaml')}:1:100: clusters[0].endpoints[0].caFile: secret file ${join(directory, 'ca.pem')} cannot be read: there is no such file`,
    ],
  })
})

test('the files of a store are read too', async () => {
  const file = join(directory, 'goldseam.yaml')
  const files = 'storePasswordFile: password, storeCaFile: ca.pem'
  writeFileSync(file, `${config('')}links: { store: rediss://redis.example.com, ${files} }\n`)
  const missing = (place: string, name: string) =>
    `${file}:${place}: secret file ${join(directory, name)} cannot be read: there is no such file`
  const [password, authority] = ['2:64: links.storePasswordFile', '2:87: links.storeCaFile']
  expect(await loadConfig(places())).toEqual({
    state: 'invalid',
    errors: [missing(password, 'password'), missing(authority, 'ca.pem')],
  })
  for (const name of ['password', 'ca.pem']) writeFileSync(join(directory, name), 'x')
  expect(await loadConfig(places())).toEqual({
    state: 'invalid',
    errors: [expect.stringContaining(`${authority}: ca.pem holds no certificate`)],
  })
})

test('a rotated token is picked up after a minute, and the last one is kept while the file is away', async () => {
  let nowSeconds = 0
  const secrets = createSecrets(directory, () => nowSeconds)
  writeFileSync(join(directory, 'token'), 'one')
  expect(await secrets.read('token')).toBe('one')
  writeFileSync(join(directory, 'token'), 'two')
  nowSeconds = 59
  expect(await secrets.read('token')).toBe('one')
  nowSeconds = 61
  expect(await secrets.read('token')).toBe('two')
  rmSync(join(directory, 'token'))
  nowSeconds = 200
  expect(await secrets.read('token')).toBe('two')
})

const OWN = 'give each one of its own'

test.each([
  {
    text: 'lastGoodDirectory: kept\nlinks: { directory: kept/ }',
    at: '3:21: links.directory',
    other: 'lastGoodDirectory',
  },
  {
    text: 'links: { directory: ./other/../kept }\nlastGoodDirectory: link',
    at: '2:21: links.directory',
    other: 'lastGoodDirectory',
  },
  // Neither is there yet.
  {
    text: 'lastGoodDirectory: kept/new\nlinks: { directory: link/new }',
    at: '3:21: links.directory',
    other: 'lastGoodDirectory',
  },
  { text: 'assetsDirectory: kept\nlinks: { directory: link }', at: '3:21: links.directory', other: 'assetsDirectory' },
  { text: 'assetsDirectory: link/\nlastGoodDirectory: kept', at: '2:18: assetsDirectory', other: 'lastGoodDirectory' },
])('one directory for two purposes is refused: $text', async ({ text, at, other }) => {
  mkdirSync(join(directory, 'kept'))
  symlinkSync('kept', join(directory, 'link'))
  const file = join(directory, 'goldseam.yaml')
  writeFileSync(file, `${config()}${text}\n`)
  const result = await loadConfig(places())
  expect(result).toEqual({ state: 'invalid', errors: [expect.stringContaining(OWN)] })
  const [said = ''] = result.state === 'invalid' ? result.errors : []
  expect(said).toContain(`${file}:${at}: is the directory of ${other} too`)
})

test('directories beside and within each other are no trouble', async () => {
  const text = 'assetsDirectory: kept\nlastGoodDirectory: kept/good\nlinks: { directory: kept/links }'
  writeFileSync(join(directory, 'goldseam.yaml'), `${config()}${text}\n`)
  expect((await loadConfig(places())).state).toBe('loaded')
})
