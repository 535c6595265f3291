import type { Topology } from '@goldseam/server/contract'
import { expect, test } from 'vitest'
import { scenes } from '../../../test/scenes.ts'
import { topologyOf } from '../../../test/topology.ts'
import { MOST_NODES, pictureOf } from './picture.ts'

const { incident } = scenes
const topology = topologyOf(incident)
const pictured = (group: 'workload' | 'ns' | 'cluster' | '', show: 'problem' | 'all' = 'all') =>
  pictureOf(topology, incident.fleet, { show, group, sel: '' })

test('a box is a namespace of a cluster: everybody is in one, and one line stands for all calls between two', () => {
  const { nodes, edges, detail } = pictured('ns')
  const members = nodes.flatMap((drawn) => (drawn.members.length === 0 ? [drawn] : drawn.members))
  expect(members.map(({ id }) => id).sort()).toEqual(detail.nodes.map(({ id }) => id).sort())
  expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length)
  for (const { edge, members: calls } of edges) {
    expect(edge.from).not.toBe(edge.to)
    expect(calls.length).toBeGreaterThan(0)
    const rates = calls.map((call) => (call.edge.caller ?? call.edge.callee)?.requestsPerSecond ?? 0)
    expect(edge.caller?.requestsPerSecond).toBeCloseTo(
      rates.reduce((sum, rate) => sum + rate, 0),
      9,
    )
    expect(edge.seam).toBe(calls.some((call) => call.edge.seam))
  }
})

test('means are weighted by their requests; percentiles, which do not add up, are left out', () => {
  const line = pictured('cluster').edges.find(({ members }) => members.length > 1)
  const views = line?.members.map(({ edge }) => edge.caller ?? edge.callee) ?? []
  const rate = views.reduce((sum, view) => sum + (view?.requestsPerSecond ?? 0), 0)
  const time = views.reduce((sum, view) => sum + (view?.requestsPerSecond ?? 0) * (view?.latencySeconds.mean ?? 0), 0)
  expect(line?.edge.caller?.latencySeconds).toEqual({
    mean: expect.closeTo(time / rate, 9),
    p50: null,
    p95: null,
    p99: null,
    p999: null,
  })
})

test('the box of the suspect says so, and comes alone with the boxes of its victims while the problem is shown', () => {
  const { nodes, hidden, total, detail } = pictured('ns', 'problem')
  const first = nodes.find(({ suspectRank }) => suspectRank === 1)
  expect(first?.id).toBe('west/stock')
  expect(first?.members[0]?.id).toBe('west/stock/ledger')
  expect(nodes.length).toBeLessThan(pictured('ns').nodes.length)
  expect(total).toBe(detail.nodes.length)
  expect(hidden).toBeGreaterThan(0)
})

test('too many for boxes of their own: namespaces, and nobody is left out', () => {
  const nodes: Topology['nodes'] = Array.from({ length: MOST_NODES + 1 }, (_, at) => ({
    id: `east/team${at % 20}/w${at}`,
    kind: 'workload',
    cluster: 'east',
    namespace: `team${at % 20}`,
    name: `w${at}`,
  }))
  const picture = pictureOf({ ...topology, nodes, edges: [] }, undefined, { show: 'all', group: '', sel: '' })
  expect(picture.group).toBe('ns')
  expect(picture.nodes).toHaveLength(20)
  expect(picture.hidden).toBe(0)
})

test('a line is as old as the oldest of the calls it stands for, and of now where all are', () => {
  const olds = topology.edges.map((edge, index) => ({ ...edge, ageSeconds: index, callerAgeSeconds: index }))
  const options = { show: 'all', group: 'cluster', sel: '' } as const
  const { edges } = pictureOf({ ...topology, edges: olds }, incident.fleet, options)
  const [line] = edges
  expect(line?.members.length).toBeGreaterThan(1)
  expect(line?.edge.callerAgeSeconds).toBe(
    Math.max(...(line?.members.map(({ edge }) => edge.callerAgeSeconds ?? 0) ?? [])),
  )
  expect(pictured('cluster').edges[0]?.edge.callerAgeSeconds).toBeNull()
})
