import { beforeEach, expect, test } from 'vitest'
import { linkerd } from '../dialects/linkerd.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { PlainSample } from '../prometheus/plain-sample.ts'
import { GoalReader } from './goal-reader.ts'

const NOW = 1_800_000_000
const GOAL = { successRatio: 0.99, latencySeconds: {}, leastRequestsPerSecond: null, periodSeconds: 7 * 86_400 }
const NAMES = ['web', 'cart', 'tax']
const id = (name: string) => `east/shop/${name}`

/** The names of the workloads that each question was for. */
let asked: string[][]
beforeEach(() => {
  asked = []
})
const query = async (promql: string) => {
  const names = NAMES.filter((name) => promql.includes(name))
  asked.push(names)
  const labels = (name: string) => ({ namespace: 'shop', deployment: name, classification: 'success' })
  return { data: names.map((name) => new PlainSample(labels(name), {}, 1)), warnings: [] }
}
const api = { query } as unknown as PrometheusApi

function readerOf(...known: readonly string[]) {
  const goals = [{ workload: '*/shop/*', ...GOAL }]
  const reader = new GoalReader({ cluster: 'east', api, dialects: () => [linkerd], goals })
  reader.know(known.map(id), NOW)
  return reader
}

/** Runs what is due, to the end. */
async function runAll(reader: GoalReader, nowSeconds = NOW): Promise<void> {
  while (reader.dueAt(nowSeconds) <= nowSeconds) await reader.run(nowSeconds, new AbortController().signal)
}

test('a workload that goes does not make anybody else be counted anew, nor does it when it comes back', async () => {
  const reader = readerOf('web', 'cart')
  await runAll(reader)
  const before = reader.counts().get(id('web'))
  expect(before?.days).toHaveLength(7)
  asked.length = 0
  for (const known of [['web'], ['web'], ['web', 'cart']]) {
    reader.know(known.map(id), NOW + 1)
    expect(reader.dueAt(NOW + 1)).toBeGreaterThan(NOW + 1)
  }
  expect(reader.counts().get(id('web'))).toEqual(before)
  expect(asked).toEqual([])
})

test('one that is new is counted over everything, alone', async () => {
  const reader = readerOf('web', 'cart')
  await runAll(reader)
  const [before, questions] = [reader.counts().get(id('web')), asked.length]
  asked.length = 0
  reader.know(NAMES.map(id), NOW + 1)
  expect(reader.counts().get(id('web'))).toEqual(before)
  await runAll(reader, NOW + 1)
  expect(asked).toHaveLength(questions)
  expect(asked.flat().every((name) => name === 'tax')).toBe(true)
  expect(reader.counts().get(id('tax'))?.days).toHaveLength(7)
  expect(reader.counts().get(id('web'))).toEqual(before)
})

test('one that is gone for an hour is forgotten', async () => {
  const reader = readerOf('web', 'cart')
  await runAll(reader)
  reader.know([id('web')], NOW + 3_601)
  expect([...reader.counts().keys()]).toEqual([id('web')])
  asked.length = 0
  await runAll(reader, NOW + 3_601)
  expect(asked.flat().every((name) => name === 'web')).toBe(true)
})

test('what was never counted is due now, and not before what is overdue', () => {
  expect(readerOf('web').dueAt(NOW)).toBe(NOW)
  expect(readerOf().dueAt(NOW)).toBe(Number.POSITIVE_INFINITY)
})
