import { expect, test } from 'vitest'
import { NOWHERE } from './choose-clusters.ts'
import { readResult } from './merge-results.ts'

const EAST = { name: 'east', matcher: null }

test('what absent() tells of another cluster keeps that name, and the mark stays here', () => {
  const result = [
    { metric: { [NOWHERE]: 'x', cluster: 'gone' }, value: [4, '1'] },
    { metric: { job: 'api' }, value: [4, '2'] },
  ]
  expect(readResult({ resultType: 'vector', result }, EAST, true).rows).toEqual([
    { metric: { cluster: 'gone' }, value: [4, '1'] },
    { metric: { job: 'api', cluster: 'east' }, value: [4, '2'] },
  ])
})
