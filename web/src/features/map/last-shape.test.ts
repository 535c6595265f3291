import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { scenes } from '../../../test/scenes.ts'
import { topologyOf } from '../../../test/topology.ts'
import { keepShape, pictureOfShape, readShape, shapeText, withUnread } from './last-shape.ts'
import { pictureOf } from './picture.ts'

const { incident } = scenes
const topology = topologyOf(incident)
const picture = pictureOf(topology, incident.fleet, { show: 'problem', group: '', sel: '' })
const kept = () => shapeText('x', picture, ['east', 'west']) ?? expect.fail('no shape')

beforeEach(() => {
  const items = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, text: string) => void items.set(key, text),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('the last shape comes back without a number or a colour, for the same choice alone', () => {
  keepShape(kept())
  expect(readShape('y')).toBeNull()
  const shape = readShape('x') ?? expect.fail('nothing was kept')
  const grey = pictureOfShape(shape)
  expect(grey.nodes.map(({ id, lane }) => [id, lane])).toEqual(picture.nodes.map(({ id, lane }) => [id, lane]))
  expect(grey.edges.map(({ edge }) => [edge.from, edge.to, edge.seam])).toEqual(
    picture.edges.map(({ edge }) => [edge.from, edge.to, edge.seam]),
  )
  expect(new Set(grey.edges.map(({ health }) => health))).toEqual(new Set(['none']))
  expect(grey.nodes.every(({ workload }) => workload === null)).toBe(true)
})

test('what is no shape, as of an older page, is none', () => {
  expect(readShape('x')).toBeNull()
  for (const text of ['{', '{"asked":"x"}', '[]', kept().replace('"lanes"', '"lane"')]) {
    localStorage.setItem('goldseam.map', text)
    expect(readShape('x')).toBeNull()
  }
})

test('while nobody knows who is in trouble the same are drawn as will be, so that nothing jumps', () => {
  keepShape(kept())
  const ids = new Set(readShape('x')?.nodes.map(({ id }) => id))
  const early = pictureOf(topology, undefined, { show: 'problem', group: '', sel: '', unread: { all: true, ids } })
  expect(early.nodes.map(({ id }) => id)).toEqual(picture.nodes.map(({ id }) => id))
  expect(early.nothingWrong).toBe(false)
  const first = pictureOf(topology, undefined, {
    ...{ show: 'problem', group: '', sel: '' },
    unread: { all: true, ids: new Set() },
  })
  expect([first.nodes.length, first.nothingWrong]).toEqual([first.total, false])
})

test('of a cluster that has not answered yet the last shape is kept, with the calls into it', () => {
  keepShape(kept())
  const isWest = (id: string) => id.startsWith('west/')
  const early = {
    ...topology,
    nodes: topology.nodes.filter(({ id }) => !isWest(id)),
    edges: topology.edges.filter(({ from, to }) => !isWest(from) && !isWest(to)),
  }
  const whole = withUnread(early, readShape('x'), new Set(['west']))
  const drawnWest = picture.nodes.map(({ id }) => id).filter(isWest)
  expect(
    whole.nodes
      .map(({ id }) => id)
      .filter(isWest)
      .sort(),
  ).toEqual([...drawnWest].sort())
  const calls = picture.edges.filter(({ edge }) => isWest(edge.to)).map(({ edge }) => `${edge.from}~${edge.to}`)
  expect(whole.edges.map(({ from, to }) => `${from}~${to}`)).toEqual(expect.arrayContaining(calls))
  expect(withUnread(early, readShape('x'), new Set())).toBe(early)
})
