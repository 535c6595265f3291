import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { codeOf } from './code.ts'
import { openNoteStore } from './note-store.ts'
import { openLinkStore } from './open-store.ts'

let directory: string
let nowSeconds: number
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'goldseam-links-'))
  nowSeconds = 1_000_000
})
afterEach(() => rm(directory, { recursive: true, force: true }))

function open(change: Partial<Parameters<typeof openLinkStore>[0]> = {}) {
  return openLinkStore({
    directory,
    maxCount: 100,
    maxBytes: 10_000,
    keepForSeconds: null,
    clock: () => nowSeconds,
    ...change,
  })
}

const link = (address: string) => ({
  kind: 'link' as const,
  address,
  title: 'cart',
  snapshotAtSeconds: null,
  verdict: null,
  answers: null,
})
const evidence = (answers: Record<string, object>) => ({
  ...link('/triage'),
  kind: 'evidence' as const,
  snapshotAtSeconds: 999_000,
  verdict: 'cart is slow',
  answers,
})

test('codes are short, legible, and the same for the same content', () => {
  const codes = Array.from({ length: 500 }, (_, index) => codeOf(`content ${index}`, 6))
  expect(new Set(codes).size).toBe(500)
  for (const code of codes) expect(code).toMatch(/^[2-9A-HJKMNP-TV-Z]{6}$/)
  expect(codeOf('a', 6)).toBe(codeOf('a', 6))
  expect(codeOf('a', 9).slice(0, 6)).toBe(codeOf('a', 6))
})

test('what is made is found by another server on the same directory, answers included', async () => {
  const made = await open().make(evidence({ fleet: { workloads: ['w'] } }))
  const other = open()
  expect(await other.find(made.code)).toEqual(made)
  expect(await other.answers(made.code)).toEqual({ fleet: { workloads: ['w'] } })
  expect(await readdir(directory)).toEqual([`${made.code}.json`])
})

test('the same link twice is one link', async () => {
  const store = open()
  const first = await store.make(link('/fleet?q=a'))
  expect((await store.make(link('/fleet?q=a'))).code).toBe(first.code)
  expect((await store.make(link('/fleet?q=b'))).code).not.toBe(first.code)
  expect(await readdir(directory)).toHaveLength(2)
})

test('a code that another content has grows by a letter', async () => {
  const store = open()
  const first = await store.make(link('/fleet?q=a'))
  // As after a collision: the file of the shorter code holds something else.
  const path = join(directory, `${first.code}.json`)
  await writeFile(path, (await readFile(path, 'utf8')).replace('/fleet?q=a', '/fleet?q=z'))
  const second = await store.make(link('/fleet?q=a'))
  expect(second.code).toHaveLength(7)
  expect((await store.find(second.code))?.address).toBe('/fleet?q=a')
  expect((await store.find(first.code))?.address).toBe('/fleet?q=z')
})

test('an expired link says what it was, not where it led, and its answers are gone from the disk', async () => {
  const store = open({ keepForSeconds: 3_600 })
  const { code } = await store.make(evidence({ fleet: { secret: 'bulk' } }))
  nowSeconds += 3_599
  expect(await store.find(code)).toMatchObject({ state: 'kept', address: '/triage' })
  nowSeconds += 1
  expect(await store.find(code)).toMatchObject({
    state: 'expired',
    address: null,
    title: 'cart',
    verdict: 'cart is slow',
  })
  expect(await store.answers(code)).toBeNull()
  expect(JSON.parse(await readFile(join(directory, `${code}.json`), 'utf8')).value.answers).toBeNull()
})

test('full is said, and nothing is deleted to make room', async () => {
  const store = open({ maxCount: 2 })
  const first = await store.make(link('/a'))
  await store.make(link('/b'))
  await expect(store.make(link('/c'))).rejects.toMatchObject({ reason: 'full' })
  expect(await store.find(first.code)).not.toBeNull()
  await expect(store.make(link('/a'))).resolves.toMatchObject({ code: first.code })
})

test('what does not fit is left out from the end and named; what fits not at all is refused', async () => {
  const noise = (bytes: number) => ({ text: Array.from({ length: bytes / 8 }, (_, i) => codeOf(`${i}`, 8)).join('') })
  const store = open({ maxBytes: 4_000 })
  const made = await store.make(evidence({ suspects: { few: 1 }, fleet: noise(2_000), topology: noise(40_000) }))
  expect(made.leftOut).toEqual(['topology'])
  expect(Object.keys((await store.answers(made.code)) ?? {})).toEqual(['suspects', 'fleet'])
  await expect(store.make(evidence({ fleet: noise(80_000) }))).rejects.toMatchObject({ reason: 'tooLarge' })
})

test('sixty a minute, then a pause', async () => {
  const store = open({ directory: null })
  for (let index = 0; index < 60; index += 1) await store.make(link(`/${index}`))
  await expect(store.make(link('/one-more'))).rejects.toMatchObject({ reason: 'tooMany' })
  nowSeconds += 61
  await expect(store.make(link('/one-more'))).resolves.toBeDefined()
})

test.each(['../../etc/passwd', 'a/b', '', 'lower', 'A'.repeat(40)])(
  'the key %s never becomes a file name',
  async (key) => {
    await expect(open().find(key)).rejects.toThrow(/digits and capital letters/)
  },
)

test('a store that cannot be written is a failure, not a link', async () => {
  await writeFile(join(directory, 'file'), '')
  await expect(open({ directory: join(directory, 'file') }).make(link('/a'))).rejects.toThrow()
})

test('a note for the walls is seen by another server on the same directory, ends by itself, and is no link', async () => {
  const [mine, theirs] = [0, 1].map(() => openNoteStore({ directory, clock: () => nowSeconds }))
  const note = { text: 'rolling back', by: 'ann', untilSeconds: nowSeconds + 60 }
  expect(await theirs?.read()).toBeNull()
  await mine?.write(note)
  nowSeconds += 1
  expect(await theirs?.read()).toEqual(note)
  const [file = ''] = await readdir(directory)
  expect(await open().find(file.replace('.json', ''))).toBeNull()
  nowSeconds += 59
  expect(await theirs?.read()).toBeNull()
})
