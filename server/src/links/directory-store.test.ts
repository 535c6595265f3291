import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { directoryStore } from './directory-store.ts'
import { guardedStore, StoreAway } from './guarded-store.ts'

const TOO_MUCH = 'more than the disk takes'
vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:fs/promises')>()
  return {
    ...real,
    async writeFile(path: string, text: string, options: object) {
      if (text !== TOO_MUCH) return real.writeFile(path, text, options)
      await real.writeFile(path, text.slice(0, 4), options)
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    },
  }
})

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'goldseam-links-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

test('one file a key, only for who runs Goldseam, and nothing beside it', async () => {
  const store = directoryStore(join(directory, 'links'))
  expect(await store.holds(1)).toBe(false)
  expect(await store.add('ABC', '1')).toBe(true)
  expect(await store.add('ABC', '2')).toBe(false)
  await store.set('ABC', '3')
  expect(await readdir(join(directory, 'links'))).toEqual(['ABC.json'])
  expect((await stat(join(directory, 'links/ABC.json'))).mode & 0o777).toBe(0o600)
  expect(await store.get('ABC')).toBe('3')
})

test('a directory that cannot be read or written is a failure with a reason, not a link, and names no path', async () => {
  const file = join(directory, 'file')
  await writeFile(file, '')
  const troubles: (string | null)[] = []
  const store = guardedStore(directoryStore(file), (why) => troubles.push(why))
  for (const ask of [() => store.add('ABC', '1'), () => store.get('ABC'), () => store.holds(1)]) {
    const failure = await ask().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(StoreAway)
    expect(String(failure)).toBe('StoreAway: the store of links is no directory')
  }
  expect(new Set(troubles)).not.toContain(null)
})

test('what could not be written leaves nothing behind', async () => {
  const store = directoryStore(directory)
  // A place that nothing can be moved to.
  await mkdir(join(directory, 'ABC.json'))
  await expect(store.set('ABC', '1')).rejects.toMatchObject({ code: 'EISDIR' })
  expect(await readdir(directory)).toEqual(['ABC.json'])
  for (const write of [() => store.set('DEF', TOO_MUCH), () => store.add('DEF', TOO_MUCH)])
    await expect(write()).rejects.toMatchObject({ code: 'ENOSPC' })
  expect(await readdir(directory)).toEqual(['ABC.json'])
})

test('what a process left that was ended while it wrote is swept, and nothing else', async () => {
  const [old, fresh] = ['0f8fad5b-d9cb-469f-a165-70867728950e', '1f8fad5b-d9cb-469f-a165-70867728950e']
  const foreign = ['notes.tmp', 'ABC.json.backup.tmp']
  for (const name of [`ABC.json.${old}.tmp`, `ABC.json.${fresh}.tmp`, ...foreign]) {
    await writeFile(join(directory, name), 'x')
    const longAgo = Date.now() / 1_000 - 7_200
    if (!name.includes(fresh)) await utimes(join(directory, name), longAgo, longAgo)
  }
  await directoryStore(directory).set('DEF', '1')
  expect((await readdir(directory)).toSorted()).toEqual([
    'ABC.json.1f8fad5b-d9cb-469f-a165-70867728950e.tmp',
    'ABC.json.backup.tmp',
    'DEF.json',
    'notes.tmp',
  ])
})

test("somebody else's files are no links", async () => {
  for (const name of ['package.json', 'a b.json', 'ABC-DEF.json']) await writeFile(join(directory, name), '{}')
  const store = directoryStore(directory)
  await store.set('ABC', '1')
  expect(await store.holds(2)).toBe(false)
  expect(await store.keys(10)).toEqual(['ABC'])
})
