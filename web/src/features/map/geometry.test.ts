import { expect, test } from 'vitest'
import { scenes } from '../../../test/scenes.ts'
import { topologyOf } from '../../../test/topology.ts'
import { badgesOf } from './badges.ts'
import { type Direction, drawingOf } from './geometry.ts'
import { layOut } from './layout.ts'
import { pictureOf } from './picture.ts'
import { neighbourOf } from './steps.ts'

const { incident } = scenes
const picture = pictureOf(topologyOf(incident), incident.fleet, { show: 'all', group: '', sel: '' })
const layout = layOut(
  picture.nodes,
  picture.edges.map(({ edge }) => edge),
  ['east', 'west'],
)
const drawn = (direction: Direction) => drawingOf(picture, layout, 1_200, direction)
const forward = picture.edges.filter(({ edge }) => !layout.back.has(`${edge.from}~${edge.to}`))

test.each([
  ['lr', 'x', 'width', 'y', 'height'],
  ['tb', 'y', 'height', 'x', 'width'],
] as const)('%s: callees begin past their callers, and boxes stay in the band of their cluster', (...of) => {
  const [direction, along, length, across, breadth] = of
  const { boxes, bands } = drawn(direction)
  const box = (id: string) => boxes.get(id) ?? expect.fail(`${id} has no box`)
  for (const { edge } of forward)
    expect(box(edge.to)[along]).toBeGreaterThan(box(edge.from)[along] + box(edge.from)[length])
  for (const { id, lane } of picture.nodes) {
    const band = bands.find(({ name }) => name === lane) ?? expect.fail(`${lane} has no band`)
    expect(box(id)[across]).toBeGreaterThan(band[across])
    expect(box(id)[across] + box(id)[breadth]).toBeLessThan(band[across] + band[breadth])
  }
})

test('nobody lies on anybody in either direction, and cards keep their size', () => {
  for (const direction of ['lr', 'tb'] as const) {
    const boxes = [...drawn(direction).boxes.values()]
    for (const [at, one] of boxes.entries()) {
      expect(one.width).toBeGreaterThan(2 * one.height)
      for (const other of boxes.slice(at + 1)) {
        const apart =
          one.x + one.width <= other.x ||
          other.x + other.width <= one.x ||
          one.y + one.height <= other.y ||
          other.y + other.height <= one.y
        expect(apart).toBe(true)
      }
    }
  }
})

test('a seam is stitched at the border of its band, whichever way that runs', () => {
  const seams = picture.edges.filter(({ edge }) => edge.seam)
  expect(seams.length).toBeGreaterThan(0)
  for (const direction of ['lr', 'tb'] as const) {
    const { lines, bands } = drawn(direction)
    const borders = bands.flatMap((band) =>
      direction === 'lr' ? [band.y, band.y + band.height] : [band.x, band.x + band.width],
    )
    for (const { stitch } of lines.filter(({ drawn: { edge } }) => edge.seam)) {
      const place = direction === 'lr' ? stitch?.y : stitch?.x
      expect(Math.min(...borders.map((border) => Math.abs(border - (place ?? Number.NaN))))).toBeLessThan(1)
    }
  }
})

test('arrow keys follow calls in the direction that they are drawn', () => {
  const [first] = forward
  const from = first?.edge.from ?? ''
  const right = neighbourOf(from, 'ArrowRight', layout, picture.edges, 'lr')
  expect(right).not.toBeNull()
  expect(neighbourOf(from, 'ArrowDown', layout, picture.edges, 'tb')).toBe(right)
})

test('a silent cluster keeps its band, and what those in trouble call there', () => {
  const topology = topologyOf(incident)
  const clusters = topology.clusters.map((one) => (one.name === 'west' ? { ...one, state: 'down' as const } : one))
  const alone = {
    ...incident.fleet,
    suspects: [],
    workloads: incident.fleet.workloads.filter(({ cluster }) => cluster === 'east'),
  }
  const seen = (of: typeof topology) =>
    pictureOf(of, alone, { show: 'problem', group: '', sel: '' }).nodes.map(({ id }) => id)
  expect(seen(topology)).not.toContain('west/stock/catalog')
  expect(seen({ ...topology, clusters })).toContain('west/stock/catalog')
  const { lanes } = layOut([{ id: 'east/shop/web', lane: 'east' }], [], ['east', 'west', 'north'], ['west'])
  expect(lanes).toEqual([
    { name: 'east', rows: 1 },
    { name: 'west', rows: 1 },
  ])
})

test('clusters have two letters each, told apart', () => {
  expect([...badgesOf(['east', 'west', 'eu-1', 'eu-2', 'eu-22', 'x']).values()]).toEqual([
    'EA',
    'WE',
    'EU',
    'E2',
    'E5',
    'X',
  ])
})
