import { beforeEach, describe, expect, test } from 'vitest'
import type { Kept } from './kept.ts'
import { lastGoodAt as good } from './last-good.fixture.ts'
import { type KeptGood, LastTold } from './last-told.ts'

const AT = 1_800_000_000
const GOOD_FOR_SECONDS = 300

let held: KeptGood | null
let written: number
beforeEach(() => {
  held = null
  written = 0
  pasts = []
})
const kept: Kept<KeptGood> = {
  load: async () => held,
  async save(make) {
    held = make()
    written += 1
  },
  async forget() {
    held = null
  },
}
let pasts: string[]
const past = {
  keep: async () => void pasts.push('kept'),
  recall: async () => void pasts.push('recalled'),
  forget: async () => void pasts.push('forgotten'),
}
const process = () => new LastTold('east', kept, past, GOOD_FOR_SECONDS)
const NOTHING = { history: null, usualBuckets: null }
const at = (atSeconds: number) => ({ atSeconds, windowSeconds: 60 })
const refused = { why: 'unreachable', detail: 'nothing listens there' }

test('it is written down every half a minute while all is well, and at once when it falls silent', async () => {
  const last = process()
  for (let step = 0; step < 7; step += 1) {
    last.answers(at(AT))
    last.told(good(AT + 10 * step), true)
    last.keepNowAndThen()
    await last.written
  }
  expect(written).toBe(3)
  expect(held).toMatchObject({ good: { atSeconds: AT + 60 }, failing: null })
  expect(last.fails(at(AT + 70), refused)).toMatchObject({ sinceSeconds: AT + 70 })
  expect(last.fails(at(AT + 80), refused)).toMatchObject({ sinceSeconds: AT + 70 })
  await last.written
  expect(written).toBe(4)
  expect(held).toMatchObject({ failing: { sinceSeconds: AT + 70, failure: refused } })
})

test('a clock that was set back keeps it from being written down no longer than before', async () => {
  const last = process()
  for (const atSeconds of [AT, AT - 3_600, AT - 3_590, AT - 3_570]) {
    last.answers(at(atSeconds))
    last.told(good(atSeconds), true)
    last.keepNowAndThen()
    await last.written
  }
  expect(written).toBe(3)
  // What lacks something since a time to come stands back once, and then no more.
  last.told(good(AT), false)
  last.told(good(AT - 3_560), false)
  last.told(good(AT - 3_550), false)
  expect(last.good?.atSeconds).toBe(AT - 3_550)
})

test('nothing of a silence is left when it answers again, and what it tells then is written down anew', async () => {
  const last = process()
  last.told(good(AT), true)
  last.fails(at(AT + 10), refused)
  await last.written
  expect(held).not.toBeNull()
  last.answers(at(AT))
  expect(held).toBeNull()
  expect(last.silence).toBeNull()
  last.told(good(AT + 20), true)
  last.keepNowAndThen()
  await last.written
  expect(held).toMatchObject({ good: { atSeconds: AT + 20 }, failing: null })
})

test('what is being written down gives way to what is to be said since', async () => {
  const last = process()
  last.told(good(AT), true)
  last.keepNowAndThen()
  const whileWell = last.written
  last.fails(at(AT + 10), refused)
  await Promise.all([whileWell, last.written])
  expect(written).toBe(1)
  expect(held).toMatchObject({ failing: { sinceSeconds: AT + 10 } })
  last.answers(at(AT))
  last.fails(at(AT + 20), refused)
  last.answers(at(AT))
  await last.written
  expect(held).toBeNull()
})

describe('what lacks something', () => {
  test('does not take the place of a whole answer at once, and is what there is where each one lacks something', () => {
    const last = process()
    last.told(good(AT), true)
    last.told(good(AT + 10), false)
    expect(last.goodOf(60)?.atSeconds).toBe(AT)
    last.told(good(AT + 20), false)
    expect(last.goodOf(60)?.atSeconds).toBe(AT + 20)
    expect(last.wholeAt(60)).toBe(AT)
    last.told(good(AT + 30), true)
    last.told(good(AT + 40), false)
    expect(last.goodOf(60)?.atSeconds).toBe(AT + 30)
    expect(last.wholeAt(60)).toBe(AT + 30)
  })

  test('is worth showing where there never was a whole answer', () => {
    const last = process()
    last.told(good(AT), false)
    expect(last.goodOf(60)?.atSeconds).toBe(AT)
    expect(last.wholeAt(60)).toBeNull()
  })
})

test('each rate window has last good values of its own, as long as somebody looks at it', async () => {
  const of = (windowSeconds: number, atSeconds: number) => ({ ...good(atSeconds), windowSeconds })
  const last = process()
  last.told(of(60, AT), true)
  last.told(of(300, AT + 5), true)
  expect([60, 300].map((window) => last.goodOf(window)?.atSeconds)).toEqual([AT, AT + 5])
  // The one that is looked at longest is kept.
  await last.keep(AT + 6)
  expect(held?.good).toMatchObject({ windowSeconds: 60, atSeconds: AT })
  last.told(of(60, AT + 5 + GOOD_FOR_SECONDS), true)
  expect(last.goodOf(300)).not.toBeNull()
  last.told(of(60, AT + 6 + GOOD_FOR_SECONDS), true)
  expect(last.goodOf(300)).toBeNull()
})

describe('a cluster that falls silent as the rate window changes', () => {
  const readingOf = (windowSeconds: number, atSeconds: number) => ({
    atSeconds,
    windowSeconds,
    live: true,
    axis: { fromSeconds: 0, stepSeconds: 15, steps: 1 },
  })
  const of = (windowSeconds: number, atSeconds: number) => ({ ...good(atSeconds), windowSeconds })
  const shown = (last: LastTold, windowSeconds: number, atSeconds: number) =>
    last.view(readingOf(windowSeconds, atSeconds), atSeconds, NOTHING)

  test('is shown by the newest that it told over any other one, with its age', () => {
    const last = process()
    last.told(of(60, AT), true)
    last.told(of(120, AT + 10), true)
    last.told(of(90, AT + 5), true)
    last.fails(readingOf(300, AT + 20), refused)
    expect(shown(last, 300, AT + 20)).toMatchObject({ state: 'stale', ageSeconds: 10 })
    expect(shown(last, 300, AT + 10 + GOOD_FOR_SECONDS)).toMatchObject({ state: 'stale', ageSeconds: GOOD_FOR_SECONDS })
    expect(shown(last, 300, AT + 11 + GOOD_FOR_SECONDS)).toMatchObject({ state: 'missing', now: null })
  })

  test('is shown by what it told over this one while that is worth showing', () => {
    const last = process()
    last.told(of(300, AT), true)
    last.told(of(60, AT + 10), true)
    for (const window of [60, 300]) last.fails(readingOf(window, AT + 20), refused)
    expect(shown(last, 300, AT + GOOD_FOR_SECONDS)).toMatchObject({ state: 'stale', ageSeconds: GOOD_FOR_SECONDS })
    expect(shown(last, 300, AT + GOOD_FOR_SECONDS + 5)).toMatchObject({ ageSeconds: GOOD_FOR_SECONDS - 5 })
  })
})

test('what one window cannot tell is not shown by another that is answered', () => {
  const reading = (windowSeconds: number, atSeconds: number) => {
    const axis = { fromSeconds: 0, stepSeconds: 15, steps: 1 }
    return { atSeconds, windowSeconds, live: true, axis }
  }
  const last = process()
  last.told({ ...good(AT), windowSeconds: 3_600 }, true)
  const later = AT + GOOD_FOR_SECONDS + 10
  for (let atSeconds = AT + 10; atSeconds <= later; atSeconds += 10) {
    last.told(good(atSeconds), true)
    last.answers(at(atSeconds))
    last.fails(reading(3_600, atSeconds), refused)
  }
  expect(last.view(reading(3_600, later), later, NOTHING)).toMatchObject({ state: 'missing', now: null })
})

test('one who dies without being asked leaves what it wrote down last, with its age', async () => {
  const before = process()
  before.told(good(AT), true)
  before.keepNowAndThen()
  await before.written
  before.told(good(AT + 20), true)
  before.keepNowAndThen()
  await before.written
  const next = process()
  await next.recall(AT + 40)
  expect(next).toMatchObject({ good: good(AT), silence: null })
  expect(next.fails(at(AT + 40), refused)).toMatchObject({ sinceSeconds: AT + 40 })
})

test('the next process knows what was told last, since when nothing is, and why', async () => {
  const before = process()
  before.told(good(AT), true)
  before.fails(at(AT + 10), refused)
  await before.written
  const next = process()
  await next.recall(AT + 60)
  expect(next).toMatchObject({ good: good(AT), silence: { sinceSeconds: AT + 10, failure: refused } })
  expect(next.fails(at(AT + 60), null)).toMatchObject({ sinceSeconds: AT + 10 })
  const reading = {
    atSeconds: AT + 60,
    windowSeconds: 60,
    live: true,
    axis: { fromSeconds: 0, stepSeconds: 15, steps: 1 },
  }
  expect(next.view(reading, AT + 60, NOTHING)).toMatchObject({ name: 'east', state: 'stale', ageSeconds: 60 })
  const past = { ...reading, live: false }
  expect(next.view({ ...past, atSeconds: AT + 20 }, AT + 60, NOTHING)).toMatchObject({ state: 'stale', ageSeconds: 20 })
  expect(next.view({ ...past, atSeconds: AT - 10 }, AT + 60, NOTHING)).toMatchObject({ state: 'missing', now: null })
})

test('asked to end, it keeps what it knows of a cluster that is well too', async () => {
  const before = process()
  before.told(good(AT), true)
  await before.keep(AT + 5)
  const next = process()
  await next.recall(AT + 20)
  expect(next).toMatchObject({ good: good(AT), silence: null })
  next.answers(at(AT))
  expect(held).toBeNull()
})

test.each([
  ['too old', AT + GOOD_FOR_SECONDS + 1, { sinceSeconds: AT + 10, failure: refused }],
  ['of a time to come', AT - 3_600, null],
])('what is %s is not shown; since when it is silent is known all the same', async (_, nowSeconds, silence) => {
  const before = process()
  before.told(good(AT), true)
  before.fails(at(AT + 10), refused)
  await before.written
  const next = process()
  await next.recall(nowSeconds)
  expect(next).toMatchObject({ good: null, silence })
  const since = silence?.sinceSeconds ?? nowSeconds
  expect(next.fails(at(nowSeconds), refused)).toMatchObject({ sinceSeconds: since })
})

test('what nobody would show is not written down', async () => {
  const last = process()
  last.fails(at(AT), refused)
  await last.keep(AT)
  last.answers(at(AT))
  last.told(good(AT), true)
  await last.keep(AT + GOOD_FOR_SECONDS + 1)
  expect(written).toBe(0)
})

test('what another build wrote in another shape is as good as nothing, and gone when the cluster answers', async () => {
  const before = process()
  before.told(good(AT), true)
  before.fails(at(AT + 10), refused)
  await before.written
  held = { ...held, good: { ...held?.good, observation: { of: 'another build' } } } as unknown as KeptGood
  const next = process()
  expect(await next.recall(AT + 20)).toBeNull()
  expect(next).toMatchObject({ good: null, silence: null })
  next.answers(at(AT))
  expect(held).toBeNull()
})

test('the past follows behind the present, goes with it, and is recalled where the present is', async () => {
  const before = process()
  before.told(good(AT), true)
  before.fails(at(AT + 10), refused)
  await before.written
  await Promise.resolve()
  expect(pasts).toEqual(['kept'])
  const next = process()
  expect(await next.recall(AT + 20)).not.toBeNull()
  expect(pasts).toEqual(['kept', 'recalled'])
  next.answers(at(AT))
  expect(pasts).toEqual(['kept', 'recalled', 'forgotten'])
  expect(await process().recall(AT + 20)).toBeNull()
  expect(pasts).toHaveLength(3)
})
