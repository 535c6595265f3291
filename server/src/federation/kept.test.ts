import { gunzipSync } from 'node:zlib'
import { beforeEach, expect, test } from 'vitest'
import { writingPieces } from './in-pieces.ts'
import { type KeptTexts, keeperOf, NOT_KEPT } from './kept.ts'

function held(): KeptTexts {
  const entries = new Map<string, string>()
  return {
    get: async (key) => entries.get(key),
    async set(key, value) {
      entries.set(key, value)
    },
    async delete(key) {
      entries.delete(key)
    },
  }
}

let texts: KeptTexts
let noted: string[]
beforeEach(() => {
  texts = held()
  noted = []
})
const keeper = () => keeperOf(texts, (why) => noted.push(why))
const VALUE = { at: Number.NaN, names: new Set(['a']), by: new Map([['b', [1, Number.POSITIVE_INFINITY]]]) }

test('another process finds what was kept, under the same words only', async () => {
  await keeper()('east').save(() => VALUE)
  expect(await keeper()('east').load()).toEqual(VALUE)
  expect(await keeper()('west').load()).toBeNull()
  await keeper()('east').forget()
  expect(await keeper()('east').load()).toBeNull()
  expect(noted).toEqual([])
})

test('the words that identify it are written nowhere: they may hold what opens a gateway', async () => {
  const written: string[] = []
  const { set } = texts
  texts.set = (key, value) => {
    written.push(key, value, gunzipSync(Buffer.from(value, 'base64')).toString('latin1'))
    return set(key, value)
  }
  const words = 'last good values of east, http://p {"headers":{"x-api-key":"s3cret"}}'
  await keeper()(words).save(() => VALUE)
  expect(written).toHaveLength(3)
  expect(written.join(' ')).not.toMatch(/s3cret|x-api-key|http:/)
  expect(written.at(-1)).toContain('last good values of east')
  expect(await keeper()(words).load()).toEqual(VALUE)
})

test('what was said last counts', async () => {
  const kept = keeper()<string[]>('east')
  void kept.save(() => ['first'])
  void kept.forget()
  await kept.save(() => ['last'])
  expect(await kept.load()).toEqual(['last'])
})

test('what is large is written in pieces, others having a turn between them', async () => {
  const flow = (index: number) => ({ index, names: new Set([`x${index}`]), at: Number.NaN })
  const flows = new Map(Array.from({ length: 1_000 }, (_, index) => [`x${index}`, flow(index)]))
  const large = { flows, list: [...flows.values()], columns: new Float32Array(1_000).fill(7), few: new Map([[1, 2]]) }
  let turns = 0
  for (const _ of writingPieces(large)) turns += 1
  expect(turns).toBeGreaterThan(25)
  const kept = keeper()<unknown>('east')
  await kept.save(() => ({ deep: [large, { large }] }))
  expect(await keeper()('east').load()).toEqual({ deep: [large, { large }] })
  await kept.save(() => ({ large }), true)
  expect(await keeper()('east').load()).toEqual({ large })
})

test('what cannot be read is told, and is as good as nothing', async () => {
  const store = held()
  let key = ''
  texts = {
    ...store,
    set(at, value) {
      key = at
      return store.set(at, value)
    },
  }
  await keeper()('east').save(() => VALUE)
  expect(key).toMatch(/^[0-9A-F]{32}$/)
  await store.set(key, 'H4sIno')
  expect(await keeper()('east').load()).toBeNull()
  expect(noted).toEqual(['holds what cannot be read'])
})

test('what cannot be written down is told, and leaves what was kept', async () => {
  const kept = keeper()<unknown>('east')
  await kept.save(() => VALUE)
  await kept.save(() => () => 'a function')
  await kept.save(() => expect.fail('not made'))
  expect(noted).toEqual(['cannot hold what there is', 'cannot hold what there is'])
  expect(await kept.load()).toEqual(VALUE)
})

test('a place that does not answer stops nothing', async () => {
  const away = async () => Promise.reject(new Error('no such place'))
  texts = { get: away, set: away, delete: away }
  const kept = keeper()('east')
  await kept.save(() => VALUE)
  await kept.forget()
  expect(await kept.load()).toBeNull()
})

test('where nothing is kept nothing is even written down', async () => {
  await NOT_KEPT.save(() => expect.fail('written down'))
  expect(await NOT_KEPT.load()).toBeNull()
})
