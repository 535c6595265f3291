import { expect, test } from 'vitest'
import { DIALECT_NAMES } from '../../src/config/settings.ts'
import { dialects, dialectsFor } from '../../src/dialects/registry.ts'

test('the config names every dialect there is', () => {
  expect([...DIALECT_NAMES].sort()).toEqual(dialects.map(({ name }) => name).sort())
})

test('renamed metrics are asked for by their new names, and detected by them', () => {
  const overrides = { istio_requests_total: 'team:requests', istio_request_duration_milliseconds: 'team:ms' }
  const [istio] = dialectsFor({ named: ['istio'], peers: () => [], overrides })
  const asked = (istio?.questions(60) ?? []).map(({ promql }) => promql).join(' ')
  expect(istio?.detectedBy[0]).toBe('team:requests')
  for (const name of ['team:requests{', 'team:ms_sum{', 'team:ms_bucket{']) expect(asked).toContain(name)
  for (const name of ['istio_requests_total', 'istio_request_duration']) expect(asked).not.toContain(name)
})

test('each says what its metrics cannot tell', () => {
  for (const { limits } of dialects) expect(limits.length).toBeGreaterThan(0)
})
