import { expect, test } from 'vitest'
import { readForwarded } from './envelope.ts'

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
