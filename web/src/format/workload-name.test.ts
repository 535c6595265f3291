import { expect, test } from 'vitest'
import { namesApart } from './workload-name.ts'

test('names get their cluster only where they would read the same without', () => {
  expect(namesApart(['east/ingress-nginx/controller', 'west/labs/api', 'west/ingress-nginx/controller'])).toEqual([
    'ingress-nginx/controller (east)',
    'labs/api',
    'ingress-nginx/controller (west)',
  ])
  expect(namesApart(['outside/db.test', 'west/labs/api'])).toEqual(['db.test', 'labs/api'])
})

test('a name that is also that of another one in the same view has its cluster', () => {
  const beside = ['east/ingress-nginx/controller', 'west/labs/api']
  expect(namesApart(['west/ingress-nginx/controller', 'west/labs/api', 'west/labs/db'], beside)).toEqual([
    'ingress-nginx/controller (west)',
    'labs/api',
    'labs/db',
  ])
})
