import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Access } from './access.ts'
import { Pairings } from './pairings.ts'
import { hashOf, newToken } from './tokens.ts'
import { WallStore } from './wall-store.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'goldseam-access-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const wall = (name: string) => ({ name, clusters: [], namespaces: [], createdAt: '2026-11-21T00:00:00Z' })

test('a wall token has no end, is kept as a hash only, and is gone once revoked', () => {
  const file = join(directory, 'state/walls.json')
  const access = new Access({ tokens: [], walls: [] }, new WallStore(file))
  const token = access.addWall(wall('noc'))
  expect(readFileSync(file, 'utf8')).not.toContain(token.slice(4))
  expect(readFileSync(file, 'utf8')).toContain(hashOf(token))
  expect(access.callerOf(token)).toMatchObject({ kind: 'wall', wall: { name: 'noc' } })
  access.renameWall('noc', 'lobby')
  expect(access.callerOf(token)).toMatchObject({ wall: { name: 'lobby' } })
  expect(() => access.renameWall('noc', 'x')).toThrow(/no wall named noc .*there: lobby/)
  expect(() => access.addWall(wall('lobby'))).toThrow(/exists already/)
  access.revokeWall('lobby')
  expect(access.callerOf(token)).toBeNull()
})

test('what another program changes in the file holds within a second', () => {
  const file = join(directory, 'walls.json')
  let now = 0
  const server = new Access({ tokens: [], walls: [] }, new WallStore(file, () => now))
  expect(server.callerOf('x')).toBeNull()
  const token = new Access({ tokens: [], walls: [] }, new WallStore(file)).addWall(wall('noc'))
  now += 1_001
  expect(server.callerOf(token)).toMatchObject({ kind: 'wall' })
  new WallStore(file).revoke('noc')
  // Also where the clock was set back meanwhile.
  now -= 3_600_000
  expect(server.callerOf(token)).toBeNull()
})

test('a file that cannot be understood is not written over', () => {
  const file = join(directory, 'walls.json')
  writeFileSync(file, '{ "walls": [1] }')
  expect(() => new WallStore(file).add({ ...wall('noc'), hash: 'x' })).toThrow(/mend it or move it away/)
  expect(readFileSync(file, 'utf8')).toBe('{ "walls": [1] }')
})

test('a file that is written anew stays as readable as it was', () => {
  const file = join(directory, 'walls.json')
  new WallStore(file).add({ ...wall('noc'), hash: 'x' })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  chmodSync(file, 0o660)
  new WallStore(file).rename('noc', 'lobby')
  expect(statSync(file).mode & 0o777).toBe(0o660)
})

/** Only root gives files away. */
const asRoot = test.runIf(process.getuid?.() === 0)

asRoot('what root changes or makes stays with the user whose server reads it', () => {
  const owned = join(directory, 'state')
  mkdirSync(owned)
  chownSync(owned, 12_345, 12_346)
  const file = join(owned, 'new/walls.json')
  new WallStore(file).add({ ...wall('noc'), hash: 'x' })
  expect(statSync(file)).toMatchObject({ uid: 12_345, gid: 12_346 })
  chownSync(file, 23_456, 23_457)
  new WallStore(file).revoke('noc')
  expect(statSync(file)).toMatchObject({ uid: 23_456, gid: 23_457 })
})

/** Whose the file is, who replaces it, and what comes of it. */
asRoot("who cannot keep a file the other user's is refused, and leaves it as it was", () => {
  expect(() => revokedBy({ uid: 54_321, gid: 0, mode: 0o640 })).toThrow(
    /belongs to another user \(number 54321, .*run this as that user/,
  )
  expect(readdirSync(directory)).toEqual(['walls.json'])
  expect(new WallStore(join(directory, 'walls.json')).list()).toHaveLength(1)
})

asRoot('who takes it from nobody may replace it: root and everybody may read it still, or it is their own', () => {
  for (const owner of [
    { uid: 0, gid: 0, mode: 0o644 },
    { uid: 54_321, gid: 54_321, mode: 0o644 },
    { uid: 12_345, gid: 54_321, mode: 0o600 },
  ]) {
    revokedBy(owner)
    expect(new WallStore(join(directory, 'walls.json')).list()).toEqual([])
  }
})

function revokedBy({ uid, gid, mode }: { readonly uid: number; readonly gid: number; readonly mode: number }): void {
  const file = join(directory, 'walls.json')
  new WallStore(file).add({ ...wall('noc'), hash: 'x' })
  chmodSync(directory, 0o777)
  chmodSync(file, mode)
  chownSync(file, uid, gid)
  process.seteuid?.(12_345)
  try {
    new WallStore(file).revoke('noc')
  } finally {
    process.seteuid?.(0)
  }
}

test('a person is told from a wall, and either from nobody', () => {
  const [person, screen] = [newToken('person'), newToken('wall')]
  const walls = [{ ...wall('listed'), hash: hashOf(screen) }]
  const access = new Access({ tokens: [{ name: 'ann', hash: hashOf(person) }], walls }, null)
  expect(access.callerOf(person)).toEqual({ kind: 'person', name: 'ann' })
  expect(access.callerOf(screen)).toMatchObject({ kind: 'wall', wall: { name: 'listed' } })
  expect(access.callerOf(newToken('person'))).toBeNull()
  expect(access.callerOf(hashOf(person))).toBeNull()
  expect(access.callerOf(null)).toBeNull()
  expect(new Access({ tokens: null, walls: [] }, null).callerOf(null)).toEqual({ kind: 'anybody' })
})

test('no screen gets the name of one that the config lists', () => {
  const listed = { ...wall('hall'), hash: hashOf('x') }
  const access = new Access({ tokens: [], walls: [listed] }, new WallStore(join(directory, 'walls.json')))
  expect(() => access.addWall(wall('hall'))).toThrow(/hall is listed in the config; choose another name/)
  access.addWall(wall('lobby'))
  expect(() => access.renameWall('lobby', 'hall')).toThrow(/hall is listed in the config/)
  expect(access.walls().map(({ name }) => name)).toEqual(['hall', 'lobby'])
})

test('a code leads to one token, once, and not for long', () => {
  let now = 0
  const pairings = new Pairings(() => now)
  const started = pairings.start('10.0.0.1')
  if (started === null) throw new Error('no code')
  expect(started.code).toMatch(/^\d{6}$/)
  expect(pairings.claim(started.secret)).toEqual({ state: 'waiting' })
  expect(pairings.approve('000', () => 'never')).toBe(false)
  const spaced = `${started.code.slice(0, 3)} ${started.code.slice(3)}`
  expect(pairings.approve(spaced, () => 'token')).toBe(true)
  expect(pairings.approve(spaced, () => 'second')).toBe(false)
  expect(pairings.claim(started.secret)).toEqual({ state: 'paired', token: 'token' })
  expect(pairings.claim(started.secret)).toEqual({ state: 'gone' })
  const late = pairings.start('10.0.0.1')
  now += 600_001
  expect(pairings.approve(late?.code ?? '', () => 'never')).toBe(false)
  expect(pairings.claim(late?.secret ?? '')).toEqual({ state: 'gone' })
})

test('screens behind one address that still ask keep their codes; those that are gone make room', () => {
  let now = 0
  const pairings = new Pairings(() => now)
  const start = () => pairings.start('10.0.0.1')
  const screens = Array.from({ length: 8 }, start)
  expect(screens.map((screen) => pairings.claim(screen?.secret ?? ''))).toEqual(
    Array.from({ length: 8 }, () => ({ state: 'waiting' })),
  )
  while (start() !== null) now += 1
  const [first, switchedOff, ...others] = screens
  for (const passed of [3_000, 60_000, 60_000]) {
    now += passed
    for (const screen of [first, ...others]) pairings.claim(screen?.secret ?? '')
  }
  expect(start()).not.toBeNull()
  expect(pairings.claim(switchedOff?.secret ?? '')).toEqual({ state: 'gone' })
  expect(pairings.approve(first?.code ?? '', () => 'token')).toBe(true)
})

test('one address cannot use up all codes, nor all of them the memory', () => {
  const pairings = new Pairings()
  const started = (from: string) =>
    Array.from({ length: 500 }, () => pairings.start(from)).filter((one) => one !== null)
  expect(started('10.0.0.1').length).toBeLessThanOrEqual(50)
  expect(pairings.start('10.0.0.2')).not.toBeNull()
  const all = Array.from({ length: 20 }, (_, index) => started(`10.0.1.${index}`).length)
  expect(all.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(200)
})
