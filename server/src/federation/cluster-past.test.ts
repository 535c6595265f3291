import { expect, test } from 'vitest'
import { linkerd } from '../dialects/linkerd.ts'
import type { WorkloadRef } from '../domain/identity.ts'
import { emptyObservation } from '../domain/observation.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { ClusterPast } from './cluster-past.ts'
import { axisTo } from './instants.ts'

const AT = 1_800_000_000
const place = { windowSeconds: 60, axis: axisTo(AT, 60) }

test('what snapshots are made of stays, however many pages of workloads are looked at', async () => {
  const api = { queryRange: async () => ({ data: [], warnings: [] }) } as unknown as PrometheusApi
  const past = new ClusterPast('east', api, () => [linkerd])
  const everybodys = past.ratesOf('linkerd', place)
  everybodys.recall(place.axis, emptyObservation('east', place.axis.steps))
  const names = Array.from({ length: 40 }, (_, index) => `web-${index}`)
  for (const name of names) {
    const workload: WorkloadRef = { cluster: 'east', namespace: 'shop', kind: 'deployment', name }
    const read = await past.workload(workload, place, new AbortController().signal)
    expect(read).toMatchObject({ steps: place.axis.steps })
  }
  expect(past.ratesOf('linkerd', place)).toBe(everybodys)
})
