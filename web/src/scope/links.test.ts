import fc from 'fast-check'
import { expect, test } from 'vitest'
import { misfits, readFields } from './fields.ts'
import { frozenLink, frozenTimes, liveLink } from './links.ts'
import { scopeFields } from './scope-search.ts'
import { BROKEN, parseSearch, stringifySearch } from './search-codec.ts'
import { compareFits, rangeTrouble } from './time-fits.ts'
import { asOfMs, asOfText } from './time-range.ts'
import { sealOf } from './whole-link.ts'

const AT = Date.UTC(2026, 10, 21, 3, 31, 20)
const place = { pathname: '/triage', search: { from: 'now-1h', cmp: '1d', refresh: 'off' }, from: 'now-1h', to: 'now' }
const opened = (link: string) => {
  const { pathname, search } = new URL(link, 'http://test')
  return { pathname, search, values: parseSearch(search) }
}

test('a live link goes on with time and says when it was copied', () => {
  const { pathname, search, values } = opened(liveLink(place, AT))
  expect(values).toMatchObject({ from: 'now-1h', asof: '20261121T0331Z', cmp: '1d', refresh: 'off' })
  expect(sealOf(pathname, search)).toBe('whole')
  expect(asOfMs(values.asof ?? '')).toBe(Date.UTC(2026, 10, 21, 3, 31))
})

test('a frozen link names both instants, to the second, and does not refresh', () => {
  const { values } = opened(frozenLink(place, AT))
  expect(values).toMatchObject({ from: '2026-11-21T02:31:20Z', to: '2026-11-21T03:31:20Z', cmp: '1d' })
  expect(values).not.toHaveProperty('refresh')
  expect(values).not.toHaveProperty('asof')
})

test('a frozen link of a comparison names the instants of its sides, and leaves names as they are', () => {
  const search = { a: 'east/shop/now-1h@v:7c9f@now-1h~now-30m', b: 'west/shop/cart@2026-11-20T03:00Z~now' }
  const { values } = opened(frozenLink({ ...place, pathname: '/compare', search }, AT))
  expect(values).toMatchObject({
    a: 'east/shop/now-1h@v:7c9f@2026-11-21T02:31:20Z~2026-11-21T03:01:20Z',
    b: 'west/shop/cart@2026-11-20T03:00Z~2026-11-21T03:31:20Z',
  })
})

test('a view that is frozen where it stands has its sides frozen, and nothing else changed', () => {
  const search = { a: 'east@now-1h~now-30m', q: 'cart', refresh: '10s' }
  expect(frozenTimes(search, 'now-1h', 'now', AT)).toEqual({
    from: '2026-11-21T02:31:20Z',
    to: '2026-11-21T03:31:20Z',
    a: 'east@2026-11-21T02:31:20Z~2026-11-21T03:01:20Z',
    refresh: undefined,
  })
})

test('a live link out of a frozen view has its width', () => {
  const frozen = { ...place, from: '2026-11-20T01:00Z', to: '2026-11-20T03:30Z' }
  const { values } = opened(liveLink({ ...frozen, search: { from: frozen.from, to: frozen.to } }, AT))
  expect(values).toMatchObject({ from: 'now-150m' })
  expect(values).not.toHaveProperty('to')
})

test('cut anywhere behind the path, a copied link says that it is not whole', () => {
  const link = frozenLink(
    { ...place, pathname: '/d/west/stock/ledger', search: { q: 'ü (x)', open: '*west/a~east/b' } },
    AT,
  )
  for (let length = link.indexOf('?') + 2; length < link.length; length += 1) {
    const { pathname, search } = opened(link.slice(0, length))
    expect(sealOf(pathname, search), link.slice(0, length)).toBe('broken')
  }
})

test('a link that was only escaped anew on its way is whole', () => {
  const link = frozenLink({ ...place, search: { c: 'east,west', q: 'a b' } }, AT)
  const [path = '', search = ''] = link.split('?')
  const anew = [...new URLSearchParams(search)].map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&')
  expect(anew).not.toBe(search)
  expect(sealOf(path, `?${anew}`)).toBe('whole')
  expect(sealOf(path, `?${anew}&utm_source=chat`)).toBe('broken')
})

test('one state has one link, whatever the order it was built in', () => {
  const search = { sort: '-p99', future: 'x', from: 'now-1h', tz: 'utc', c: 'east', e2: 'b', e1: 'a', q: 'cart' }
  const text = stringifySearch(search)
  expect(text).toBe('?from=now-1h&c=east&q=cart&tz=utc&sort=-p99&e1=a&e2=b&future=x')
  expect(stringifySearch(Object.fromEntries(Object.entries(search).reverse()))).toBe(text)
})

test('nothing that can stand in an address breaks the reading or the writing of it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const found = parseSearch(text)
      const again = parseSearch(stringifySearch(found))
      expect(again).toEqual(Object.fromEntries(Object.entries(found).filter(([, value]) => value !== '')))
      readFields(scopeFields, found)
    }),
    { numRuns: 300 },
  )
})

test.each([
  ['a control character', 'q=a%00b', 'from=now-1h%0a'],
  ['half an escape', 'ns=%E4', 'from=now-1h%C3'],
  ['a value that is too long', `q=${'x'.repeat(9_000)}`, `cmp=${'9'.repeat(9_000)}d`],
])('%s is kept out of the page, and named', (_, marked, refused) => {
  expect(Object.values(parseSearch(marked))[0]).toContain(BROKEN)
  expect(misfits(scopeFields, parseSearch(refused))).toHaveLength(1)
})

test('expressions may be long, everything else not', () => {
  expect(parseSearch(`e1=${'x'.repeat(7_999)}`).e1).not.toContain(BROKEN)
  expect(parseSearch(`e1=${'x'.repeat(8_001)}`).e1).toContain(BROKEN)
  expect(Object.keys(parseSearch(Array.from({ length: 500 }, (_, i) => `p${i}=1`).join('&')))).toHaveLength(100)
})

test.each([
  ['', true],
  ['prev', true],
  ['1d', true],
  ['2w', true],
  ['30m', false],
  ['2000d', false],
  ['2026-11-20T03:00Z/30m', true],
  ['2026-11-20T03:00Z/30s', false],
  ['2026-11-20T03:00Z/7h', false],
  ['2026-11-21T03:00Z/2h', false],
  ['2026-11-20T03:00Z/', false],
  ['xyz', false],
])('cmp=%s fits: %s', (cmp, fits) => {
  expect(compareFits(cmp, AT)).toBe(fits)
})

test.each([
  ['now-30m', 'now', null],
  ['2026-11-21T03:00Z', '2026-11-21T02:00Z', 'is empty'],
  ['2026-11-21T03:00Z', '2026-11-22T02:00Z', 'lies in the future'],
  ['2026-01-21T03:00Z', '2026-11-21T02:00Z', 'is longer'],
  ['202', 'now', 'is longer'],
])('from %s to %s: %s', (from, to, trouble) => {
  const said = rangeTrouble(from, to, AT)
  if (trouble === null) expect(said).toBeNull()
  else expect(said).toContain(trouble)
})

test('the stamp of a live link is a minute', () => {
  expect(asOfText(AT)).toBe('20261121T0331Z')
  expect(asOfMs('20261121T033120Z')).toBe(AT)
  expect(asOfMs('yesterday')).toBeNull()
})
