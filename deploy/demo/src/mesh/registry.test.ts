import { expect, test } from 'vitest'
import { RESPONSE_TOTAL, ROUTE_REQUEST_STATUSES, TCP_OPEN_CONNECTIONS } from './linkerd/families.ts'
import { createRegistry } from './registry.ts'

test('legacy series that nobody touched for ten minutes leave the page and begin again at zero', () => {
  let now = 0
  const registry = createRegistry(() => now)
  const responses = registry.cell(RESPONSE_TOTAL, [['a', 'b']])
  const route = registry.cell(ROUTE_REQUEST_STATUSES, [['a', 'b']])
  const gauge = registry.cell(TCP_OPEN_CONNECTIONS, [['a', 'b']])
  registry.add(responses, 5)
  registry.add(route, 5)
  registry.set(gauge, 5)
  now = 600_001
  const idle = registry.page()
  expect(idle).not.toContain('response_total')
  expect(idle).toContain('outbound_http_route_request_statuses_total{a="b"} 5')
  expect(idle).toContain('tcp_open_connections{a="b"} 5')
  registry.add(responses, 1)
  expect(registry.page()).toContain('response_total{a="b"} 1\n')
})

test('label values are escaped', () => {
  const registry = createRegistry()
  registry.cell(RESPONSE_TOTAL, [['a', 'x"\\\ny']])
  expect(registry.page()).toContain('response_total{a="x\\"\\\\\\ny"} 0\n')
})

test('a seeded cell goes on from its past', () => {
  const registry = createRegistry()
  const cell = registry.cell(RESPONSE_TOTAL, [['a', 'b']])
  registry.seed(new Map([[cell.key, Float64Array.of(1000)]]))
  registry.add(cell, 1)
  expect(registry.page()).toContain('response_total{a="b"} 1001\n')
})
