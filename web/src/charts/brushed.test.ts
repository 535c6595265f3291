import { expect, test } from 'vitest'
import { brushed } from './brushed.ts'

const plot = { leftPx: 44, rightPx: 344 }
const frame = { fromMs: 0, toMs: 1_800_000 }

test.each([
  [94, 194, { fromMs: 300_000, toMs: 900_000 }, 'left to right'],
  [194, 94, { fromMs: 300_000, toMs: 900_000 }, 'right to left'],
  [-50, 144, { fromMs: 0, toMs: 600_000 }, 'beyond the axis is its start'],
  [244, 900, { fromMs: 1_200_000, toMs: 1_800_000 }, 'beyond the chart is its end'],
  [194, 198, null, 'a click'],
  [0, 40, null, 'on the axis'],
  [400, 500, null, 'right of the plot'],
  [194, 203, { fromMs: 897_000, toMs: 957_000 }, 'at least a minute'],
  [335, 344, { fromMs: 1_740_000, toMs: 1_800_000 }, 'a minute inside the chart'],
])('%i to %i: %j (%s)', (from, to, range, _why) => {
  expect(brushed(from, to, plot, frame)).toEqual(range)
})
