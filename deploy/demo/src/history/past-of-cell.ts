import { cellWidth } from '../mesh/family.ts'
import type { CellPace } from './measure.ts'
import type { Timeline } from './timeline.ts'

/**
 * The numbers of a cell at every instant of the timeline, newest last; the live cell goes on from the last ones.
 *
 * Counts are the rounded product of one rate and one common clock. Cells that counted the same requests therefore get the same
 * numbers: a caller's edge equals its callee, and a histogram's count its responses.
 */
export function pastOfCell(pace: CellPace, timeline: Timeline, random: () => number = Math.random): Float64Array[] {
  switch (pace.family.kind) {
    case 'gauge':
      return timeline.timestampsMs.map(() => pace.last)
    case 'counter': {
      const perSecond = pace.perSecond[0] ?? 0
      // A counter that stood still (connections kept open) stands still in the past too.
      const base = perSecond === 0 ? (pace.last[0] ?? 0) : 0
      return timeline.trafficSeconds.map((seconds) => Float64Array.of(base + Math.round(perSecond * seconds)))
    }
    case 'histogram':
      return pastOfHistogram(pace, timeline, random)
    default:
      return pace.family.kind satisfies never
  }
}

function pastOfHistogram(pace: CellPace, timeline: Timeline, random: () => number): Float64Array[] {
  const bounds = pace.family.bounds ?? []
  const bucketCount = bounds.length + 1
  const rates = pace.perSecond.subarray(0, bucketCount)
  const overallRate = rates.reduce((sum, rate) => sum + rate, 0)
  const typical = Array.from(rates, (_, i) => ((bounds[i - 1] ?? 0) + (bounds[i] ?? bounds.at(-1) ?? 0)) / 2)
  const typicalSum = rates.reduce((sum, rate, i) => sum + rate * (typical[i] ?? 0), 0)
  /** Middles of buckets are off by a common factor, which the measured sum tells. */
  const scale = typicalSum > 0 ? (pace.perSecond[bucketCount] ?? 0) / typicalSum : 0
  const now = new Float64Array(cellWidth(pace.family))
  let given = 0
  return timeline.trafficSeconds.map((seconds) => {
    const wanted = Math.round(overallRate * seconds)
    const fresh = wanted - given
    given = wanted
    if (fresh > 0) {
      const spread = spreadOver(rates, overallRate, fresh, random())
      let sum = 0
      spread.forEach((count, i) => {
        now[i] = (now[i] ?? 0) + count
        sum += count * (typical[i] ?? 0) * scale
      })
      now[bucketCount] = (now[bucketCount] ?? 0) + (pace.family.encoder === 'legacy' ? Math.round(sum) : sum)
    }
    return Float64Array.from(now)
  })
}

/** Systematic sampling: `count` evenly spaced marks from a random start, each falling into the bucket it lands on. */
function spreadOver(rates: Float64Array, overallRate: number, count: number, start: number): number[] {
  let upTo = 0
  let before = 0
  const lastUsed = rates.findLastIndex((rate) => rate > 0)
  return Array.from(rates, (rate, i) => {
    upTo += rate / overallRate
    const marks = i >= lastUsed ? count : Math.min(count, Math.ceil(count * upTo - start))
    const inBucket = Math.max(0, marks - before)
    before += inBucket
    return inBucket
  })
}
