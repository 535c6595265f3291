import { expect, test } from 'vitest'
import { presentEdge } from '../../src/http/present-topology.ts'
import { snapshotOf } from './incident-snapshot.ts'
import { course, type Given } from './incident-world.ts'

const CALLER = 'east/shop/web'
const CALLEE = 'west/stock/ledger'
const given: Given = {
  nodes: { [CALLER]: course(41, 0.03, 0.03), [CALLEE]: course(41, 0.02, 0.02) },
  calls: [{ from: CALLER, to: CALLEE, course: course(41, 0.021, 0.021) }],
}

test.each([
  { silent: [], ages: [null, null, null] },
  { silent: ['east'], ages: [40, null, 40] },
  { silent: ['west'], ages: [null, 40, 40] },
  { silent: ['east', 'west'], ages: [40, 40, 40] },
])('each end of a call is as old as the answer of its own cluster: silent $silent', ({ silent, ages }) => {
  const { situation } = snapshotOf({ ...given, silent })
  const [edge] = situation.edges.map((measured) => presentEdge(situation, measured))
  expect([edge?.callerAgeSeconds, edge?.calleeAgeSeconds, edge?.ageSeconds]).toEqual(ages)
})
