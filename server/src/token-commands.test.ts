import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hashOf } from './access/tokens.ts'
import { composeAccess } from './compose-access.ts'
import { parseConfig } from './config/config.ts'
import { createSecrets } from './config/secrets.ts'
import { createLogger } from './telemetry/logger.ts'
import { tokenCommand, type WallsOptions, wallsCommand } from './token-commands.ts'

const CONFIG = `clusters: [{ name: east, endpoints: [{ url: http://e }] }, { name: west, endpoints: [{ url: http://w }] }]
auth:
  tokens: [{ name: ann, hash: "${hashOf('gst_ann')}" }]
  walls: [{ name: hall, hash: "${hashOf('gsw_hall')}", clusters: [west] }]
`

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'goldseam-walls-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

function setUp() {
  const file = join(directory, 'goldseam.yaml')
  const parsed = parseConfig(CONFIG, file)
  if (!('config' in parsed)) throw new Error('the config is wrong')
  const { config } = parsed
  const walls = (words: string, options: Partial<WallsOptions> = {}) =>
    wallsCommand(
      words.split(' '),
      { clusters: null, namespaces: null, ...options },
      { config, file, secrets: createSecrets(directory) },
      '2026-11-21T03:31:00Z',
    )
  // As the running server sees it: another program, the same file.
  const callerOf = (token: string) =>
    composeAccess(config, file, createLogger({ level: 'silent' }), () => 0).callerOf(token)
  return { walls, callerOf }
}

test('a token is made for a name that the config takes, with its line for it', () => {
  const made = tokenCommand(['ann'])
  const line = /^auth:\n.*/ms.exec(made.out)?.[0] ?? ''
  const clusters = 'clusters: [{ name: east, endpoints: [{ url: http://e }] }]'
  expect(parseConfig(`${clusters}\n${line}`, 'f')).toHaveProperty('config')
  expect(tokenCommand(['ann@example.com'])).toMatchObject({
    code: 2,
    out: '',
    error: expect.stringContaining('ann@example.com: use up to 63 letters, digits, spaces, - . and _'),
  })
})

test('a screen is made for a part of the fleet, renamed and revoked; the server knows it each time', () => {
  const { walls, callerOf } = setUp()
  const added = walls('add lobby', { clusters: 'east', namespaces: 'shop, pay' })
  expect(added).toMatchObject({ code: 0, error: '' })
  const token = /#token=(gsw_[\w-]+)/.exec(added.out)?.[1] ?? ''
  expect(callerOf(token)).toMatchObject({
    wall: { name: 'lobby', clusters: ['east'], namespaces: ['shop', 'pay'], createdAt: '2026-11-21T03:31:00Z' },
  })
  expect(readFileSync(join(directory, 'goldseam-walls.json'), 'utf8')).not.toContain(token)
  expect(walls('list').out).toBe(
    'hall\twest\tall namespaces\tlisted in the config\nlobby\teast\tshop,pay\tsince 2026-11-21T03:31:00Z\n',
  )
  expect(walls('rename lobby entrance')).toMatchObject({ code: 0, out: 'lobby is entrance now\n' })
  expect(callerOf(token)).toMatchObject({ wall: { name: 'entrance', clusters: ['east'] } })
  expect(walls('revoke entrance').code).toBe(0)
  expect(callerOf(token)).toBeNull()
})

test('a screen that was paired under a name that the config lists by now is revoked first', () => {
  const { walls } = setUp()
  const paired = { name: 'hall', hash: hashOf('x'), clusters: [], namespaces: [], createdAt: '2026-11-21T03:31:00Z' }
  const file = join(directory, 'goldseam-walls.json')
  writeFileSync(file, JSON.stringify({ walls: [paired] }))
  expect(walls('revoke hall')).toMatchObject({ code: 0, out: 'hall may no longer look\n' })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ walls: [] })
  expect(walls('revoke hall').error).toContain('take it out there and restart')
})

test.each<{ words: string; options?: Partial<WallsOptions>; says: string }>([
  { words: 'add lobby', options: { clusters: 'wst' }, says: 'cluster wst is not configured here (known: east, west)' },
  { words: 'add lobby', options: { clusters: 'east,' }, says: 'write lists as east,west' },
  { words: 'add hall', says: 'a wall named hall is listed in' },
  { words: 'rename lobby hall', says: 'a wall named hall is listed in' },
  { words: 'add lob/by', says: 'use up to 63 letters' },
  { words: 'list', options: { clusters: 'east' }, says: 'belong to walls add' },
  { words: 'revoke hall', says: 'take it out there and restart' },
  { words: 'revoke nobody', says: 'there is no wall named nobody' },
])('walls $words is refused: $says', ({ words, options, says }) => {
  const { code, out, error } = setUp().walls(words, options)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(error).toContain(says)
})
