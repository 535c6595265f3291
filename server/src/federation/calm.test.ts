import { describe, expect, test } from 'vitest'
import type { Picture } from '../domain/picture.ts'
import { UNTROUBLED } from '../domain/trouble.ts'
import { Calm } from './calm.ts'
import type { ClusterReader } from './cluster-reader.ts'
import type { Reading } from './reading.ts'

const reading: Reading = {
  atSeconds: 1_000,
  windowSeconds: 60,
  axis: { fromSeconds: 0, stepSeconds: 15, steps: 0 },
  live: true,
}

/** A cluster that holds the calls of an instant. */
function cluster(
  callsAt: number | null,
  { every = 30, refresh = 10, apart = 0, fewBuckets = false } = {},
): ClusterReader {
  const pace = { bucketRefreshSeconds: every, refreshSeconds: refresh, apartSeconds: Math.max(refresh, apart) }
  return { name: 'east', lanes: { callsAt: () => callsAt, pace, fewBuckets } } as never
}

const CURRENT = { name: 'east', state: 'current', ageSeconds: 0 }

/** What was drawn of one cluster at an instant; `ids`: who is suspected. */
function drawn(atSeconds: number, ids: readonly string[] = [], trouble = UNTROUBLED): Picture {
  const judgement = { suspects: ids.map((id) => ({ id, path: [], victims: [] })), affected: ids }
  const assessment = { workloads: new Map([['east/shop/web', { trouble }]]) }
  return { views: [CURRENT], situation: { atSeconds, windowSeconds: 60, assessment }, judgement } as never
}

/** ... and of a second one. */
function ofTwo(atSeconds: number): Picture {
  return { ...drawn(atSeconds), views: [CURRENT, CURRENT] as never }
}

describe('whether calls may stand', () => {
  const isPut = (readers: readonly ClusterReader[], last: Picture | null) => {
    const vote = new Calm(1).vote(readers, reading, last)
    vote?.moves()
    return vote !== null
  }

  test('of a first snapshot they may not', () => {
    expect(isPut([cluster(990)], null)).toBe(false)
    expect(isPut([cluster(990)], drawn(990))).toBe(true)
  })

  test('where all clusters hold those that were drawn', () => {
    expect(isPut([cluster(990), cluster(990)], ofTwo(990))).toBe(true)
    expect(isPut([cluster(990), cluster(985)], ofTwo(990))).toBe(false)
    expect(isPut([cluster(990), cluster(null)], ofTwo(990))).toBe(false)
    expect(isPut([cluster(990)], drawn(985))).toBe(false)
  })

  test('where no cluster has come or gone since', () => {
    expect(isPut([cluster(990)], ofTwo(990))).toBe(false)
    expect(isPut([cluster(990), cluster(990)], drawn(990))).toBe(false)
    expect(isPut([{ ...cluster(990), name: 'west' } as never], drawn(990))).toBe(false)
  })

  test('where all were drawn as they were then, and none by its last good values', () => {
    const by = (view: object) => ({ ...drawn(990), views: [{ ...CURRENT, ...view }] as never })
    expect(isPut([cluster(990)], by({}))).toBe(true)
    expect(isPut([cluster(990)], by({ state: 'stale' }))).toBe(false)
    expect(isPut([cluster(990)], by({ state: 'missing' }))).toBe(false)
    expect(isPut([cluster(990)], by({ ageSeconds: 5 }))).toBe(false)
  })

  test('of one and the same rate window', () => {
    const vote = new Calm(1).vote([cluster(990)], { ...reading, windowSeconds: 120 }, drawn(990))
    expect(vote).toBeNull()
  })

  test('until they are as old as percentiles are shown, where that is soonest', () => {
    // Percentiles fall due after 30 s, and are shown with the refresh after that.
    expect(isPut([cluster(960), cluster(960)], ofTwo(960))).toBe(true)
    expect(isPut([cluster(955), cluster(955)], ofTwo(955))).toBe(false)
    expect(isPut([cluster(970, { every: 15 }), cluster(970)], ofTwo(970))).toBe(false)
    expect(isPut([cluster(965, { refresh: 5 }), cluster(965)], ofTwo(965))).toBe(true)
    expect(isPut([cluster(960, { refresh: 5 }), cluster(960)], ofTwo(960))).toBe(false)
    // And with the snapshot after that, where these take longer than a refresh.
    expect(isPut([cluster(950, { apart: 20 })], drawn(950))).toBe(true)
    expect(isPut([cluster(945, { apart: 20 })], drawn(945))).toBe(false)
    // Instants lie 5 s apart.
    expect(isPut([cluster(965, { refresh: 1 }), cluster(965)], ofTwo(965))).toBe(true)
    expect(isPut([cluster(960, { refresh: 1 }), cluster(960)], ofTwo(960))).toBe(false)
  })

  test('where asking costs something', () => {
    expect(isPut([cluster(990, { fewBuckets: true })], drawn(990))).toBe(false)
    expect(isPut([cluster(990, { fewBuckets: true }), cluster(990)], ofTwo(990))).toBe(true)
  })

  test('where nobody is out of his range without being named for it yet', () => {
    const soon = drawn(990, [], { ...UNTROUBLED, latencySoon: 'warn' })
    expect(isPut([cluster(990)], soon)).toBe(false)
    const named = drawn(990, ['east/shop/web'], { ...UNTROUBLED, latencySoon: 'warn', latency: 'warn' })
    expect(isPut([cluster(990)], named)).toBe(true)
  })

  test('with who is in trouble, who makes it, and who lies between them', () => {
    const last = drawn(990, ['east/shop/cart'])
    const suspect = { id: 'east/shop/db', path: ['east/shop/cart', 'east/shop/api'], victims: ['east/shop/shop'] }
    const judgement = { ...last.judgement, suspects: [suspect] as never }
    const vote = new Calm(1).vote([cluster(990)], reading, { ...last, judgement })
    const names = [...(vote?.inTrouble ?? [])].map((id) => id.split('/').at(-1))
    expect(names.sort()).toEqual(['api', 'cart', 'db', 'shop'])
    vote?.moves()
    const calm = new Calm(1).vote([cluster(990)], reading, drawn(990))
    expect(calm?.inTrouble.size).toBe(0)
    calm?.moves()
  })
})

test('where something moves each time the question is not put for a while', () => {
  const calm = new Calm(1)
  const put = Array.from({ length: 20 }, () => {
    const vote = calm.vote([cluster(990)], reading, drawn(990))
    vote?.moves()
    if (vote !== null) calm.decided(true)
    return vote === null ? '-' : '+'
  })
  expect(put.join('')).toMatch(/^\+{3}-{10,12}\+/)
})

test('a picture does not stand that was drawn before the past came, the next one does', () => {
  const calm = new Calm(1)
  const isPut = (atSeconds: number) => {
    const vote = calm.vote([cluster(atSeconds)], reading, drawn(atSeconds))
    vote?.moves()
    return vote !== null
  }
  expect(isPut(980)).toBe(true)
  calm.pastCameFor(980)
  calm.pastCameFor(975)
  expect(isPut(980)).toBe(false)
  expect(isPut(985)).toBe(true)
})

test('what stood once is asked about again', () => {
  const calm = new Calm(1)
  for (const asked of [true, true, false, true, true]) calm.decided(asked)
  const vote = calm.vote([cluster(990)], reading, drawn(990))
  expect(vote).not.toBeNull()
  vote?.moves()
})
