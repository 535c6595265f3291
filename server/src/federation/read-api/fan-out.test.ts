import { expect, test } from 'vitest'
import type { PrometheusApi } from '../../prometheus/api.ts'
import { isOutOfTime } from '../../prometheus/out-of-time.ts'
import { askAny, askEach, type Member } from './fan-out.ts'

const question = { path: '/api/v1/query', method: 'POST', fields: [] } as const
const limits = { maxResponseBytes: 1_000, maxSeries: 10, maxPoints: 10 }

/** A cluster that hangs, and what its question was given up for. */
function hanging(name: string) {
  const given: AbortSignal[] = []
  const forward = (_: unknown, signal: AbortSignal) => {
    given.push(signal)
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  }
  const api = { forward, status: () => [{ state: 'ok' }] } as unknown as PrometheusApi
  return { member: { name, api, matcher: null, among: null } satisfies Member, given }
}

const ways = {
  each: (members: readonly Member[], signal: AbortSignal) =>
    askEach(members, { ask: () => question, read: () => ({ type: '', rows: [] }) }, limits, {
      timeoutSeconds: 0.01,
      signal,
    }),
  any: (members: readonly Member[], signal: AbortSignal) => askAny(members, question, { timeoutSeconds: 0.01, signal }),
}

test.each(['each', 'any'] as const)('whose time is over says so to the cluster it waits for: %s', async (way) => {
  const { member, given } = hanging('east')
  await expect(ways[way]([member], new AbortController().signal)).rejects.toThrow()
  expect(given.map(isOutOfTime)).toEqual([true])
})

test.each(['each', 'any'] as const)('who leaves does not: %s', async (way) => {
  const { member, given } = hanging('east')
  const leaving = new AbortController()
  const answer = ways[way]([member], leaving.signal)
  leaving.abort()
  await expect(answer).rejects.toThrow()
  expect(given.map(isOutOfTime)).toEqual([false])
})
