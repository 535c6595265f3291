import type { Series } from '@goldseam/server/contract'
import { expect, test } from 'vitest'
import { detail } from '../../test/incident-detail.ts'
import { doubtLines, doubtsOf, isEstimate } from './doubt.ts'
import { thin } from './thin.ts'

const told = (series: Partial<Series>) => thin({ ...detail.series, ...series }, 300)
const length = detail.series.at.length

test('where the server says that few requests are behind a percentile, that one and those beyond it are estimates', () => {
  const [point] = told({ enoughFor: Array(length).fill(2), percentileSamples: Array(length).fill(812) })
  if (point === undefined) throw new Error('it has points')
  expect((['p50', 'p95', 'p99', 'p999', 'requestsPerSecond'] as const).filter((of) => isEstimate(point, of))).toEqual([
    'p99',
    'p999',
  ])
  expect(doubtsOf([point], 'p99', {})).toEqual(['thin: few requests'])
  expect(doubtLines(point, 'p99', {}).map(({ print }) => print(0))).toEqual(['~ few requests (812)'])
  expect(doubtLines(point, 'p99', { partial: true }).map(({ print }) => print(0))).toEqual([
    '~ few requests (812), partial data',
  ])
  expect(doubtLines(point, null, {})).toEqual([])
})

test('points that are drawn as one are as doubtful as the worst of them', () => {
  const enoughFor = Array.from({ length }, (_, index) => (index === 1 ? 1 : 4))
  expect(thin({ ...detail.series, enoughFor }, length / 2)[0]?.enoughFor).toBe(1)
})

test('evidence from before this was told is drawn as it was', () => {
  const points = told({ enoughFor: undefined, percentileSamples: undefined })
  expect(doubtsOf(points, 'p99', {})).toEqual([])
})

test('a part that does not answer is said at every point, of every signal', () => {
  const points = told({})
  expect(doubtsOf(points, null, { partial: true })).toEqual(['dashed: partial'])
  const [point] = points
  expect(point && doubtLines(point, null, { partial: true }).map(({ print }) => print(0))).toEqual(['partial data'])
})
