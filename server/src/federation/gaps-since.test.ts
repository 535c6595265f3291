import { expect, test } from 'vitest'
import { GapsSince } from './gaps-since.ts'

const gap = (what: string) => ({ cluster: 'east', what, why: 'timeout', detail: 'no answer', sinceSeconds: 0 })
const sinceOf = (gaps: readonly { sinceSeconds: number }[]) => gaps.map(({ sinceSeconds }) => sinceSeconds)

test('what is not told yet of a snapshot is lacked since as long as before', () => {
  const since = new GapsSince(300)
  const reading = (atSeconds: number) => ({ atSeconds, windowSeconds: 60 })
  since.dated(reading(10), [gap('inbound'), gap('recorded')])
  expect(sinceOf(since.datedSoFar(reading(20), [gap('inbound'), gap('egress')]))).toEqual([10, 20])
  expect(sinceOf(since.dated(reading(20), [gap('inbound'), gap('recorded')]))).toEqual([10, 10])
  // What the whole of it does not lack is over.
  expect(sinceOf(since.dated(reading(30), [gap('recorded')]))).toEqual([10])
  expect(sinceOf(since.dated(reading(40), [gap('inbound'), gap('recorded')]))).toEqual([40, 10])
})
