import { expect, test } from 'vitest'
import type { ForwardedAnswer, PrometheusApi } from '../prometheus/api.ts'
import { UpstreamError } from '../prometheus/upstream-error.ts'
import { oneOfMany } from './one-of-many.ts'

const GONE = new UpstreamError('unreachable', 'no store of it is connected')
const question = { path: '/api/v1/query', method: 'POST', fields: [], timeoutSeconds: null } as const
const never = new AbortController().signal

function asked(data: unknown, warnings: readonly string[], confirmed: UpstreamError | null) {
  const answer: ForwardedAnswer = { state: 'answered', data, warnings, infos: [], bytes: 1 }
  const api = { forward: async () => answer } as Pick<PrometheusApi, 'forward'> as PrometheusApi
  const matcher = { label: 'cluster', op: '=', value: 'far' } as const
  const one = oneOfMany(api, { matcher, absence: () => null, confirmedAbsence: async () => confirmed })
  return one.forward(question, never)
}

test.each([
  ['a query', { resultType: 'vector', result: [] }],
  ['a list', []],
])("an empty answer to somebody else's %s is a missing cluster where its store is gone", async (_, data) => {
  await expect(asked(data, [], GONE)).rejects.toBe(GONE)
  await expect(asked(data, ['No StoreAPIs matched for this query'], null)).rejects.toMatchObject({
    kind: 'unreachable',
  })
  expect(await asked(data, [], null)).toMatchObject({ state: 'answered' })
})

test('an answer with something in it is handed on', async () => {
  expect(await asked({ resultType: 'scalar', result: [1, '2'] }, [], GONE)).toMatchObject({ state: 'answered' })
})
