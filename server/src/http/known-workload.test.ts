import { expect, test } from 'vitest'
import type { ClusterSummary, Snapshot } from '../federation/snapshot.ts'
import { knownWorkload } from './known-workload.ts'

/** A snapshot in which no workload is known. */
function snapshotOf(state: ClusterSummary['state'], reason: string | null): Snapshot {
  const clusters = [{ name: 'west', state, reason }]
  const situation = { assessment: { workloads: new Map() }, callsOf: new Map() }
  return { clusters, situation } as unknown as Snapshot
}

test.each([
  ['ok', 404, '/problems/no-such-workload', 'no series for west/shop/cart up to this instant'],
  ['stale', 404, '/problems/no-such-workload', 'no series for west/shop/cart up to this instant'],
  ['down', 503, '/problems/cluster-silent', 'west does not answer (unreachable: refused), so that nothing is known'],
  ['pending', 503, '/problems/cluster-silent', 'west does not answer (unreachable: refused), so that nothing is known'],
] as const)('a workload that is not known of a cluster that is %s', (state, status, type, detail) => {
  const silent = state === 'down' || state === 'pending'
  const ask = () => knownWorkload(snapshotOf(state, silent ? 'unreachable: refused' : null), 'west/shop/cart')
  expect(ask).toThrow(expect.objectContaining({ status, type, detail: expect.stringContaining(detail) }))
})
