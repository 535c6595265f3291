import { expect, test } from 'vitest'
import { emptyObservation } from '../domain/observation.ts'
import type { PastReading } from './cluster-past.ts'
import type { ClusterReader } from './cluster-reader.ts'
import { CompareReader, type CompareWith } from './compare.ts'

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
        return { observation: emptyObservation('east', 1), buckets: null }
      },
    },
  } as unknown as ClusterReader
  const at = { atSeconds: 2_000_007, windowSeconds: 140 }
  const { window } = await new CompareReader().read([reader], compare, at, new AbortController().signal)
  const [{ axis } = { axis: { fromSeconds: Number.NaN, stepSeconds: 1, steps: 0 } }] = asked
  expect(axis.fromSeconds % axis.stepSeconds).toBe(0)
  expect(axis.fromSeconds).toBeGreaterThan(window.fromSeconds - axis.stepSeconds)
  expect(axis.fromSeconds + axis.steps * axis.stepSeconds).toBeLessThanOrEqual(window.toSeconds)
})
