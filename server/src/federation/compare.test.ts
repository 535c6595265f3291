import { setMaxListeners } from 'node:events'
import { expect, test } from 'vitest'
import { emptyObservation } from '../domain/observation.ts'
import { UpstreamError } from '../prometheus/upstream-error.ts'
import type { PastReading } from './cluster-past.ts'
import type { ClusterReader } from './cluster-reader.ts'
import { CompareReader, type CompareWith } from './compare.ts'

const { signal } = new AbortController()
// One for all readers, as a snapshot has it.
setMaxListeners(0, signal)

const stretches: readonly CompareWith[] = [
  { kind: 'ago', seconds: 86_400 },
  { kind: 'window', fromSeconds: 1_000_003, toSeconds: 1_001_800 },
]

test.each(stretches)('a range begins on a multiple of its step, and holds the stretch: $kind', async (compare) => {
  const asked: Omit<PastReading, 'live'>[] = []
  const reader = {
    name: 'east',
    fastSeries: 1,
    lanes: { bucketSeries: () => 1 },
    past: {
      rates: async (stretch: PastReading) => {
        asked.push(stretch)
        return { observation: emptyObservation('east', 1), partWarning: null }
      },
      buckets: async ({ axis }: PastReading) => ({ axis, observation: emptyObservation('east', 1) }),
    },
  } as unknown as ClusterReader
  const at = { atSeconds: 2_000_007, windowSeconds: 140, live: true }
  const { window } = await new CompareReader(3).read([reader], compare, at, signal)
  const [{ axis } = { axis: { fromSeconds: Number.NaN, stepSeconds: 1, steps: 0 } }] = asked
  expect(axis.fromSeconds % axis.stepSeconds).toBe(0)
  expect(axis.fromSeconds).toBeGreaterThan(window.fromSeconds - axis.stepSeconds)
  expect(axis.fromSeconds + axis.steps * axis.stepSeconds).toBeLessThanOrEqual(window.toSeconds)
})

test('percentiles that could not be read are a gap, and asked for again', async () => {
  let refused = true
  let asked = 0
  const reader = {
    name: 'west',
    fastSeries: 1,
    lanes: { bucketSeries: () => 1 },
    past: {
      rates: async ({ axis }: PastReading) => {
        asked += 1
        return { observation: emptyObservation('west', axis.steps), partWarning: null }
      },
      buckets: async ({ axis }: PastReading) => {
        const error = new UpstreamError('timeout', 'no answer within 10 s')
        return refused ? { error } : { axis, observation: emptyObservation('west', axis.steps) }
      },
    },
  } as unknown as ClusterReader
  const compare: CompareWith = { kind: 'window', fromSeconds: 1_000_000, toSeconds: 1_001_800 }
  const comparing = new CompareReader(3)
  const read = () => comparing.read([reader], compare, { atSeconds: 2_000_000, windowSeconds: 60, live: true }, signal)
  const first = await read()
  expect(first.gaps).toEqual([
    {
      cluster: 'west',
      what: 'usual percentiles',
      why: 'timeout',
      detail: 'no answer within 10 s',
      sinceSeconds: 2_000_000,
    },
  ])
  expect(first.observations.get('west')).toMatchObject({ buckets: null })
  refused = false
  const second = await read()
  expect(second.gaps).toEqual([])
  expect(second.observations.get('west')?.buckets).not.toBeNull()
  await read()
  expect(asked).toBe(2)
})

test('a stretch is read once of each of many clusters', async () => {
  const asked = new Map<string, number>()
  const readers = Array.from({ length: 50 }, (_, index) => ({
    name: `c${index}`,
    fastSeries: 1,
    lanes: { bucketSeries: () => 1 },
    past: {
      rates: async ({ axis }: PastReading) => {
        asked.set(`c${index}`, (asked.get(`c${index}`) ?? 0) + 1)
        return { observation: emptyObservation(`c${index}`, axis.steps), partWarning: null }
      },
      buckets: async ({ axis }: PastReading) => ({ axis, observation: emptyObservation(`c${index}`, axis.steps) }),
    },
  })) as unknown as readonly ClusterReader[]
  const comparing = new CompareReader(3)
  for (const atSeconds of [2_000_000, 2_000_010, 2_000_020])
    await comparing.read(
      readers,
      { kind: 'ago', seconds: 86_400 },
      { atSeconds, windowSeconds: 60, live: true },
      signal,
    )
  expect(new Set(asked.values())).toEqual(new Set([1]))
})

type Rates = Awaited<ReturnType<ClusterReader['past']['rates']>>

/** A cluster that tells its rates as a test says. */
function readerThat(rates: (stretch: PastReading) => Promise<Rates>): ClusterReader {
  const buckets = async ({ axis }: PastReading) => ({ axis, observation: emptyObservation('west', axis.steps) })
  const past = { rates, buckets }
  return { name: 'west', fastSeries: 1, lanes: { bucketSeries: () => 1 }, past } as unknown as ClusterReader
}
const stretch: CompareWith = { kind: 'window', fromSeconds: 1_000_000, toSeconds: 1_001_800 }
const at = { atSeconds: 2_000_000, windowSeconds: 60, live: true }
const whole = { observation: emptyObservation('west', 120), partWarning: null }

test('live, one that takes long is a gap until it has told, and is asked once', async () => {
  let tell: (told: Rates) => void = () => undefined
  let asked = 0
  const reader = readerThat(() => {
    asked += 1
    return new Promise((resolve) => {
      tell = resolve
    })
  })
  const comparing = new CompareReader(0.01)
  const read = () => comparing.read([reader], stretch, at, signal)
  const detail = 'no answer within 0.01 s; still waiting for it'
  const gaps = [{ cluster: 'west', what: 'usual values', why: 'slow', detail, sinceSeconds: 2_000_000 }]
  expect(await read()).toMatchObject({ gaps, observations: new Map() })
  expect(await read()).toMatchObject({ gaps, observations: new Map() })
  tell(whole)
  const after = await read()
  expect(after.gaps).toEqual([])
  expect(after.observations.get('west')?.observation).toBe(whole.observation)
  expect(asked).toBe(1)
})

test('a moving stretch that takes long is the one of a little before until it has come', async () => {
  let asked = 0
  const reader = readerThat(() => {
    asked += 1
    return asked === 1 ? Promise.resolve(whole) : new Promise(() => undefined)
  })
  const comparing = new CompareReader(0.01)
  const read = (afterSeconds: number) =>
    comparing.read(
      [reader],
      { kind: 'ago', seconds: 86_400 },
      { ...at, atSeconds: at.atSeconds + afterSeconds },
      signal,
    )
  await read(0)
  const next = await read(60)
  expect(next.gaps).toEqual([])
  expect(next.observations.get('west')?.observation).toBe(whole.observation)
  expect((await read(600)).gaps).toMatchObject([{ what: 'usual values', why: 'slow' }])
})

test('of the past, one that takes long is waited for', async () => {
  const reader = readerThat(() => new Promise((resolve) => setTimeout(resolve, 100, whole)))
  const read = await new CompareReader(0.01).read([reader], stretch, { ...at, live: false }, signal)
  expect(read.gaps).toEqual([])
  expect(read.observations.size).toBe(1)
})

test('what was told in part is said, and asked for again after a while', async () => {
  const missing = 'Addr: 10.0.0.9:10901 MinTime: 0 MaxTime: 1: rpc error: code = Unavailable desc = gone'
  let asked = 0
  let partWarning: string | null = missing
  const reader = readerThat(async () => {
    asked += 1
    return { ...whole, partWarning }
  })
  const comparing = new CompareReader(60)
  const read = (afterSeconds: number) =>
    comparing.read([reader], stretch, { ...at, atSeconds: at.atSeconds + afterSeconds }, signal)
  const detail = 'its store 10.0.0.9:10901 does not answer: gone'
  const gap = { cluster: 'west', what: 'usual values', why: 'partial response', detail }
  expect((await read(0)).gaps).toEqual([{ ...gap, sinceSeconds: at.atSeconds }])
  partWarning = null
  expect((await read(10)).gaps).toMatchObject([gap])
  expect((await read(60)).gaps).toEqual([])
  expect((await read(3_600)).gaps).toEqual([])
  expect(asked).toBe(2)
})
