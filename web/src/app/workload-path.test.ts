import { createMemoryHistory } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { parseWorkloadId } from '../format/workload-name.ts'
import { workloadPath } from '../scope/workload-path.ts'
import { createAppRouter } from './router.tsx'

const router = createAppRouter(createMemoryHistory({ initialEntries: ['/fleet'] }))

test.each([
  'east/shop/storefront',
  'east/shop/statefulset:tokens',
  'east/shop/a b',
  'east/shop/50%',
  'east/shop/a/b',
  'east-1/team_2/me@home',
  "east/shop/it's (new)!*~",
  'east/shop/caf\u00e9',
  'east/shop/?q#f&g=h',
  'east/shop/[1]{2}|3\\^`"<>',
])('%s has the address that the router gives it', (id) => {
  const target = parseWorkloadId(id)
  const params = { cluster: target?.cluster ?? '', ns: target?.namespace ?? '', name: target?.name ?? '' }
  expect(workloadPath(id)).toBe(router.buildLocation({ to: '/d/$cluster/$ns/$name', params }).href)
})

test('what nobody measures has no page; the way between two has that of its caller', () => {
  expect(workloadPath('outside/api.example.com')).toBeNull()
  expect(workloadPath('east/shop/cart~west/pay/ledger')).toBe('/d/east/shop/cart')
})
