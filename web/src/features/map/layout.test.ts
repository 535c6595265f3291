import fc from 'fast-check'
import { expect, test } from 'vitest'
import { edgeKey, type LayoutEdge, layOut } from './layout.ts'

const node = (id: string) => ({ id, lane: id.split('/')[0] ?? '' })

test('callers stand left of what they call, each cluster in its band', () => {
  const nodes = ['east/x', 'west/a', 'west/b', 'west/c', 'west/d'].map(node)
  const edges = [
    ['east/x', 'west/a'],
    ['east/x', 'west/b'],
    ['east/x', 'west/c'],
    ['west/a', 'west/c'],
    ['west/b', 'west/c'],
    ['west/c', 'west/d'],
  ].map(([from = '', to = '']): LayoutEdge => ({ from, to }))
  const { places, lanes, columns } = layOut(nodes, edges, ['east', 'west'])
  expect(nodes.map(({ id }) => places.get(id)?.column)).toEqual([0, 1, 1, 2, 3])
  expect(lanes).toEqual([
    { name: 'east', rows: 1 },
    { name: 'west', rows: 2 },
  ])
  expect(columns).toBe(4)
})

test('who has no call fills rows below the others, and not one long column', () => {
  const lone = Array.from({ length: 8 }, (_, at) => node(`east/lone${at}`))
  const { places, lanes, columns } = layOut(
    [node('east/a'), node('east/b'), ...lone],
    [{ from: 'east/a', to: 'east/b' }],
    ['east'],
  )
  expect(columns).toBe(5)
  expect(lanes).toEqual([{ name: 'east', rows: 3 }])
  expect(places.get('east/lone0')).toEqual({ column: 0, row: 1, lane: 'east' })
  expect(places.get('east/lone7')).toEqual({ column: 2, row: 2, lane: 'east' })
})

test('a circle is drawn with one call leading back', () => {
  const { back, places } = layOut(
    ['c/a', 'c/b', 'c/c'].map(node),
    [
      { from: 'c/a', to: 'c/b' },
      { from: 'c/b', to: 'c/c' },
      { from: 'c/c', to: 'c/a' },
    ],
    ['c'],
  )
  expect([...back]).toEqual(['c/c~c/a'])
  expect(places.get('c/c')?.column).toBe(2)
})

const anyGraph = fc.integer({ min: 1, max: 14 }).chain((size) =>
  fc.record({
    size: fc.constant(size),
    edges: fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 40 }),
    shuffle: fc.infiniteStream(fc.nat()),
  }),
)

test('whatever the graph: forward calls lead right, nobody shares a place, and the order of the input is nothing', () => {
  fc.assert(
    fc.property(anyGraph, ({ size, edges, shuffle }) => {
      const ids = Array.from({ length: size }, (_, at) => `${at % 3 === 0 ? 'east' : 'west'}/n${at}`)
      const calls = edges.map(([from, to]) => ({ from: ids[from] ?? '', to: ids[to] ?? '' }))
      const first = layOut(ids.map(node), calls, ['east', 'west'])
      for (const call of calls) {
        if (call.from === call.to || first.back.has(edgeKey(call))) continue
        expect(first.places.get(call.to)?.column).toBeGreaterThan(first.places.get(call.from)?.column ?? 0)
      }
      const places = [...first.places.values()].map(({ lane, column, row }) => `${lane} ${column} ${row}`)
      expect(new Set(places).size).toBe(size)
      const shuffled = <Item>(items: readonly Item[]) =>
        items
          .map((item) => ({ item, key: Number(shuffle.next().value) }))
          .sort((a, b) => a.key - b.key)
          .map(({ item }) => item)
      expect(layOut(shuffled(ids.map(node)), shuffled(calls), ['east', 'west'])).toEqual(first)
    }),
    { numRuns: 200 },
  )
})
