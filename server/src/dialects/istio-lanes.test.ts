import { expect, test } from 'vitest'
import { labelsApart } from '../domain/apart.ts'
import { workloadId } from '../domain/identity.ts'
import type { SeriesColumn } from './dialect.ts'
import { readAtOnce } from './read-series.ts'
import { dialects } from './registry.ts'

const istio = dialects.find(({ name }) => name === 'istio')

const series = (labels: Record<string, string>, value: number): SeriesColumn => ({
  ...labelsApart(labels),
  values: new Float64Array([value]),
})
const buckets = (labels: Record<string, string>) => [
  series({ ...labels, le: '10' }, 5),
  series({ ...labels, le: '+Inf' }, 5),
]

/** What the answer to the question of buckets alone, as the slow lane brings it, tells of whom. */
function bucketsOf(answer: readonly SeriesColumn[]): Record<string, number> {
  if (istio === undefined) return expect.fail('no such dialect')
  const { inbound } = readAtOnce(istio, 'east', 1, new Map([['inboundBuckets', answer]]))
  return Object.fromEntries(
    [...inbound.values()].map(({ workload, total }) => [workloadId(workload), total.buckets.size]),
  )
}

const CART = {
  destination_workload: 'cart',
  destination_workload_namespace: 'shop',
  destination_canonical_service: 'cart',
}

test.each(['east', 'Kubernetes', 'unknown'])(
  'buckets in a lane of their own are whose they are, in cluster %s',
  (own) => {
    const answer = buckets({ reporter: 'destination', destination_cluster: own, ...CART })
    expect(bucketsOf(answer)).toEqual({ 'east/shop/cart': 2 })
  },
)

test('so are those of a gateway, which reports what it sends on', () => {
  const gateway = { source_workload: 'istio-ingressgateway', source_workload_namespace: 'istio-system' }
  const answer = buckets({ reporter: 'source', source_cluster: 'Kubernetes', ...gateway, ...CART })
  expect(bucketsOf(answer)).toMatchObject({ 'east/istio-system/istio-ingressgateway': 2 })
})
