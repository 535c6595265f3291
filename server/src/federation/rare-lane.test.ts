import { expect, test } from 'vitest'
import type { Dialect } from '../dialects/dialect.ts'
import { linkerd } from '../dialects/linkerd.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { UpstreamError } from '../prometheus/upstream-error.ts'
import { axisTo } from './instants.ts'
import { RareLane } from './rare-lane.ts'

const signal = new AbortController().signal

function lane(dialects: readonly Dialect[] = [linkerd]) {
  const state = { asked: 0, failing: false }
  const api = {
    query: async () => {
      state.asked += 1
      if (state.failing) throw new UpstreamError('timeout', 'no answer within 1 s')
      return { data: [], warnings: [] }
    },
  } as Partial<PrometheusApi> as PrometheusApi
  return { state, rare: new RareLane({ name: 'east', api, dialects: () => dialects }) }
}

const at = (atSeconds: number, windowSeconds = 60, live = true) => ({
  atSeconds,
  windowSeconds,
  axis: axisTo(atSeconds, windowSeconds),
  live,
})

test('an answer stands as long as one allows, for no other window and no instant before it', async () => {
  const { rare, state } = lane()
  expect(rare.known(at(100), 60)).toBeNull()
  const { observation } = (await rare.ask(at(100), signal)) ?? expect.fail('nothing asked')
  expect(state.asked).toBe(1)
  expect(rare.known(at(100), 60)).toBe(observation)
  expect(rare.known(at(159), 60)).toBe(observation)
  expect(rare.known(at(160), 60)).toBeNull()
  expect(rare.known(at(160), 180)).toBe(observation)
  expect(rare.known(at(99), 180)).toBeNull()
  expect(rare.known(at(100, 30), 60)).toBeNull()
})

test('what failed is told, and leaves what was answered before', async () => {
  const { rare, state } = lane()
  await rare.ask(at(100), signal)
  state.failing = true
  const failed = await rare.ask(at(130), signal)
  expect(failed?.failures.map(({ question, error }) => [question, error.kind])).toEqual([['tcpCalls', 'timeout']])
  expect(rare.known(at(150), 60)).not.toBeNull()
})

test('views of the past neither see nor leave anything', async () => {
  const { rare } = lane()
  await rare.ask(at(100, 60, false), signal)
  expect(rare.known(at(100), 60)).toBeNull()
  await rare.ask(at(100), signal)
  expect(rare.known(at(100, 60, false), 60)).toBeNull()
})

test('of many windows the oldest go', async () => {
  const { rare } = lane()
  const windows = Array.from({ length: 9 }, (_, index) => 30 + index)
  for (const windowSeconds of windows) await rare.ask(at(100, windowSeconds), signal)
  expect(windows.map((windowSeconds) => rare.known(at(100, windowSeconds), 60) !== null)).toEqual([
    false,
    ...Array.from({ length: 8 }, () => true),
  ])
})

test('where no dialect has such a question nothing is asked', async () => {
  const { rare, state } = lane([{ ...linkerd, questions: () => [] }])
  expect(await rare.ask(at(100), signal)).toBeNull()
  expect(state.asked).toBe(0)
})
