import { expect, test } from 'vitest'
import { scenes } from '../../../test/scenes.ts'
import { topologyOf } from '../../../test/topology.ts'
import { mapTree } from './map-tree.ts'
import { pictureOf } from './picture.ts'

const { incident } = scenes
const picture = pictureOf(topologyOf(incident), incident.fleet, { show: 'all', group: '', sel: '' })

test('every workload is there, and every call once; the way to the suspect comes first', () => {
  const rows = mapTree(picture)
  expect(new Set(rows.map(({ node }) => node.id))).toEqual(new Set(picture.nodes.map(({ id }) => id)))
  const calls = rows.flatMap(({ call }) => (call === null ? [] : [call]))
  expect(calls).toHaveLength(picture.edges.length)
  expect(new Set(calls).size).toBe(picture.edges.length)
  const ledger = rows.findIndex(({ node }) => node.id === 'west/stock/ledger')
  expect(rows.slice(0, ledger + 1).map(({ level }) => level)).toEqual([0, 1, 2, 3, 4].slice(-ledger - 1))
})

test('who is called by several is opened once; a circle ends', () => {
  const [a, b, c] = picture.nodes
  const [first] = picture.edges
  if (!a || !b || !c || !first) throw new Error('no picture')
  const call = (from: string, to: string) => ({ ...first, edge: { ...first.edge, from, to } })
  const edges = [call(a.id, b.id), call(a.id, c.id), call(b.id, c.id), call(c.id, a.id)]
  const rows = mapTree({ nodes: [a, b, c], edges })
  expect(rows.filter(({ call: one }) => one !== null)).toHaveLength(4)
  expect(rows.filter(({ repeats }) => repeats)).toHaveLength(2)
})
