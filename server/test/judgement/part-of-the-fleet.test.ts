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

test('usual values that are doubted in another part are no doubt about this one, and name nobody there', () => {
  const db = { 'east/payroll/db': course(10, 0.1, 0.5), 'east/mail/m': course(10, 0.1, 0.3) }
  const nodes = { [X]: course(41, 0.1, 0.1), ...db }
  const longAgo = snapshotOf({ nodes, calls: [], beganStepsAgo: 240 })
  expect(longAgo.verdict.text).toContain('payroll/db (east) became 5.0 times slower')
  expect(frameIn(longAgo, EVERYTHING).hero).toMatchObject({ form: 'partial', text: longAgo.verdict.text })
  for (const part of [namespaces('shop'), clusters('west')])
    expect(JSON.stringify(frameIn(longAgo, part, part))).not.toContain('payroll')
  expect(frameIn(longAgo, namespaces('shop')).hero).toMatchObject({
    form: 'quiet',
    text: 'All quiet. 1 workload in 2 clusters within its usual range.',
  })
  // The part's own doubts are told where another part has greater ones.
  expect(frameIn(longAgo, namespaces('mail')).hero.text).toContain('mail/m (east) became 3.0 times slower')
})

test('a screen in trouble names nobody outside whose usual values are doubted', () => {
  const rising = { rate: 41, usual: 0.1, now: 0.1, later: { stepsAgo: 20, now: 2.1 } }
  const taken = snapshotOf({
    nodes: { [X]: rising, 'east/payroll/db': course(10, 0.1, 0.5) },
    calls: [],
    beganStepsAgo: 240,
  })
  expect(taken.verdict.text).toContain('Payroll/db (east) became 5.0 times slower')
  expect(frameIn(taken, EVERYTHING).hero).toMatchObject({ form: 'suspect', id: X, text: taken.verdict.text })
  const shop = frameIn(taken, namespaces('shop'), namespaces('shop'))
  expect(shop.hero).toMatchObject({ form: 'suspect', id: X, text: expect.stringContaining('own account') })
  expect(JSON.stringify(shop)).not.toMatch(/payroll/i)
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

test('a wall says which goal is missed by somebody who is as usual, also while a cluster is silent', () => {
  const latencySeconds = { mean: 0.05 }
  const goal = { workload: X, successRatio: null, latencySeconds, leastRequestsPerSecond: null, periodSeconds: null }
  const nodes = { [X]: course(41, 0.1, 0.1), [D]: course(41, 0.02, 0.02) }
  for (const silent of [[], ['west']])
    expect(frameIn(snapshotOf({ nodes, calls: [], goals: [goal], silent }), EVERYTHING).hero).toMatchObject({
      form: 'trouble',
      id: X,
      text: 'it misses its goal: mean 100 ms (goal 50 ms)',
    })
})
