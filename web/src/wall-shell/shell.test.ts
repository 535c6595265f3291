import { describe, expect, test } from 'vitest'
import { backoffMs } from './backoff.ts'
import { createEventReader } from './events.ts'
import { judgePicture, type PictureState } from './health.ts'
import { VersionWatch } from './version.ts'

test('tries come after 1, 2, 4, 8, 15 and then 30 s for ever, a fifth more or less', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 1_000].map((failures) => backoffMs(failures, () => 0.5) / 1_000)).toEqual([
    1, 2, 4, 8, 15, 30, 30, 30,
  ])
  expect(backoffMs(6, () => 0)).toBeCloseTo(24_000)
  expect(backoffMs(6, () => 1)).toBeCloseTo(36_000)
})

test('events are read however they are cut', () => {
  const stream = ': beat\n\nevent: frame\ndata: {"a":1}\n\nevent: frame\ndata: {"b":2}\n\n'
  for (let size = 1; size < stream.length; size += 1) {
    const read = createEventReader()
    const got: string[] = []
    for (let at = 0; at < stream.length; at += size) got.push(...read(stream.slice(at, at + size)))
    expect(got).toEqual(['{"a":1}', '{"b":2}'])
  }
})

describe('a new build', () => {
  const watch = () => {
    const version = new VersionWatch(() => 1)
    version.shows('one')
    return version
  }
  test('is loaded within a minute once it was seen twice, 30 s apart', () => {
    const version = watch()
    version.note('two', 0)
    version.note('two', 29_999)
    expect(version.isDue(1e9)).toBe(false)
    version.note('two', 30_000)
    expect(version.isDue(89_999)).toBe(false)
    expect(version.isDue(90_000)).toBe(true)
  })
  test('that one of several servers has for a moment is not', () => {
    const version = watch()
    version.note('two', 0)
    version.note('one', 15_000)
    version.note('two', 31_000)
    expect(version.isDue(1e9)).toBe(false)
  })
  test('is done with when it is shown', () => {
    const version = watch()
    version.note('two', 0)
    version.note('two', 60_000)
    version.shows('two')
    expect(version.isDue(1e9)).toBe(false)
  })
})

const fine: PictureState = {
  madeAtMs: 0,
  ready: true,
  painted: true,
  unpaintedAtMs: [],
  unansweredAtMs: [],
  heapBytes: null,
}

test.each<{ why: string; state: Partial<PictureState>; at: number; want: string }>([
  { why: 'loading takes its time', state: { ready: false }, at: 20_000, want: 'fine' },
  { why: 'it never got ready', state: { ready: false }, at: 20_001, want: 'dead' },
  { why: 'two missed beats', state: { unpaintedAtMs: [0, 10_000] }, at: 60_000, want: 'fine' },
  { why: 'three missed beats', state: { unpaintedAtMs: [0, 10_000, 20_000] }, at: 20_000, want: 'dead' },
  { why: 'three frames within a breath', state: { unpaintedAtMs: [0, 1, 2] }, at: 5_000, want: 'fine' },
  { why: 'no data, and no answers', state: { unansweredAtMs: [0, 5_000, 10_000] }, at: 10_000, want: 'dead' },
  { why: 'too much memory', state: { heapBytes: 600 * 2 ** 20 }, at: 0, want: 'heavy' },
])('a picture is judged: $why', ({ state, at, want }) => {
  expect(judgePicture({ ...fine, ...state }, at)).toBe(want)
})
