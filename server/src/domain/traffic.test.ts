import { describe, expect, test } from 'vitest'
import { addTraffic, bucketsToAdd, seriesOf } from './add-traffic.ts'
import { EVERY_STEP } from './step-mask.ts'
import { emptyTraffic, flowAt, flowOver, type Traffic } from './traffic.ts'
import { flowOfShares } from './traffic-shares.ts'

const inf = Number.POSITIVE_INFINITY

function counted(
  buckets: Readonly<Record<number, number[]>>,
  series: Readonly<Record<number, number[]>> = {},
): Traffic {
  const traffic = emptyTraffic(Object.values(buckets)[0]?.length ?? 1)
  const bound = (text: string) => (text === 'Infinity' ? inf : Number(text))
  for (const [text, values] of Object.entries(buckets)) bucketsToAdd(traffic).column(bound(text)).set(values)
  for (const [text, values] of Object.entries(series)) seriesOf(traffic).column(bound(text)).set(values)
  return traffic
}

describe('pods with buckets of their own', () => {
  // One pod has 1, 2, 5 and counts 4 up to 2; the other has 1, 5 and counted 6 up to 1: at 2 only the first is seen.
  const both = counted({ 1: [7], 2: [4], 5: [12], Infinity: [12] }, { 1: [2], 2: [1], 5: [2], Infinity: [2] })

  test('a boundary that not all of them have is left out, and told', () => {
    const { histogram, lostBounds } = flowAt(both, 0)
    expect(histogram).toEqual({ upperBounds: [1, 5, inf], cumulative: [7, 12, 12] })
    expect(lostBounds).toEqual([2])
  })

  test('flows of different buckets are added without any count of series, by what each of them has', () => {
    const sum = emptyTraffic(1)
    addTraffic(sum, counted({ 1: [1], 2: [4], 5: [5], Infinity: [5] }))
    addTraffic(sum, counted({ 1: [6], 5: [7], Infinity: [7] }))
    expect(flowAt(sum, 0)).toMatchObject({
      histogram: { upperBounds: [1, 5, inf], cumulative: [7, 12, 12] },
      lostBounds: [2],
    })
  })

  test('like flows lose nothing', () => {
    const sum = emptyTraffic(1)
    for (const rate of [1, 2]) addTraffic(sum, counted({ 1: [rate], Infinity: [2 * rate] }))
    expect(flowAt(sum, 0)).not.toHaveProperty('lostBounds')
    expect(flowAt(sum, 0).histogram).toEqual({ upperBounds: [1, inf], cumulative: [3, 6] })
  })
})

test('over time a boundary counts only if it was there as long as the others', () => {
  const rolledOut = counted({ 1: [2, 2, 2, 2], 2: [4, 4, Number.NaN, Number.NaN], Infinity: [4, 4, 4, 4] })
  expect(flowOver(rolledOut, EVERY_STEP)).toMatchObject({ histogram: { upperBounds: [1, inf] }, lostBounds: [2] })
  expect(flowOver(rolledOut, Uint8Array.of(1, 1, 0, 0)).histogram).toMatchObject({ upperBounds: [1, 2, inf] })
  expect(flowAt(rolledOut, 3).histogram).toMatchObject({ upperBounds: [1, inf] })
})

describe('failures that were counted for only some of the time', () => {
  // A pod's first failure makes its series: before, there were none.
  const column = (values: readonly number[]) => Float64Array.from(values)
  const successes = Array.from({ length: 60 }, () => 10)
  const failing = Array.from({ length: 60 }, (_, step) => (step < 50 ? Number.NaN : step === 50 ? 5 : 0))
  const born: Traffic = { ...emptyTraffic(60), success: column(successes), failures: column(failing) }

  test('are a rate over all of the time that was counted', () => {
    const flow = flowOver(born, EVERY_STEP)
    expect(flow.failuresPerSecond).toBeCloseTo(5 / 60, 12)
    expect(flow.requestsPerSecond).toBeCloseTo(10 + 5 / 60, 12)
  })

  test('and so in the sum of several flows, and of parts of them', () => {
    const half = { traffic: born, share: 0.5 }
    const flow = flowOfShares([half, half], 60, EVERY_STEP)
    expect(flow.failuresPerSecond).toBeCloseTo(5 / 60, 12)
    expect(flow.requestsPerSecond).toBeCloseTo(10 + 5 / 60, 12)
  })

  test('time that was not counted at all is none of it', () => {
    const late = { ...born, success: column(successes.map((rate, step) => (step < 40 ? Number.NaN : rate))) }
    expect(flowOver(late, EVERY_STEP).failuresPerSecond).toBeCloseTo(5 / 20, 12)
    expect(
      flowOver(
        { ...born, success: column(failing) },
        Uint8Array.from(failing, () => 0),
      ),
    ).toMatchObject({
      requestsPerSecond: null,
    })
  })

  test('and successes likewise, where all failed for most of it', () => {
    const flow = flowOver({ ...born, success: born.failures, failures: born.success }, EVERY_STEP)
    expect(flow).toMatchObject({ failuresPerSecond: 10, requestsPerSecond: 10 + 5 / 60 })
  })
})

test('infinity is no rate of anything', () => {
  const traffic = counted({ 1: [1], Infinity: [2] })
  addTraffic(traffic, counted({ 1: [inf], Infinity: [inf] }))
  expect(flowAt(traffic, 0).histogram).toEqual({ upperBounds: [1, inf], cumulative: [1, 2] })
})
