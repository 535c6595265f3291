import { expect, test } from 'vitest'
import { knownWorkload } from '../../src/http/known-workload.ts'
import { presentEdge } from '../../src/http/present-topology.ts'
import { snapshotOf } from './incident-snapshot.ts'
import { course, D, type Given } from './incident-world.ts'

const LOADGEN = 'east/jobs/loadgen'
const given: Given = {
  nodes: { [D]: course(41, 0.02, 0.02) },
  calls: [{ from: LOADGEN, to: D, course: course(41, 0.021, 0.021) }],
}

test('the calls of somebody who only calls are as old as the answer of its cluster', () => {
  const { situation } = snapshotOf({ ...given, silent: ['east'] })
  const edges = situation.edges.map((edge) => presentEdge(situation, edge))
  expect(edges.map(({ from, to, ageSeconds }) => ({ from, to, ageSeconds }))).toEqual([
    { from: LOADGEN, to: D, ageSeconds: 40 },
  ])
  const now = snapshotOf(given).situation
  expect(now.edges.map((edge) => presentEdge(now, edge).ageSeconds)).toEqual([null])
})

test('asked for such a one, it is said whom it calls', () => {
  expect(() => knownWorkload(snapshotOf(given), LOADGEN)).toThrow(
    `${LOADGEN} only calls others (${D}): no requests to it are counted`,
  )
})
