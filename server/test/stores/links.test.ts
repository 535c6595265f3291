import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { codeOf, SHORTEST_CODE } from '../../src/links/code.ts'
import type { KeptStore } from '../../src/links/kept-store.ts'
import { memoryStore } from '../../src/links/memory-store.ts'
import { createNoteStore } from '../../src/links/note-store.ts'
import { evidence, holdServersAreHere, type Kept, KINDS, link, linksIn, MISSING, openOne } from './kept-in.ts'

holdServersAreHere()
if (MISSING.length > 0) process.stderr.write(`not run: links in ${MISSING.join(' and ')} (npm run setup:engines)\n`)

test('codes are short, legible, and the same for the same content', () => {
  const codes = Array.from({ length: 500 }, (_, index) => codeOf(`content ${index}`, 6))
  expect(new Set(codes).size).toBe(500)
  for (const code of codes) expect(code).toMatch(/^[2-9A-HJKMNP-TV-Z]{6}$/)
  expect(codeOf('a', 6)).toBe(codeOf('a', 6))
  expect(codeOf('a', 9).slice(0, 6)).toBe(codeOf('a', 6))
})

/** What `link(address)` is coded from. */
const contentOf = (address: string) => JSON.stringify(['link', address, null])

/** Two addresses whose shortest codes are the same, such as one finds among some ten thousand. */
function twoOfOneCode(): readonly [string, string] {
  const seen = new Map<string, string>()
  for (let index = 0; ; index += 1) {
    const address = `/fleet?q=${index}`
    const code = codeOf(contentOf(address), SHORTEST_CODE)
    const other = seen.get(code)
    if (other !== undefined) return [other, address]
    seen.set(code, address)
  }
}

test('sixty a minute, then a pause', async () => {
  let nowSeconds = 1_000_000
  const links = linksIn(memoryStore(), { clock: () => nowSeconds })
  for (let index = 0; index < 60; index += 1) await links.make(link(`/${index}`))
  await expect(links.make(link('/one-more'))).rejects.toMatchObject({ reason: 'tooMany' })
  nowSeconds += 61
  await expect(links.make(link('/one-more'))).resolves.toBeDefined()
})

describe.each([...KINDS])('links in %s', (_name, keep) => {
  let kept: Kept
  let nowSeconds: number
  let mine: KeptStore
  let theirs: KeptStore
  /** Tests share one server: each has links of its own. */
  let prefix = ''
  let sequence = 0
  beforeAll(async () => {
    kept = await keep()
  })
  afterAll(() => kept.close())
  beforeEach(async () => {
    nowSeconds = 1_000_000
    sequence += 1
    prefix = `/fleet?test=${sequence}`
    mine = (await openOne(kept.place)).store
    theirs = (await openOne(kept.place)).store
  })
  afterEach(() => Promise.all([mine.close(), theirs.close()]))
  const clock = () => nowSeconds

  test('what is made is found by another server, answers included', async () => {
    const made = await linksIn(mine).make({ ...evidence({ fleet: { workloads: ['w'] } }), address: prefix })
    const other = linksIn(theirs)
    expect(await other.find(made.code)).toEqual(made)
    expect(await other.answers(made.code)).toEqual({ fleet: { workloads: ['w'] } })
    expect(await other.find('ZZZZZZZZ')).toBeNull()
  })

  test('the same link twice is one link, which keeps its first title', async () => {
    const first = await linksIn(mine).make(link(`${prefix}a`))
    const second = await linksIn(theirs).make({ ...link(`${prefix}a`), title: 'again' })
    expect([second.code, second.title]).toEqual([first.code, 'cart'])
    expect((await linksIn(mine).make(link(`${prefix}b`))).code).not.toBe(first.code)
  })

  test('a link that is made by several at once is one link, and opens', async () => {
    const makers = [mine, theirs].flatMap((store) => [linksIn(store), linksIn(store), linksIn(store)])
    const made = await Promise.all(makers.map((links) => links.make(link(prefix))))
    expect(new Set(made.map(({ code }) => code)).size).toBe(1)
    expect((await linksIn(theirs).find(made[0]?.code ?? ''))?.address).toBe(prefix)
  })

  test('two links of one code, made at once on two servers, both lead where they led', async () => {
    const pair = twoOfOneCode()
    const [one, other] = await Promise.all([linksIn(mine).make(link(pair[0])), linksIn(theirs).make(link(pair[1]))])
    expect([one.code.length, other.code.length].sort()).toEqual([SHORTEST_CODE, SHORTEST_CODE + 1])
    const found = await Promise.all([one, other].map(({ code }) => linksIn(mine).find(code)))
    expect(found.map((entry) => entry?.address)).toEqual(pair)
  })

  test('a key that somebody has is not given to another, however many want it at once', async () => {
    const key = `RACE${sequence}`
    const values = Array.from({ length: 20 }, (_, index) => `value ${index}`)
    const won = await Promise.all(values.map((value, index) => (index % 2 === 0 ? mine : theirs).add(key, value)))
    expect(won.filter(Boolean)).toHaveLength(1)
    expect(await theirs.get(key)).toBe(values[won.indexOf(true)])
    await mine.delete(key)
    expect(await theirs.get(key)).toBeUndefined()
  })

  test('an expired link says what it was, not where it led, and its answers are no longer kept', async () => {
    const links = linksIn(mine, { keepForSeconds: 3_600, clock })
    const { code } = await links.make({ ...evidence({ fleet: { secret: 'bulk' } }), address: prefix })
    nowSeconds += 3_599
    expect(await links.find(code)).toMatchObject({ state: 'kept', address: prefix })
    nowSeconds += 1
    const expired = { state: 'expired', address: null, title: 'cart', verdict: 'cart is slow' }
    expect(await links.find(code)).toMatchObject(expired)
    expect(await links.answers(code)).toBeNull()
    expect(JSON.parse((await theirs.get(code)) ?? '').value.answers).toBeNull()
  })

  test('full is said by every server, and nothing is deleted to make room', async () => {
    // However many the other tests made, one more is one too many.
    let count = 0
    while (await mine.holds(count + 1)) count += 1
    const first = await linksIn(mine, { maxCount: count + 2 }).make(link(`${prefix}a`))
    await linksIn(theirs, { maxCount: count + 2 }).make(link(`${prefix}b`))
    for (const store of [mine, theirs]) {
      const links = linksIn(store, { maxCount: count + 2 })
      await expect(links.make(link(`${prefix}c`))).rejects.toMatchObject({ reason: 'full' })
      expect((await links.find(first.code))?.address).toBe(`${prefix}a`)
      await expect(links.make(link(`${prefix}a`))).resolves.toMatchObject({ code: first.code })
    }
    await expect(linksIn(mine, { maxCount: count + 3 }).make(link(`${prefix}c`))).resolves.toBeDefined()
  })

  test('what does not fit is left out from the end and named; what fits not at all is refused', async () => {
    const noise = (bytes: number) => ({ text: Array.from({ length: bytes / 8 }, (_, i) => codeOf(`${i}`, 8)).join('') })
    const links = linksIn(mine, { maxBytes: 4_000 })
    const answers = { suspects: { few: 1 }, fleet: noise(2_000), topology: noise(40_000) }
    const made = await links.make({ ...evidence(answers), address: prefix })
    expect(made.leftOut).toEqual(['topology'])
    expect(Object.keys((await linksIn(theirs).answers(made.code)) ?? {})).toEqual(['suspects', 'fleet'])
    await expect(links.make(evidence({ fleet: noise(80_000) }))).rejects.toMatchObject({ reason: 'tooLarge' })
  })

  test('evidence of a megabyte comes back whole', async () => {
    const text = Array.from({ length: 150_000 }, (_, i) => codeOf(`${i}`, 8)).join('')
    const made = await linksIn(mine, { maxBytes: 1_048_576 }).make({
      ...evidence({ fleet: { text } }),
      address: prefix,
    })
    expect(made.leftOut).toEqual([])
    expect(await linksIn(theirs).answers(made.code)).toEqual({ fleet: { text } })
  })

  test('titles in every script, quotes and control characters come back as they were', async () => {
    const title = 'кошик 🛒 "quoted" \\ \u0000 \n end'
    const { code } = await linksIn(mine).make({ ...link(prefix), title })
    expect((await linksIn(theirs).find(code))?.title).toBe(title)
  })

  test('a note for the walls is seen by another server, ends by itself, and is no link', async () => {
    const note = { text: 'rolling back', by: 'ann', untilSeconds: nowSeconds + 60 }
    const others = createNoteStore(theirs, clock)
    expect(await others.read()).toBeNull()
    await createNoteStore(mine, clock).write(note)
    nowSeconds += 1
    expect(await others.read()).toEqual(note)
    expect(await linksIn(mine).find('NOTEONTHEWALLOFALL')).toBeNull()
    nowSeconds += 59
    expect(await others.read()).toBeNull()
    await createNoteStore(mine, clock).write(null)
    expect(await theirs.get('NOTEONTHEWALLOFALL')).toBeUndefined()
  })

  test.each(['../../etc/passwd', 'a/b', '', 'lower', 'A'.repeat(40), '*', "A'; DROP TABLE goldseam_links; --"])(
    'the key %s never reaches the store',
    async (key) => {
      await expect(linksIn(mine).find(key)).rejects.toThrow(/digits and capital letters/)
      await expect(mine.set(key, 'x')).rejects.toThrow(/digits and capital letters/)
    },
  )
})
