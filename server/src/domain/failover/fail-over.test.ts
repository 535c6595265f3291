import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Axis } from '../baseline.ts'
import type { OwnGoals } from '../goals.ts'
import { emptyTraffic, type Traffic } from '../traffic.ts'
import { carriedWithin } from './carried.ts'
import { failOver, gaining } from './fail-over.ts'
import { landingsWithout } from './landing.ts'
import { outlookOf } from './overview.ts'
import { type Picture, type PlacedCall, twinsAmong } from './picture.ts'

/** `from > to: rate`, `from > to @ via: rate`; an id alone: its rate. */
function pictureFrom(rates: Record<string, number>, calls: Record<string, number> = {}, doors: string[] = []): Picture {
  const placed = Object.entries(calls).map(([text, requestsPerSecond]): PlacedCall => {
    const [ends = '', via = null] = text.split(' @ ')
    const [from = '', to = ''] = ends.split(' > ')
    return { from, to, via, requestsPerSecond }
  })
  return {
    rates: new Map(Object.entries(rates)),
    calls: placed,
    doors: new Set(doors),
    twinsOf: twinsAmong(Object.keys(rates), []),
  }
}

const after = (picture: Picture, cluster: string, split: Record<string, number> | null = null) => {
  const stated = split === null ? null : new Map(Object.entries(split))
  const { landings, nowhere } = landingsWithout(picture, cluster, stated)
  return {
    rates: Object.fromEntries(landings.map((one) => [one.id, Number(one.after.toFixed(9))])),
    nowhere: Object.fromEntries(nowhere.map(({ id, requestsPerSecond }) => [id, requestsPerSecond])),
    landings,
  }
}

describe('what lands where', () => {
  const shops = pictureFrom(
    { 'a/s/web': 60, 'b/s/web': 30, 'c/s/web': 10, 'a/s/cart': 30, 'b/s/cart': 15, 'c/s/cart': 20 },
    { 'a/s/web > a/s/cart': 30, 'b/s/web > b/s/cart': 15, 'c/s/web > c/s/cart': 20 },
  )

  test('users go where users go now, and the twins call on as they do now', () => {
    // 60/s of users split 3 to 1; each request of web at b makes half a call, at c two.
    expect(after(shops, 'a').rates).toEqual({ 'b/s/web': 75, 'c/s/web': 25, 'b/s/cart': 37.5, 'c/s/cart': 50 })
  })

  test('a stated split is taken instead', () => {
    expect(after(shops, 'a', { c: 1 }).rates).toEqual({ 'c/s/web': 70, 'c/s/cart': 140 })
    expect(after(shops, 'a', { b: 1, c: 2 }).rates['b/s/web']).toBe(50)
  })

  test('what no split sends anywhere has nowhere to go', () => {
    expect(after(shops, 'a', { d: 1 })).toMatchObject({ rates: {}, nowhere: { 'a/s/web': 60 } })
  })

  test('who runs elsewhere is told apart from who runs nowhere else', () => {
    const left = pictureFrom({ 'a/s/web': 60, 'c/s/web': 10, 'a/s/only': 5 }, {})
    const landings = landingsWithout(left, 'a', new Map([['b', 100]]))
    const elsewhere = Object.fromEntries(landings.nowhere.map((one) => [one.id, one.elsewhere]))
    expect(elsewhere).toEqual({ 'a/s/web': ['c'], 'a/s/only': [] })
    const { text } = failOver('a', landings, new Map(), { days: 7, atSeconds: 0 })
    expect(text).toContain('5.00/s have nowhere to go: s/only (a) runs nowhere else')
    expect(text).toContain('60/s have nowhere to go: s/web (a) runs in c too, which the split gives nothing')
  })

  test('who runs elsewhere is told by where', () => {
    const left = pictureFrom({ 'a/s/web': 60, 'c/s/web': 10, 'a/s/cart': 5, 'd/s/cart': 5 }, {})
    const landings = landingsWithout(left, 'a', new Map([['b', 100]]))
    const { text } = failOver('a', landings, new Map(), { days: 7, atSeconds: 0 })
    expect(text).toMatch(/s\/web \(a\) runs in c too, .*; .*s\/cart \(a\) runs in d too, /)
  })

  test('calls of those who are left go where they send the others, and what the lost one called is called no more', () => {
    const picture = pictureFrom(
      { 'a/s/front': 10, 'b/s/tax': 10, 'c/s/tax': 5, 'b/s/log': 7 },
      { 'a/s/front > b/s/tax': 8, 'a/s/front > c/s/tax': 2, 'b/s/tax > b/s/log': 5 },
    )
    expect(after(picture, 'b')).toMatchObject({ rates: { 'c/s/tax': 15 }, nowhere: { 'b/s/log': 2 } })
    // a gone: its users have nowhere to go, and tax is called less, and so is log behind it.
    expect(after(picture, 'a')).toMatchObject({
      rates: { 'b/s/tax': 2, 'c/s/tax': 3, 'b/s/log': 3 },
      nowhere: { 'a/s/front': 10 },
    })
  })

  test('a twin that stands by is taken to call whom its model calls, near itself where it can', () => {
    const picture = pictureFrom(
      { 'a/s/web': 40, 'b/s/web': 0, 'a/s/cart': 20, 'b/s/cart': 0 },
      { 'a/s/web > a/s/cart': 20 },
    )
    const { rates, landings } = after(picture, 'a')
    expect(rates).toEqual({ 'b/s/web': 40, 'b/s/cart': 20 })
    expect(landings.map(({ assumedEven, assumedCalls }) => [assumedEven, assumedCalls])).toEqual([
      [true, true],
      [false, false],
    ])
  })

  test('an ingress gets what enters through it, whatever else it lets in', () => {
    const picture = pictureFrom(
      { 'a/in/door': 50, 'b/in/door': 9, 'a/s/web': 50, 'b/s/web': 1, 'b/s/other': 8 },
      { 'a/in/door > a/s/web': 50, 'b/in/door > b/s/web': 1, 'b/in/door > b/s/other': 8 },
      ['a/in/door', 'b/in/door'],
    )
    expect(after(picture, 'a').rates).toEqual({ 'b/in/door': 59, 'b/s/web': 51 })
  })

  test('callers across the seam come through the other door, and the near twin needs none', () => {
    const picture = pictureFrom(
      { 'a/in/door': 20, 'b/in/door': 5, 'c/in/door': 1, 'a/s/tax': 20, 'b/s/tax': 5, 'b/s/front': 30 },
      { 'b/s/front > a/s/tax @ a/in/door': 20, 'a/in/door > a/s/tax': 20, 'b/in/door > b/s/tax': 5 },
      ['a/in/door', 'b/in/door', 'c/in/door'],
    )
    expect(after(picture, 'a').rates).toEqual({ 'b/s/tax': 25 })
  })

  test('in a few numbers: where it lands, what has nowhere to go, whose rate grows most', () => {
    const picture = pictureFrom(
      { 'a/in/door': 60, 'b/in/door': 9, 'a/s/web': 60, 'b/s/web': 30, 'c/s/web': 10, 'b/s/cart': 15, 'a/s/only': 4 },
      { 'a/in/door > a/s/web': 60, 'b/in/door > b/s/web': 9, 'b/s/web > b/s/cart': 15 },
      ['a/in/door', 'b/in/door'],
    )
    expect(outlookOf('a', landingsWithout(picture, 'a', null), picture.doors)).toEqual({
      cluster: 'a',
      lands: [
        { cluster: 'b', requestsPerSecond: 45 },
        { cluster: 'c', requestsPerSecond: 15 },
      ],
      nowhere: { requestsPerSecond: 4, ids: ['a/s/only'] },
      gaining: 4,
      most: { id: 'b/s/web', now: 30, after: 75 },
    })
  })

  test('nothing is made or lost: what users send lands or has nowhere to go', () => {
    const ids = ['web', 'cart', 'tax'].flatMap((name) => ['a', 'b', 'c'].map((cluster) => `${cluster}/s/${name}`))
    const world = fc.record({
      rates: fc.array(fc.double({ min: 0, max: 1_000, noNaN: true }), { minLength: 9, maxLength: 9 }),
      here: fc.subarray(ids, { minLength: 1 }),
      split: fc.option(fc.record({ b: fc.nat(9), c: fc.nat(9) })),
    })
    fc.assert(
      fc.property(world, ({ rates, here, split }) => {
        // Without calls each request is a user's.
        const given = Object.fromEntries(here.map((id) => [id, rates[ids.indexOf(id)] ?? 0]))
        const { landings, nowhere } = after(pictureFrom(given), 'a', split)
        const lost = Object.entries(given).reduce((sum, [id, rate]) => (id.startsWith('a/') ? sum + rate : sum), 0)
        const landed = landings.reduce((sum, one) => sum + one.after - one.now, 0)
        const gone = Object.values(nowhere).reduce((sum, rate) => sum + rate, 0)
        expect(landed + gone).toBeCloseTo(lost, 6)
      }),
      { numRuns: 100 },
    )
  })
})

const ASKED = { days: 7, atSeconds: 1_800_010_800 }
const axis: Axis = { fromSeconds: 1_800_000_000, stepSeconds: 600, steps: 5 }

function past(steps: readonly (readonly [rate: number, failed: number, mean: number])[]): Traffic {
  const traffic = emptyTraffic(steps.length)
  steps.forEach(([rate, failed, mean], step) => {
    traffic.success[step] = rate * (1 - failed)
    traffic.failures[step] = rate * failed
    traffic.latencyCount[step] = rate
    traffic.latencySeconds[step] = rate * mean
  })
  return traffic
}

const GOALS: OwnGoals = {
  successRatio: 0.99,
  latencySeconds: { mean: 0.2 },
  leastRequestsPerSecond: null,
  periodSeconds: 86_400,
}

describe('what was carried within the goals', () => {
  const course = past([
    [10, 0, 0.1],
    [80, 0.001, 0.19],
    [95, 0.001, 0.4],
    [120, 0.2, 0.1],
    [0.01, 1, 9],
  ])

  test('the highest rate at which all goals were kept, and the lowest above it at which one was not', () => {
    expect(carriedWithin(course, axis, GOALS)).toEqual({
      kept: { requestsPerSecond: expect.closeTo(80, 9), atSeconds: 1_800_000_600 },
      broke: { requestsPerSecond: expect.closeTo(95, 9), atSeconds: 1_800_001_200, why: 'mean 400 ms' },
      judgedSteps: 4,
      stepSeconds: 600,
      heldTo: 'success 99 %, mean 200 ms',
      goals: true,
    })
  })

  test('without goals: few failures, and not twice as slow as in the middle', () => {
    const { kept, heldTo } = carriedWithin(course, axis, null)
    expect([kept?.requestsPerSecond, heldTo]).toEqual([
      expect.closeTo(80, 9),
      'success 99 %, mean below twice its median (190 ms)',
    ])
  })

  test('a percentile that nobody counts is not a goal that was kept', () => {
    const goals = { ...GOALS, latencySeconds: { p99: 0.2 } }
    expect(carriedWithin(course, axis, goals)).toMatchObject({ kept: null, judgedSteps: 1 })
  })

  test('nothing known of the past: not judged', () => {
    expect(carriedWithin(emptyTraffic(5), axis, GOALS)).toMatchObject({ kept: null, broke: null, judgedSteps: 0 })
  })
})

describe('the answer in words', () => {
  const picture = pictureFrom({ 'a/s/web': 60, 'b/s/web': 30, 'a/s/tax': 5 })
  const landings = landingsWithout(picture, 'a', null)
  const held = (highest: number) =>
    new Map(gaining(landings).map((id) => [id, carriedWithin(past([[highest, 0, 0.1]]), axis, GOALS)]))

  test('more than ever, and requests that have nowhere to go', () => {
    const { form, text, rows } = failOver('a', landings, held(45), ASKED)
    expect(form).toBe('nowhere')
    expect(rows).toMatchObject([{ id: 'b/s/web', now: 30, after: 90, direct: 60, verdict: 'above' }])
    expect(text).toBe(
      'If a goes, 1 workload gets more than ever within its goals in the last 7 days, most of all s/web (b): 90/s (now 30/s), x2.0 what it has carried within its goals: 45/s 3 h ago; 5.00/s have nowhere to go: s/tax (a) runs nowhere else.',
    )
  })

  test('as much as it has carried', () => {
    const both = landingsWithout(pictureFrom({ 'a/s/web': 60, 'b/s/web': 30 }), 'a', null)
    expect(failOver('a', both, held(90), ASKED)).toMatchObject({
      form: 'carries',
      text: 'If a goes, the one workload that gets more has carried as much within its goals.',
    })
    expect(failOver('a', both, new Map(), ASKED)).toMatchObject({ form: 'unknown', rows: [{ verdict: 'unknown' }] })
  })
})
