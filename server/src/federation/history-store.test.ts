import { expect, test } from 'vitest'
import { workloadId } from '../domain/identity.ts'
import { emptyObservation, newInbound, noTcp, type Observation } from '../domain/observation.ts'
import type { Turns } from '../domain/turns.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { HistoryStore } from './history-store.ts'

const AXIS = { fromSeconds: 0, stepSeconds: 15, steps: 4 }
const web = { cluster: 'east', namespace: 'shop', kind: 'deployment', name: 'web' }
const cache = { ...web, name: 'cache' }

/** Requests are counted of one workload, of the other only bytes. */
function read(steps: number): Observation {
  const observation = emptyObservation('east', steps, 'linkerd')
  for (const workload of [web, cache]) {
    const flow = newInbound(workload, steps)
    flow.tcp = noTcp(steps)
    flow.tcp.bytesIn.fill(100)
    if (workload === web) flow.total.success.fill(5)
    observation.inbound.set(workloadId(workload), flow)
  }
  return observation
}

function* reading(steps: number): Turns<Observation> {
  yield
  return read(steps)
}

test('bytes of the past are kept of workloads that nothing else tells of', async () => {
  const store = new HistoryStore('single')
  const asking = { questions: [], reading, seriesCount: 1, patiently: false }
  await store.fill({} as PrometheusApi, asking, AXIS, new AbortController().signal)
  store.met(read(1), { ...AXIS, fromSeconds: 15 })
  const known = store.read({ ...AXIS, fromSeconds: 15 })
  const [ofWeb, ofCache] = [web, cache].map((workload) => known?.inbound.get(workloadId(workload)))
  expect([...(ofWeb?.total.success ?? [])]).toEqual([5, 5, 5, 5])
  expect(ofWeb?.tcp).toBeNull()
  expect([...(ofCache?.tcp?.bytesIn ?? [])]).toEqual([100, 100, 100, 100])
})
