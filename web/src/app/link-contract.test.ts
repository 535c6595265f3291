import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { clustersFields } from '../features/clusters/clusters-search.ts'
import { compareFields } from '../features/compare/compare-search.ts'
import { exploreFields } from '../features/explore/explore-search.ts'
import { failoverFields } from '../features/failover/failover-search.ts'
import { fleetFields } from '../features/fleet/fleet-search.ts'
import { mapFields } from '../features/map/map-search.ts'
import { triageFields } from '../features/triage/triage-search.ts'
import { chartFields, tabFields, treeFields } from '../features/workload/tree-search.ts'
import { type Fields, misfits, readFields } from '../scope/fields.ts'
import { frozenLink, liveLink } from '../scope/links.ts'
import { isKnown } from '../scope/parameters.ts'
import { scopeFields, withSearch } from '../scope/scope-search.ts'
import { parseSearch, type SearchText, stringifySearch } from '../scope/search-codec.ts'
import { sealOf } from '../scope/whole-link.ts'
import { createAppRouter } from './router.tsx'

const AT = Date.UTC(2026, 10, 21, 3, 31, 10)
/** Everything that all screens share, away from its default. */
const SHARED = { window: '2m', cmp: '1d', c: 'east,west', ns: 'shop,stock', tz: 'utc', theme: 'dark' }

/** A screen's address, its fields, and each of its controls away from the default. */
const SCREENS: readonly { path: string; fields: Fields; set: SearchText }[] = [
  {
    path: '/fleet',
    fields: fleetFields,
    set: { q: 'led ger', st: 'crit,via', group: 'ns', cols: 'sr,rps,p99', sort: '-p99', view: 'grid' },
  },
  {
    path: '/map',
    fields: mapFields,
    set: {
      show: 'all',
      group: 'ns',
      sel: 'east/shop/web~west/stock/a',
      dir: 'tb',
      view: 'table',
      at: '2026-11-20T03:12Z',
    },
  },
  { path: '/triage', fields: triageFields, set: { not: 'west/stock/ledger,west/stock/rules' } },
  {
    path: '/d/east/shop/storefront',
    fields: { ...treeFields, ...tabFields, ...chartFields },
    set: {
      open: '*west/stock/a,-west/stock/b,east/shop/web~west/stock/a',
      sel: 'east/shop/web~west/stock/a',
      deps: 'map',
      tab: 'pods',
      expand: 'trouble',
      unit: 'ms',
    },
  },
  {
    path: '/compare',
    fields: compareFields,
    set: {
      a: 'east/shop/web@now-1h~now',
      b: 'west/shop/web@v:7c9f',
      align: 'onset',
      sort: 'rps',
      goals: 'p99:500ms,sr:99.9',
      lat: 'p95,mean',
    },
  },
  {
    path: '/explore',
    fields: exploreFields,
    set: {
      e1: 'rate(up{a="b"}[1m])\n> 0',
      ...Object.fromEntries(['e2', 'e3', 'e4', 'e5', 'e6', 'e7', 'e8'].map((key) => [key, `up{of="${key}"}`])),
      on: 'east',
      view: 'heat',
      join: 'added',
      step: '15s',
    },
  },
  { path: '/clusters', fields: clustersFields, set: { sel: 'west' } },
  { path: '/failover', fields: failoverFields, set: { gone: 'west', split: 'east:70,north:30', days: '30' } },
]

const inAddress = (link: string) => {
  const { pathname, search } = new URL(link, 'http://test')
  return { pathname, search, values: parseSearch(search) }
}

describe.each(SCREENS)('$path', ({ path, fields, set }) => {
  const all = { ...scopeFields, ...fields }

  test('every control of it is set here, so that a new one is not forgotten', () => {
    expect(Object.keys(set).sort()).toEqual(Object.keys(fields).sort())
    for (const key of Object.keys(all)) expect(isKnown(key), key).toBe(true)
    const values = readFields(fields, set)
    for (const [key, { fallback }] of Object.entries(fields)) expect(values[key], key).not.toEqual(fallback)
    expect(misfits(all, { ...SHARED, ...set })).toEqual([])
  })

  test.each([
    ['live', 'now-1h', 'now'],
    ['frozen', '2026-11-20T02:45Z', '2026-11-20T03:30Z'],
  ])('what is copied out of a %s view opens as it was', (_, from, to) => {
    const search = withSearch({}, { ...SHARED, ...set, from, to })
    const place = { pathname: path, search, from, to }
    const before = readFields(all, search)
    const frozen = inAddress(frozenLink(place, AT))
    const live = inAddress(liveLink(place, AT))
    const { from: _from, to: _to, ...rest } = before
    // Windows of their own are of that moment, too.
    const sides = path === '/compare' ? { a: 'east/shop/web@2026-11-21T02:31:10Z~2026-11-21T03:31:10Z' } : {}
    expect(readFields(all, frozen.values)).toMatchObject({ ...rest, ...sides })
    expect(readFields(all, live.values)).toMatchObject({ ...rest, asof: '20261121T0331Z' })
    expect(readFields(all, frozen.values)).toMatchObject(
      to === 'now' ? { from: '2026-11-21T02:31:10Z', to: '2026-11-21T03:31:10Z' } : { from, to },
    )
    expect(readFields(all, live.values)).toMatchObject(to === 'now' ? { from, to } : { from: 'now-45m', to: 'now' })
    for (const link of [frozen, live]) {
      expect(sealOf(link.pathname, link.search)).toBe('whole')
      expect(link.search.length).toBeLessThan(1_800)
      expect(link.search).not.toMatch(/[)\]}'"<>\s]/)
    }
  })

  test('cut off at any of twenty places, it still opens, and says that it is not whole', () => {
    const link = frozenLink({ pathname: path, search: { ...SHARED, ...set }, from: 'now-1h', to: 'now' }, AT)
    const router = createAppRouter()
    for (let cut = 0; cut < 20; cut += 1) {
      // From right behind the path to one letter before the end.
      const length = path.length + 2 + Math.floor((cut * (link.length - path.length - 3)) / 19)
      const { pathname, search, values } = inAddress(link.slice(0, length))
      expect(sealOf(pathname, search), link.slice(0, length)).toBe('broken')
      expect(() => readFields(all, values)).not.toThrow()
      expect(router.matchRoutes(pathname, values).at(-1)?.routeId).toBe(router.matchRoutes(path, {}).at(-1)?.routeId)
    }
  })
})

const corpus = readFileSync(join(import.meta.dirname, '../../test/links-corpus.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
const fieldsOf = (pathname: string): Fields =>
  SCREENS.find(({ path }) => path === pathname || (path.startsWith('/d/') && pathname.startsWith('/d/')))?.fields ?? {}

test.each(corpus)('%s still means what it meant', (link) => {
  const { pathname, values } = inAddress(link)
  expect(misfits({ ...scopeFields, ...fieldsOf(pathname) }, values)).toEqual([])
  for (const key of Object.keys(values)) expect(isKnown(key), key).toBe(true)
  expect(parseSearch(stringifySearch(values))).toEqual(values)
  const matches = createAppRouter().matchRoutes(pathname, values)
  expect(matches.at(-1)?.routeId).not.toBe('__root__')
})
