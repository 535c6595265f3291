import { expect, test } from 'vitest'
import { destinationOf, LISTENED } from './envoy/labels.ts'

test.each([
  ['shop/cart/http', { kind: 'service', cluster: 'east', namespace: 'shop', service: 'cart' }],
  ['shop/cart/80/da39a3ee5e', { kind: 'service', cluster: 'east', namespace: 'shop', service: 'cart' }],
  ['shop_cart_80', { kind: 'service', cluster: 'east', namespace: 'shop', service: 'cart' }],
  ['httproute/shop/cart/rule/0', { kind: 'unknown', what: 'httproute/shop/cart/rule/0' }],
  ['grpcroute/shop/api/rule/1', { kind: 'unknown', what: 'grpcroute/shop/api/rule/1' }],
])('%s', (name, destination) => {
  expect(destinationOf('east', { envoy_cluster_name: name })).toEqual(destination)
})

test('listeners for probes and scrapes carry nobody’s requests', () => {
  const pattern = LISTENED.find(({ op }) => op === '!~')?.value
  const isLeftOut = (prefix: string) => new RegExp(`^(?:${pattern})$`).test(prefix)
  for (const prefix of ['admin', 'envoy-admin', 'stats', 'health', 'eg-ready-http', 'eg-stats-http', 'egress_http'])
    expect(isLeftOut(prefix), prefix).toBe(true)
  for (const prefix of ['ingress_http', 'http-10080', 'healthcare', 'https/shop.example.com', 'status'])
    expect(isLeftOut(prefix), prefix).toBe(false)
})
