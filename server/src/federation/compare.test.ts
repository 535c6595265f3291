import { expect, test } from 'vitest'
import { emptyObservation } from '../domain/observation.ts'
import { UpstreamError } from '../prometheus/upstream-error.ts'
import type { PastReading } from './cluster-past.ts'
import type { ClusterReader } from './cluster-reader.ts'
import { CompareReader, type CompareWith } from './compare.ts'

const { signal } = new AbortController()

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
      compare: async (stretch: PastReading) => {
        asked.push(stretch)
        return {
          observation: emptyObservation('east', 1),
          buckets: { axis: stretch.axis, observation: emptyObservation('east', 1) },
        }
      },
    },
  } as unknown as ClusterReader
  const at = { atSeconds: 2_000_007, windowSeconds: 140 }
  const { window } = await new CompareReader().read([reader], compare, at, signal)
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
      compare: async ({ axis }: PastReading) => {
        asked += 1
        const observation = emptyObservation('west', axis.steps)
        const error = new UpstreamError('timeout', 'no answer within 10 s')
        return { observation, buckets: refused ? { error } : { axis, observation } }
      },
    },
  } as unknown as ClusterReader
  const compare: CompareWith = { kind: 'window', fromSeconds: 1_000_000, toSeconds: 1_001_800 }
  const comparing = new CompareReader()
  const read = () => comparing.read([reader], compare, { atSeconds: 2_000_000, windowSeconds: 60 }, signal)
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
      compare: async ({ axis }: PastReading) => {
        asked.set(`c${index}`, (asked.get(`c${index}`) ?? 0) + 1)
        const observation = emptyObservation(`c${index}`, axis.steps)
        return { observation, buckets: { axis, observation } }
      },
    },
  })) as unknown as readonly ClusterReader[]
  const comparing = new CompareReader()
  for (const atSeconds of [2_000_000, 2_000_010, 2_000_020])
    await comparing.read(readers, { kind: 'ago', seconds: 86_400 }, { atSeconds, windowSeconds: 60 }, signal)
  expect(new Set(asked.values())).toEqual(new Set([1]))
})
