import { brotliDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { guardedStore, StoreAway } from './guarded-store.ts'
import { createLinkStore } from './link-store.ts'
import { memoryStore } from './memory-store.ts'
import { wallCodes } from './wall-codes.ts'

/** What is kept of answers of these sizes, incompressible, where so many bytes may be. */
async function kept(sizes: readonly number[], maxBytes: number) {
  const store = memoryStore()
  const links = createLinkStore({ store, durable: false, maxCount: 10, maxBytes, keepForSeconds: null, clock: () => 0 })
  const answers = Object.fromEntries(sizes.map((size, index) => [`answer ${index}`, { text: noise(size, index) }]))
  const entry = { kind: 'evidence' as const, address: '/fleet', title: '', snapshotAtSeconds: 1, verdict: null }
  const { code, leftOut } = await links.make({ ...entry, answers })
  const { value } = JSON.parse((await store.get(code)) ?? '') as { value: { answers: string } }
  const bytes = Buffer.from(value.answers, 'base64')
  return { names: Object.keys(answers), leftOut, bytes, read: await links.answers(code), answers }
}

/** Letters that no packer makes much smaller. */
function noise(length: number, seed: number): string {
  let state = seed + 1
  const letters = Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return String.fromCharCode(33 + ((state >> 8) % 90))
  })
  return letters.join('').replaceAll('"', '!').replaceAll('\\', '/')
}

test('as many answers are kept as fit, the first ones, and the others are named', async () => {
  const sizes = fc.array(fc.integer({ min: 10, max: 400 }), { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer({ min: 600, max: 3_000 }), async (given, maxBytes) => {
      const { names, leftOut, bytes, read, answers } = await kept(given, maxBytes)
      const count = names.length - leftOut.length
      expect(leftOut).toEqual(names.slice(count))
      expect(read).toEqual(Object.fromEntries(Object.entries(answers).slice(0, count)))
      expect(JSON.parse(brotliDecompressSync(bytes).toString())).toEqual(read)
      expect(bytes.length).toBeLessThanOrEqual(maxBytes)
      // With one more they would not have fitted.
      const more = leftOut.length > 0 ? await kept(given.slice(0, count + 1), 1_000_000) : null
      if (more !== null) expect(more.bytes.length).toBeGreaterThan(maxBytes)
    }),
    { numRuns: 60 },
  )
})

test('an answer that is too large by itself is refused, and says which setting that is', async () => {
  await expect(kept([5_000, 10], 1_000)).rejects.toThrow(/larger than 1000 bytes, compressed \(links.maxBytes\)/)
})

const DAY = 86_400

/** A store of three links at most unless told otherwise, and what makes one of them. */
function small(keepForSeconds: number | null, maxCount = 3, store = memoryStore()) {
  let nowSeconds = 0
  const clock = () => nowSeconds
  const links = createLinkStore({ store, durable: false, maxCount, maxBytes: 1_000, keepForSeconds, clock })
  const bare = { kind: 'link' as const, title: '', snapshotAtSeconds: null, verdict: null, answers: null }
  return {
    links,
    clock,
    make: (address: string, byWall?: true) => links.make({ ...bare, address, ...(byWall ? { byWall } : {}) }),
    later(seconds: number) {
      nowSeconds += seconds
    },
  }
}

test('a full store refuses more with what to do; what is over makes room', async () => {
  const { links, make, later } = small(DAY)
  const first = await make('/a')
  for (const address of ['/b', '/c']) await make(address)
  await expect(make('/d')).rejects.toThrow(/3 links already, and none of them is over; raise links.maxCount/)
  later(DAY)
  const { code } = await make('/d')
  expect(await links.find(code)).toMatchObject({ state: 'kept', address: '/d' })
  expect(await links.find(first.code)).toBeNull()
})

test('links for ever are never deleted, and codes of walls are over after a week', async () => {
  const { links, make, later } = small(null)
  const mine = await make('/mine')
  const walls = [await make('/w1', true), await make('/w2', true)]
  expect(walls.map(({ expiresAtSeconds }) => expiresAtSeconds)).toEqual([7 * DAY, 7 * DAY])
  await expect(make('/w3', true)).rejects.toMatchObject({ reason: 'full' })
  later(7 * DAY)
  for (const address of ['/x', '/y']) await make(address)
  expect(await links.find(mine.code)).toMatchObject({ state: 'kept', expiresAtSeconds: null })
  later(700)
  await expect(make('/z')).rejects.toMatchObject({ reason: 'full' })
})

test('walls take nothing of what people may make in a minute, and leave a full store alone for a while', async () => {
  const { links, clock, make, later } = small(null)
  const asked: string[] = []
  const counting: typeof links.make = (entry) => {
    asked.push(entry.address)
    return links.make(entry)
  }
  const codeOf = wallCodes({ make: counting }, clock)
  for (const address of ['/1', '/2', '/3']) expect(await codeOf(address)).toMatch(/^[A-Z2-9]{6}$/)
  for (let times = 0; times < 100; times += 1) expect(await codeOf(`/more${times}`)).toBeNull()
  expect(asked).toHaveLength(4)
  later(60)
  expect(await codeOf('/again')).toBeNull()
  expect(asked).toHaveLength(5)
  await expect(make('/mine')).rejects.toMatchObject({ reason: 'full' })
})

test('so many links a minute, by a clock that may be set back', async () => {
  const { make, later } = small(null, 1_000)
  const minute = async (name: string) => {
    for (let index = 0; index < 60; index += 1) await make(`/${name}${index}`)
    await expect(make(`/${name}-more`)).rejects.toMatchObject({ reason: 'tooMany' })
  }
  await minute('first')
  later(-3_600)
  await minute('again')
  later(61)
  await make('/last')
})

test('evidence that is looked at is gone when it is over, for who has looked before too', async () => {
  const { links, later } = small(DAY)
  const bare = { kind: 'evidence' as const, title: '', address: '/fleet', snapshotAtSeconds: 1, verdict: null }
  const { code } = await links.make({ ...bare, answers: { fleet: {} } })
  expect(await links.answers(code)).toEqual({ fleet: {} })
  later(DAY)
  expect(await links.answers(code)).toBeNull()
})

test('a look for what is over that the store broke off is begun again, and nobody is told that there is nothing', async () => {
  const memory = memoryStore()
  let isAway = false
  const store = guardedStore(
    { ...memory, delete: async (key) => (isAway ? Promise.reject(new Error('away')) : memory.delete(key)) },
    () => undefined,
  )
  const { make, later } = small(DAY, 3, store)
  for (const address of ['/a', '/b', '/c']) await make(address)
  later(DAY)
  isAway = true
  await expect(make('/d')).rejects.toBeInstanceOf(StoreAway)
  isAway = false
  expect(await make('/d')).toMatchObject({ state: 'kept' })
})

test('who comes while it is looked for what is over waits for that', async () => {
  const { make, later } = small(DAY)
  for (const address of ['/a', '/b', '/c']) await make(address)
  later(DAY)
  const made = await Promise.all(['/d', '/e'].map((address) => make(address)))
  expect(made.map(({ state }) => state)).toEqual(['kept', 'kept'])
})

test("what others keep in the same place is neither a link nor in a full store's way", async () => {
  const store = guardedStore(memoryStore(), () => undefined)
  const foreign = memoryStore()
  await foreign.set('package', '{}')
  await store.set('README', 'no link at all')
  const both = { ...store, keys: async () => [...(await foreign.keys(9)), ...(await store.keys(9))] }
  const { make, later } = small(
    DAY,
    3,
    guardedStore(both, () => undefined),
  )
  for (const address of ['/a', '/b']) await make(address)
  await expect(make('/c')).rejects.toMatchObject({ reason: 'full' })
  later(DAY)
  expect(await make('/c')).toMatchObject({ state: 'kept' })
})

test('what is told of the same moment later does not take the place of what was saved', async () => {
  const { links } = small(null)
  const moment = { kind: 'evidence' as const, address: '/fleet', title: '', snapshotAtSeconds: 1, verdict: null }
  const before = { fleet: { clusters: ['east', 'west'] } }
  const after = { fleet: { clusters: ['east'] } }
  const first = await links.make({ ...moment, answers: before })
  const second = await links.make({ ...moment, answers: after })
  expect(second.code).not.toBe(first.code)
  expect(await links.answers(first.code)).toEqual(before)
  expect(await links.answers(second.code)).toEqual(after)
  expect((await links.make({ ...moment, answers: before })).code).toBe(first.code)
})
