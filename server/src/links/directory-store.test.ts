import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { directoryStore } from './directory-store.ts'
import { guardedStore, StoreAway } from './guarded-store.ts'

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
