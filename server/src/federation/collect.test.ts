import { describe, expect, test } from 'vitest'
import type { PrometheusApi } from '../prometheus/api.ts'
import { PlainSample } from '../prometheus/plain-sample.ts'
import { QuestionFailed, UpstreamError } from '../prometheus/upstream-error.ts'
import { collectInstant, collectRange } from './collect.ts'
import { oneOfMany } from './one-of-many.ts'

const AT = 1_800_000_000
const DEAD =
  'fetch series for {cluster="east"} Addr: 10.0.0.2:10901 MinTime: 1 MaxTime: 2: rpc error: code = Unavailable desc = refused'
const SAYS = 'its store 10.0.0.2:10901 does not answer: refused'
const questions = ['inbound', 'egress'].map((name) => ({ name, promql: name, lane: 'fast' as const }))

/** One of two replicas does not answer, which each answer says; `known` are the questions that the other has series for. */
function thanos(known: readonly string[]): PrometheusApi {
  const query = async (promql: string) => {
    const data = known.some((name) => promql.includes(name)) ? [new PlainSample({ namespace: 'shop' }, {}, 1)] : []
    return { data, warnings: [DEAD] }
  }
  const api = { query } as unknown as PrometheusApi
  const matcher = { label: 'cluster', op: '=', value: 'east' } as const
  return oneOfMany(api, { matcher, absence: () => null, confirmedAbsence: async () => null })
}

const collected = (known: readonly string[]) =>
  collectInstant(thanos(known), questions, AT, new AbortController().signal)

test('a replica that is down makes a question that has no series no failure while others have some', async () => {
  const { answers, failures, warnings } = await collected(['inbound'])
  expect(failures).toEqual([])
  expect([...answers.keys()].sort()).toEqual(['egress', 'inbound'])
  expect(answers.get('egress')).toHaveLength(0)
  expect(warnings).toEqual([DEAD])
})

test('an answer of before the store went does not speak for one of after it', async () => {
  const going = { ...thanos(['inbound']) }
  const { query } = going
  const api: PrometheusApi = {
    ...going,
    async query(promql, ...more) {
      const answer = await query(promql, ...more)
      return promql.includes('inbound') ? { ...answer, warnings: [] } : answer
    },
  }
  const { failures } = await collectInstant(api, questions, AT, new AbortController().signal)
  expect(failures).toMatchObject([{ question: 'egress', error: { kind: 'unreachable', message: SAYS } }])
})

test('nothing at all from stores that do not answer is not "no traffic"', async () => {
  const { answers, failures } = await collected([])
  expect(answers.size).toBe(0)
  expect(failures.map(({ question }) => question)).toEqual(['inbound', 'egress'])
  for (const { error } of failures) {
    expect(error).toBeInstanceOf(UpstreamError)
    expect(error).toMatchObject({ kind: 'unreachable', message: SAYS })
  }
})

test('one that Prometheus failed at costs no other its answer; of one that is out of reach nobody waits for the rest', async () => {
  const failing = (error: UpstreamError) => {
    const query = async (promql: string, _at: number, patience: AbortSignal) => {
      if (promql.includes('inbound')) throw error
      // What gives up on the others does so before they are answered.
      await new Promise((asked) => setImmediate(asked))
      patience.throwIfAborted()
      return { data: [new PlainSample({ namespace: 'shop' }, {}, 1)], warnings: [] }
    }
    const api = { query } as unknown as PrometheusApi
    return collectInstant(api, questions, AT, new AbortController().signal)
  }
  const damaged = new QuestionFailed('Prometheus failed (HTTP 500): cannot populate chunk', null)
  const { answers, failures } = await failing(damaged)
  expect([...answers.keys()]).toEqual(['egress'])
  expect(failures).toMatchObject([{ question: 'inbound', error: damaged }])
  const down = await failing(new UpstreamError('unreachable', 'nothing listens'))
  expect(down.answers.size).toBe(0)
  expect(down.failures).toHaveLength(2)
})

describe('a range of which rules recorded', () => {
  const recorded = { promql: 'recorded', averaged: () => 'recorded', sinceSeconds: AT - 6_000 }
  const question = { name: 'inbound', promql: 'raw', lane: 'fast' as const, recorded }
  const none = Number.NaN

  test.each([
    ['all of it', [[1, none, 1]], ['recorded']],
    [
      'all of it, by several series',
      [
        [1, none, none],
        [none, none, 1],
      ],
      ['recorded'],
    ],
    ['the end, as they were written anew', [[none, none, 1]], ['recorded', 'raw']],
    ['the beginning, as they were taken away', [[1, 1, none]], ['recorded', 'raw']],
    ['nothing', [], ['recorded', 'raw']],
  ])('%s', async (_, columns, wanted) => {
    const asked: string[] = []
    const queryRange = async (promql: string) => {
      asked.push(promql)
      const values = promql === 'raw' ? [[2, 2, 2]] : columns
      return { data: values.map((of, index) => ({ labels: { a: `${index}` }, apart: {}, values: of })), warnings: [] }
    }
    const api = { queryRange } as unknown as PrometheusApi
    const range = { fromSeconds: AT, stepSeconds: 15, steps: 3 }
    const { answers } = await collectRange(api, [question], range, new AbortController().signal)
    expect(asked).toEqual(wanted)
    expect(Array.from(answers.get('inbound') ?? [], ({ values }) => [...values])).toEqual(
      wanted.includes('raw') ? [[2, 2, 2]] : columns,
    )
  })
})
