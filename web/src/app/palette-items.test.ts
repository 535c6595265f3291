import { expect, test } from 'vitest'
import { fleet } from '../../test/incident.ts'
import { paletteItems } from './palette-items.ts'
import { SCREENS } from './screens.ts'

const world = {
  fleet,
  screens: SCREENS,
  actions: [{ name: 'frozen', title: 'Copy frozen link', hint: 'Y' }],
  origin: 'https://goldseam.example.com',
  nowMs: Date.UTC(2026, 10, 21, 4, 0),
  zone: 'utc' as const,
}
const first = (typed: string) => paletteItems(typed, world)[0]

test('empty, the prime suspect comes first', () => {
  expect(first('')).toMatchObject({ title: 'Prime suspect: stock/ledger (west)', choice: { id: 'west/stock/ledger' } })
})

test.each([
  ['ledger', { kind: 'workload', id: 'west/stock/ledger' }],
  ['storefront', { kind: 'workload', id: 'east/shop/storefront' }],
  ['strfrnt', { kind: 'workload', id: 'east/shop/storefront' }],
  ['west ledger', { kind: 'workload', id: 'west/stock/ledger' }],
  ['triage', { kind: 'address', href: '/triage' }],
  ['frozen', { kind: 'action', name: 'frozen' }],
  ['west', { kind: 'cluster', name: 'west' }],
  ['last 2h', { kind: 'range', from: 'now-2h', to: 'now' }],
  ['03:10-03:40', { kind: 'range', from: '2026-11-21T03:10Z', to: '2026-11-21T03:40Z' }],
  ['around 03:12', { kind: 'range', from: '2026-11-21T02:57Z', to: '2026-11-21T03:27Z' }],
  ['https://goldseam.example.com/map?c=east#x', { kind: 'address', href: '/map?c=east#x' }],
  ['/s/3F7K2M', { kind: 'address', href: '/s/3F7K2M' }],
])('"%s"', (typed, choice) => {
  expect(first(typed)?.choice).toEqual(choice)
})

test.each(['https://evil.example.com/fleet', '//evil.example.com', 'zzzzzz', 'javascript:alert(1)'])(
  '"%s" leads nowhere',
  (typed) => {
    expect(paletteItems(typed, world)).toEqual([])
  },
)

/** The fleet with its first workloads renamed. */
const called = (...names: string[]) => ({
  ...world,
  fleet: {
    ...fleet,
    workloads: fleet.workloads.map((workload, index) => {
      const name = names[index] ?? workload.name
      return { ...workload, name, id: `${workload.cluster}/${workload.namespace}/${name}` }
    }),
  },
})

test.each([
  ['mon', ['monitor'], 'monitor', 'a weekday that is the beginning of a name'],
  ['D', ['D'], 'D', 'a unit that is a name'],
  ['d', ['D'], 'D', 'in small letters too'],
  ['d', ['daemon', 'd'], 'd', 'the whole name before its beginning'],
])('"%s" where there are %j is the workload %s, then the time: %s', (typed, names, name) => {
  const [found, ...rest] = paletteItems(typed, called(...names))
  expect(found?.choice).toMatchObject({ kind: 'workload', id: expect.stringMatching(new RegExp(`/${name}$`)) })
  expect(rest.map(({ choice }) => choice.kind)).toContain('range')
})

test.each(['3h', 'last 3h', '14:00 to 15:00', 'last mon', 'mon'])(
  '"%s" is a time where no workload is called so, or more than one word is said',
  (typed) => {
    expect(paletteItems(typed, called('3help', 'last'))[0]?.choice.kind).toBe('range')
  },
)

test('of many names that begin so the time is still offered', () => {
  const names = Array.from({ length: 20 }, (_, index) => `d${'x'.repeat(index)}`)
  expect(paletteItems('d', called(...names)).map(({ choice }) => choice.kind)).toContain('range')
})

test('among equals, the one in trouble', () => {
  const two = fleet.workloads.slice(0, 2).map((workload, index) => ({
    ...workload,
    id: `east/shop/cart-${index}`,
    name: `cart-${index}`,
    health: index === 1 ? ('crit' as const) : ('ok' as const),
  }))
  expect(paletteItems('cart', { ...world, fleet: { ...fleet, workloads: two } })[0]?.choice).toMatchObject({
    id: 'east/shop/cart-1',
  })
})
