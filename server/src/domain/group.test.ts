import { expect, test } from 'vitest'
import { bucketsToAdd } from './add-traffic.ts'
import { mergedFlow } from './group.ts'
import { emptyTraffic, type Traffic } from './traffic.ts'

/** So many requests per second now, of so many seconds each as they were so long ago. */
function traffic(rate: number, latencySeconds: number, ageSeconds: number | undefined): Traffic {
  const one = emptyTraffic(1)
  one.success[0] = rate
  for (const bound of [0.1, 1, 10, Number.POSITIVE_INFINITY])
    bucketsToAdd(one).column(bound)[0] = latencySeconds <= bound ? 5 : 0
  one.bucketsAgeSeconds = ageSeconds
  return one
}

test('percentiles of a group are as old as the oldest of them', () => {
  expect(mergedFlow([traffic(5, 0.05, 30), traffic(5, 0.5, undefined)])).toMatchObject({
    histogram: { cumulative: [5, 10, 10, 10] },
    histogramAgeSeconds: 30,
  })
  expect(mergedFlow([traffic(5, 0.05, undefined)])).not.toHaveProperty('histogramAgeSeconds')
})

test('and not of who is idle by now', () => {
  expect(mergedFlow([traffic(5, 0.05, 30), traffic(0, 5, 30)])).toMatchObject({
    histogram: { cumulative: [5, 5, 5, 5] },
  })
  expect(mergedFlow([traffic(0, 5, 30), traffic(0, 5, 30)]).histogram).toBeNull()
})
