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
