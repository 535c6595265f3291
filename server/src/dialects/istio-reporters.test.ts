import { expect, test } from 'vitest'
import { labelsApart } from '../domain/apart.ts'
import { flowAt } from '../domain/traffic.ts'
import type { SeriesColumn } from './dialect.ts'
import { istio } from './istio.ts'
import { readAtOnce } from './read-series.ts'

const ends = (from: string, to: string, namespace = 'shop') => ({
  source_workload: from,
  source_workload_namespace: namespace,
  source_canonical_service: from,
  destination_workload: to,
  destination_workload_namespace: 'shop',
})

function read(requests: readonly (readonly [labels: Record<string, string>, rate: number])[]) {
  const series = requests.map(
    ([labels, rate]): SeriesColumn => ({ ...labelsApart(labels), values: Float64Array.of(rate) }),
  )
  return readAtOnce(istio, 'east', 1, new Map([['requests', series]]))
}

test('a call that its callee knows by another of its services is the caller’s to tell all the same', () => {
  const told = (reporter: string, service: string, kind: 'passed' | 'failed') => ({
    ...ends('web', 'cart'),
    reporter,
    destination_service: `${service}.shop.svc.cluster.local`,
    class: kind,
  })
  const { outbound } = read([
    [told('source', 'cart-canary', 'passed'), 80],
    [told('source', 'cart-canary', 'failed'), 20],
    [told('destination', 'cart', 'passed'), 80],
  ])
  const calls = [...outbound.values()]
  expect(calls).toHaveLength(1)
  expect(calls.map(({ traffic, attempts }) => ({ ...flowAt(traffic, 0), attempts }))).toMatchObject([
    { requestsPerSecond: 100, failuresPerSecond: 20, attempts: 'effective' },
  ])
})

test('a gateway is asked for what it passes on, and not only for what callers within the mesh send it', () => {
  const gateway = 'istio-ingressgateway'
  const passedOn = { ...ends(gateway, 'cart', 'istio-system'), reporter: 'source', class: 'passed' }
  const asked = {
    ...ends('web', gateway),
    destination_workload_namespace: 'istio-system',
    reporter: 'source',
    class: 'passed',
  }
  const rowOf = (...requests: Parameters<typeof read>[0]) => {
    const row = read(requests).inbound.get(`east/istio-system/${gateway}`)
    return row && [flowAt(row.total, 0).requestsPerSecond, row.passesOn]
  }
  expect(rowOf([passedOn, 500], [asked, 1])).toEqual([500, true])
  expect(rowOf([passedOn, 500])).toEqual([500, true])
  // Its own sidecar, where it has one, knows everybody.
  expect(rowOf([passedOn, 500], [{ ...asked, reporter: 'destination' }, 700])).toEqual([700, undefined])
})
