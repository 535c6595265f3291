import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lastingIn, ownDirectory, sweptDirectory } from './own-directory.ts'

const WEEK_MS = 7 * 86_400_000
const [OLD, NEW] = ['0123456789ABCDEF0123456789ABCDEF', 'FEDCBA9876543210FEDCBA9876543210']

let around: string
let directory: string
beforeEach(async () => {
  around = await mkdtemp(join(tmpdir(), 'goldseam-own-'))
  directory = join(around, 'own')
})
afterEach(() => rm(around, { recursive: true, force: true }))

test('it is made for this user alone, and keeps texts', async () => {
  const store = ownDirectory(directory, WEEK_MS)
  expect(await store.get('A')).toBeUndefined()
  await store.set('A', 'text')
  expect(await ownDirectory(directory, WEEK_MS).get('A')).toBe('text')
  expect((await stat(directory)).mode & 0o777).toBe(0o700)
  await store.delete('A')
  expect(await readdir(directory)).toEqual([])
})

test('one that others may read or write is not used, until that is mended', async () => {
  await mkdir(directory)
  await chmod(directory, 0o755)
  const store = ownDirectory(directory, WEEK_MS)
  await expect(store.set('A', 'text')).rejects.toMatchObject({ code: 'EPERM' })
  expect(await readdir(directory)).toEqual([])
  await chmod(directory, 0o700)
  await store.set('A', 'text')
  expect(await store.get('A')).toBe('text')
})

test('a link in its place leads nowhere', async () => {
  const elsewhere = join(around, 'elsewhere')
  await mkdir(elsewhere, { mode: 0o700 })
  await symlink(elsewhere, directory)
  await expect(ownDirectory(directory, WEEK_MS).set('A', 'text')).rejects.toMatchObject({ code: 'EPERM' })
  expect(await readdir(elsewhere)).toEqual([])
})

test('what nobody came back for in a day is removed', async () => {
  await mkdir(directory, { mode: 0o700 })
  for (const name of [`${OLD}.json`, `${NEW}.json`]) await writeFile(join(directory, name), 'text')
  const longAgo = Date.now() / 1_000 - 90_000
  await utimes(join(directory, `${OLD}.json`), longAgo, longAgo)
  expect(await ownDirectory(directory, WEEK_MS).get(NEW)).toBe('text')
  expect(await readdir(directory)).toEqual([`${NEW}.json`])
})

test('of a directory that somebody named only what was kept there is removed', async () => {
  await mkdir(directory)
  const longAgo = Date.now() / 1_000 - 90_000
  const cutOff = `${OLD}.json.0f8fad5b-d9cb-469f-a165-70867728950e.tmp`
  for (const name of [`${OLD}.json`, cutOff, `${NEW}.json`, 'notes.txt', 'old.json', 'XYZ234.json']) {
    await writeFile(join(directory, name), 'text')
    if (name !== `${NEW}.json`) await utimes(join(directory, name), longAgo, longAgo)
  }
  const store = sweptDirectory(directory, WEEK_MS)
  expect(await store.get(OLD)).toBeUndefined()
  expect((await readdir(directory)).toSorted()).toEqual([`${NEW}.json`, 'XYZ234.json', 'notes.txt', 'old.json'])
  await expect(sweptDirectory(join(around, 'none'), WEEK_MS).get('A')).resolves.toBeUndefined()
})

test.each([
  { kind: "this user's own", open: ownDirectory },
  { kind: 'named by somebody', open: sweptDirectory },
])('what is kept to last is removed when it is older than that: $kind', async ({ open }) => {
  const texts = lastingIn(open(directory, WEEK_MS))
  for (const key of [OLD, NEW]) await texts.set(key, 'text')
  for (const [key, days] of [
    [OLD, 8],
    [NEW, 6],
  ] as const) {
    const then = (Date.now() - days * 86_400_000) / 1_000
    await utimes(join(directory, `L${key.slice(1)}.json`), then, then)
  }
  const later = lastingIn(open(directory, WEEK_MS))
  expect(await later.get(OLD)).toBeUndefined()
  expect(await later.get(NEW)).toBe('text')
  await later.delete(NEW)
  expect(await readdir(directory)).toEqual([])
})
