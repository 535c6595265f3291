import { expect, test } from 'vitest'
import type { WallFrame } from '../../src/contract/index.ts'
import type { Part } from '../../src/domain/verdict-within.ts'
import { EMPTY_RAIL, nextRail } from '../../src/domain/wall-rail.ts'
import type { Snapshot } from '../../src/federation/snapshot.ts'
import { candidatesOf, frameOf } from '../../src/http/present-wall.ts'
import { sceneOf } from '../../src/http/wall-scene.ts'
import { snapshotOf } from './incident-snapshot.ts'
import { AT, C, course, D, SLOW, X } from './incident-world.ts'

const EVERYTHING: Part = { clusters: null, namespaces: null }
const clusters = (...names: string[]): Part => ({ clusters: new Set(names), namespaces: null })
const namespaces = (...names: string[]): Part => ({ clusters: null, namespaces: new Set(names) })

function frameIn(taken: Snapshot, part: Part, limit: Part = EVERYTHING): WallFrame {
  const memory = { watchingSinceSeconds: AT, lastTroubleSeconds: null, places: new Map() }
  const scene = sceneOf(taken, { ...part, limit })
  const rail = nextRail(EMPTY_RAIL, candidatesOf(scene), AT)
  return frameOf(scene, rail, memory, { build: 'b', nowSeconds: AT, code: null, note: null })
}

const calm = { 'east/mail/m': course(10, 0.1, 0.1) }
const slow = snapshotOf({ ...SLOW, nodes: { ...SLOW.nodes, ...calm } })

test('a wall of a part names the cause wherever it is', () => {
  const { hero, rows } = frameIn(slow, namespaces('shop'))
  expect(hero).toMatchObject({ form: 'suspect', id: D, text: slow.verdict.text })
  expect(rows.map(({ id, via }) => [id, via])).toEqual([[X, D]])
  expect(frameIn(slow, clusters('west')).hero).toMatchObject({ form: 'suspect', id: D, text: slow.verdict.text })
})

test('a wall of a part that nothing is wrong with says so of that part', () => {
  const mail: Part = { clusters: new Set(['east']), namespaces: new Set(['mail']) }
  const quiet = { form: 'quiet', text: 'All quiet. 1 workload in 1 cluster within its usual range.' }
  expect(frameIn(slow, mail).hero).toMatchObject({ ...quiet, id: null, victims: [] })
  const silent = snapshotOf({ ...SLOW, nodes: { ...SLOW.nodes, ...calm }, silent: ['west'] })
  expect(frameIn(silent, mail).hero).toMatchObject(quiet)
})

test('a screen names nothing outside of what it may show', () => {
  const east = frameIn(slow, clusters('east'), clusters('east'))
  expect(JSON.stringify(east)).not.toMatch(/west|labs/)
  expect(east.hero).toMatchObject({
    form: 'trouble',
    id: X,
    text: expect.stringContaining('outside of what this screen'),
  })
  expect(east.rows.map(({ id, via }) => [id, via])).toEqual([[X, null]])
  const west = frameIn(slow, clusters('west'), clusters('west'))
  expect(JSON.stringify(west)).not.toMatch(/east|shop/)
  expect(west.hero).toMatchObject({
    form: 'suspect',
    id: D,
    victims: [C],
    text: expect.stringContaining('labs/d (west)'),
  })
  const mail = frameIn(slow, namespaces('mail'), namespaces('mail'))
  expect(JSON.stringify(mail)).not.toMatch(/labs|shop/)
})

test('nor does it name clusters that do not answer, while others do', () => {
  const silent = snapshotOf({ ...SLOW, silent: ['west'] })
  const east = frameIn(silent, clusters('east'), clusters('east'))
  expect(JSON.stringify(east)).not.toMatch(/west|labs/)
})

test('asked for what it may not show, or for what nobody knows, a screen says which', () => {
  expect(frameIn(slow, clusters(), clusters('east')).hero).toMatchObject({
    form: 'blind',
    text: 'this screen may show east, and is asked for others',
  })
  expect(frameIn(slow, clusters('south'), clusters('south')).hero.text).toBe('south: no such cluster is known')
  expect(frameIn(slow, namespaces('typo')).hero).toMatchObject({
    form: 'partial',
    text: 'no workload is known of typo',
  })
})
