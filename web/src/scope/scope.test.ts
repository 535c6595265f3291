import fc from 'fast-check'
import { expect, test } from 'vitest'
import { everySecondsOf } from './every-seconds.ts'
import { misfits, readFields } from './fields.ts'
import { keepScope, scopeFields, serverScope, withSearch } from './scope-search.ts'
import { parseSearch, stringifySearch } from './search-codec.ts'
import { shifted, toInstantMs } from './time-range.ts'

test('links are written as a person would write them', () => {
  const search = {
    from: '2026-11-21T02:45Z',
    c: 'east,west',
    sel: 'east/shop/web~west/stock/a',
    sort: '-blame',
    open: '*west/x',
  }
  const text = stringifySearch(search)
  expect(text).toBe('?from=2026-11-21T02:45Z&c=east,west&sel=east/shop/web~west/stock/a&sort=-blame&open=*west/x')
  expect(parseSearch(text)).toEqual(search)
})

test('whatever is written is read again, and never ends in a bracket', () => {
  const values = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.string({ minLength: 1, maxLength: 40 }))
  fc.assert(
    fc.property(values, (search) => {
      const clean = Object.fromEntries(
        Object.entries(search).map(([key, value]) => [key, value.replace(/\p{Cc}/gu, '')]),
      )
      const kept = Object.fromEntries(Object.entries(clean).filter(([, value]) => value !== ''))
      const text = stringifySearch(clean)
      expect(parseSearch(text)).toEqual(kept)
      expect(text).not.toMatch(/[)\]}'"<>\s]/)
    }),
  )
})

test('a value that does not fit gives the default, is named, and stays in the link', () => {
  const search = { from: 'yesterday', tz: 'utc', theme: 'pink' }
  expect(readFields(scopeFields, search)).toMatchObject({ from: 'now-30m', tz: 'utc', theme: '' })
  expect(misfits(scopeFields, search).map(({ key, raw }) => `${key}=${raw}`)).toEqual(['from=yesterday', 'theme=pink'])
})

test('defaults vanish from links, unknown parameters stay', () => {
  expect(withSearch({ from: 'now-1h', future: 'yes' }, { from: 'now-30m', q: '' })).toEqual({ future: 'yes' })
})

test('what belongs to one screen does not follow to the next', () => {
  expect(keepScope({ from: 'now-1h', q: 'web', sort: '-p99', open: 'x', future: 'yes' })).toEqual({
    from: 'now-1h',
    future: 'yes',
  })
})

test('the server is asked only for what differs from its defaults', () => {
  expect(serverScope(readFields(scopeFields, {}))).toEqual({})
  expect(serverScope(readFields(scopeFields, { cmp: '1d', c: 'east', from: 'now-1h' }))).toEqual({
    cmp: '1d',
    from: 'now-1h',
  })
})

test.each([
  ['now', 1_000_000],
  ['now-30s', 970_000],
  ['1763692800', 1_763_692_800_000],
  ['1763692800000', 1_763_692_800_000],
  ['2026-11-21T02:45Z', Date.UTC(2026, 10, 21, 2, 45)],
])('%s is understood as an instant', (text, ms) => {
  expect(toInstantMs(text, 1_000_000)).toBe(ms)
})

test.each([
  ['30s', 30],
  ['', 0],
  ['off', 0],
  ['99999999999s', 86_400],
])('refresh=%s asks every %d s at most', (refresh, seconds) => {
  expect(everySecondsOf(refresh)).toBe(seconds)
})

test('stepping back moves a live window into the past by its own width', () => {
  const nowMs = Date.UTC(2026, 10, 21, 4, 0)
  expect(shifted('now-30m', 'now', -1, nowMs)).toEqual({ from: '2026-11-21T03:00Z', to: '2026-11-21T03:30Z' })
  expect(shifted('2026-11-21T03:20Z', '2026-11-21T03:50Z', 1, nowMs)).toBeNull()
})
