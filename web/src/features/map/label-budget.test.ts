import { expect, test } from 'vitest'
import { callsScene } from '../../../test/large.ts'
import { topologyOf } from '../../../test/topology.ts'
import { drawingOf } from './geometry.ts'
import { dotsOf } from './label-budget.ts'
import { layOut } from './layout.ts'
import { pictureOf } from './picture.ts'

const scene = callsScene(300, 600)
const of = (sel = '') => pictureOf(topologyOf(scene), scene.fleet, { show: 'all', group: '', sel })
const picture = of()
const dots = dotsOf(picture, '')

test('whoever is in trouble, suspected or chosen keeps a name; of the others the most connected do', () => {
  const cards = picture.nodes.filter(({ id }) => !dots.has(id))
  expect(dots.size).toBeGreaterThan(200)
  for (const { id, workload, suspectRank, onPath } of picture.nodes)
    if (workload?.health === 'warn' || workload?.health === 'crit' || suspectRank !== null || onPath)
      expect(dots.has(id)).toBe(false)
  const degree = (id: string) => picture.edges.filter(({ edge }) => edge.from === id || edge.to === id).length
  const well = cards.filter(({ workload, onPath }) => workload?.health === 'ok' && !onPath)
  expect(well.length).toBeGreaterThanOrEqual(12)
  expect(Math.min(...well.map(({ id }) => degree(id)))).toBeGreaterThanOrEqual(
    Math.max(...[...dots].map((id) => degree(id))),
  )
  const [dot = ''] = dots
  expect(dotsOf(of(dot), dot).has(dot)).toBe(false)
})

test('other rates swap no names', () => {
  const busier = {
    ...picture,
    nodes: picture.nodes.map((drawn, at) => ({
      ...drawn,
      workload: drawn.workload && { ...drawn.workload, now: { ...drawn.workload.now, requestsPerSecond: at * 7 } },
    })),
  }
  expect(dotsOf(busier, '')).toEqual(dots)
})

test('up to sixty everybody has a card', () => {
  const few = { nodes: picture.nodes.slice(0, 60), edges: picture.edges }
  expect(dotsOf(few, '').size).toBe(0)
})

test.each(['lr', 'tb'] as const)('%s: a dot is twelve pixels in the middle of where its card would be', (direction) => {
  const layout = layOut(
    picture.nodes,
    picture.edges.map(({ edge }) => edge),
    ['east', 'west'],
  )
  const cards = drawingOf(picture, layout, 1_400, direction).boxes
  const drawn = drawingOf(picture, layout, 1_400, direction, dots)
  for (const id of dots) {
    const [card, dot] = [cards.get(id), drawn.boxes.get(id)]
    expect([dot?.width, dot?.height]).toEqual([12, 12])
    expect((dot?.y ?? 0) + 6).toBeCloseTo((card?.y ?? 0) + (card?.height ?? 0) / 2, 6)
    expect((dot?.x ?? 0) + 6).toBeCloseTo((card?.x ?? 0) + (card?.width ?? 0) / 2, 6)
  }
})
