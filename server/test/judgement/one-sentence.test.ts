import { expect, test } from 'vitest'
import { EMPTY_RAIL } from '../../src/domain/wall-rail.ts'
import type { Snapshot } from '../../src/federation/snapshot.ts'
import { fleetOf, suspectsOf, topologyOf } from '../../src/http/present-answers.ts'
import { presentHead } from '../../src/http/present-head.ts'
import { frameOf } from '../../src/http/present-wall.ts'
import { resolveScope } from '../../src/http/scope-of.ts'
import { sceneOf } from '../../src/http/wall-scene.ts'
import { snapshotOf } from './incident-snapshot.ts'
import { AT, C, D, SLOW, X } from './incident-world.ts'

const EVERYTHING = { clusters: null, namespaces: null }

function saidBy(taken: Snapshot) {
  const memory = { watchingSinceSeconds: AT, lastTroubleSeconds: null, places: new Map() }
  const scene = sceneOf(taken, { ...EVERYTHING, limit: EVERYTHING })
  const { hero } = frameOf(scene, EMPTY_RAIL, memory, { build: 'b', nowSeconds: AT, code: null, note: null })
  const fleet = fleetOf(taken, resolveScope({}, AT, null)).whole()
  const answers = [fleet, suspectsOf(taken, null), suspectsOf(taken, X), topologyOf(taken).whole(), presentHead(taken)]
  return {
    texts: new Set([...answers.map(({ verdict }) => verdict.text), hero.text]),
    named: new Set([...answers.map(({ verdict }) => verdict.suspect), hero.id]),
    hero,
    ranks: Object.fromEntries(fleet.workloads.map(({ id, suspectRank, via }) => [id, suspectRank ?? via])),
  }
}

test('one sentence and one name in every answer and on the wall', () => {
  const { texts, named, hero, ranks } = saidBy(snapshotOf(SLOW))
  expect([...texts]).toEqual([expect.stringContaining('shop/x (east) is slow because of labs/d (west), 2 calls down.')])
  expect([...named]).toEqual([D])
  expect(hero).toMatchObject({ form: 'suspect', word: 'strong', victims: [X, C] })
  expect(ranks).toEqual({ [X]: D, [C]: D, [D]: 1 })
})

test('where the sentence names nobody, the wall does not either', () => {
  const { named, hero } = saidBy(snapshotOf({ ...SLOW, silent: ['west'] }))
  expect(hero.form).not.toBe('suspect')
  expect(named.has(D)).toBe(false)
})
