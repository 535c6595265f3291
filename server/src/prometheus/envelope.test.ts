import { expect, test } from 'vitest'
import { readForwarded, readVector } from './envelope.ts'

const answered = (body: object) =>
  readForwarded({
    status: 200,
    contentType: 'application/json',
    retryAfter: '',
    date: '',
    receivedAtSeconds: 0,
    text: JSON.stringify({ status: 'success', data: null, ...body }),
  })

test("an engine's infos are infos, wherever an endpoint puts them; its warnings and missing stores are warnings", () => {
  const info = 'PromQL info: metric might not be a counter, name does not end in _total/_sum/_count/_bucket: "up" (1:6)'
  const others = ['PromQL warning: encountered a mix of histograms and floats', 'fetch series: no such store']
  expect(answered({ warnings: [others[0], info, others[1]] })).toMatchObject({ warnings: others, infos: [info] })
  expect(answered({ warnings: others, infos: [info] })).toMatchObject({ warnings: others, infos: [info] })
})

test('an answer that lacks what silent storage nodes hold says so', () => {
  expect(answered({ isPartial: true })).toMatchObject({
    warnings: [expect.stringContaining('storage nodes of VictoriaMetrics')],
  })
  expect(answered({ isPartial: false })).toMatchObject({ warnings: [] })
})

test('a number alone is no answer to what workloads do', () => {
  const scalar = { data: { resultType: 'scalar', result: [1_000, '7'] }, warnings: [] }
  expect(() => readVector(scalar, 10, 1_000)).toThrow('an instant query answered with scalar')
})

const raw = (status: number, text: string) =>
  readForwarded({ status, contentType: 'application/json', retryAfter: '', date: '', receivedAtSeconds: 0, text })

test('what is no JSON is told by its status, and else by what it is', () => {
  expect(() => raw(401, 'who are you?')).toThrow('access refused (HTTP 401); check bearerTokenFile')
  expect(() => raw(503, '{"status":')).toThrow('HTTP 503: it is starting')
  expect(() => raw(200, '')).toThrow('the answer is empty; something on the way cut it off')
  expect(() => raw(200, '{"status":')).toThrow('the answer is not complete JSON; something on the way cut it off')
  expect(() => raw(200, 'null')).toThrow('not an answer of a Prometheus API: its body is not an object')
})
