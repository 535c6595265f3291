import { describe, expect, test } from 'vitest'
import { addTraffic, bucketsToAdd, seriesOf } from './add-traffic.ts'
import { EVERY_STEP } from './step-mask.ts'
import { emptyTraffic, flowAt, flowOver, type Traffic } from './traffic.ts'

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

test('infinity is no rate of anything', () => {
  const traffic = counted({ 1: [1], Infinity: [2] })
  addTraffic(traffic, counted({ 1: [inf], Infinity: [inf] }))
  expect(flowAt(traffic, 0).histogram).toEqual({ upperBounds: [1, inf], cumulative: [1, 2] })
})
