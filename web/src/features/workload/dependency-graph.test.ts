import { expect, test } from 'vitest'
import { scenes } from '../../../test/scenes.ts'
import { graphOf } from './dependency-graph.ts'

test('each workload is drawn once, its callees to the right of all that call it', () => {
  const { nodes, edges } = graphOf(scenes.incident.detail.dependencies)
  expect(new Set([...nodes.values()].map(({ node }) => node.id)).size).toBe(nodes.size)
  for (const { from, to } of edges) {
    expect(nodes.get(to)?.column).toBeGreaterThan(nodes.get(from)?.column ?? Number.POSITIVE_INFINITY)
  }
  const places = [...nodes.values()].map(({ column, row }) => `${column}/${row}`)
  expect(new Set(places).size).toBe(places.length)
  expect([...nodes.values()].find(({ node }) => node.suspect)?.node.id).toBe('west/stock/ledger')
})

test('of very many the suspect path stays, and the rest is counted', () => {
  const { dependencies } = scenes.incident.detail
  const [child] = dependencies.children
  if (child === undefined) throw new Error('the scene has calls')
  const more = Array.from({ length: 40 }, (_, index) => ({
    ...child,
    id: `west/more/w${index}`,
    onSuspectPath: false,
    children: [],
  }))
  const { nodes, hidden } = graphOf({ ...dependencies, children: [...more, ...dependencies.children] })
  expect(nodes.size).toBe(20)
  expect(nodes.has('west/stock/ledger')).toBe(true)
  expect(hidden).toBeGreaterThan(20)
})
