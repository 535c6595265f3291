import { expect, test } from 'vitest'
import { KnownLabels } from './known-labels.ts'
import { readScanned } from './read-answer.ts'

const AT = 1_700_000_000
const head = { status: 200, contentType: 'application/json', retryAfter: '', date: '', receivedAtSeconds: AT }
const wanted = { kind: 'vector', maxSeries: 10, atSeconds: AT } as const
const series = { metric: { deployment: 'a,b:{c}', le: '0.5', namespace: 'shop', part: 'sum' }, value: [AT, '1'] }
const TWICE = /^it tells one series twice: \{deployment="a,b:\{c\}",namespace="shop",le="0.5",part="sum"\};/

function read(known: KnownLabels, ...result: readonly object[]) {
  const text = JSON.stringify({ status: 'success', data: { resultType: 'vector', result } })
  return readScanned(head, Buffer.from(text), wanted, known)
}

test('a series that comes twice is called by its labels', () => {
  expect(() => read(new KnownLabels(), series, series)).toThrow(TWICE)
})

test('and so where its labels are kept by who asked before', () => {
  const known = new KnownLabels()
  expect(read(known, series)).not.toBeNull()
  known.sets.handOver(0)
  known.aparts.handOver(0)
  expect(() => read(known, series, series)).toThrow(TWICE)
})
