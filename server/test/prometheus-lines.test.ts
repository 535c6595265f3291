import { afterEach, expect, test } from 'vitest'
import type { PrometheusApi } from '../src/prometheus/api.ts'
import { createPrometheus, createSharedPrometheus } from '../src/prometheus/create-prometheus.ts'
import { UpstreamError } from '../src/prometheus/upstream-error.ts'
import { createLine, withLimit } from '../src/prometheus/with-limit.ts'
import { hanging, never, ok } from './support/fake-cluster.ts'
import { type Answering, type FakePrometheus, startFakePrometheus } from './support/fake-prometheus.ts'

/** Longer than any test. */
const FOR_EVER_SECONDS = 600
const HOLDS_SECONDS = 0.01

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

/** Calls that end when they are told to; `begun` has what was asked, in the order in which it went out. */
function byHand() {
  const begun: string[] = []
  const finish = new Map<string, () => void>()
  const api = {
    query: (promql: string) =>
      new Promise((resolve) => {
        begun.push(promql)
        finish.set(promql, () => resolve({ data: [], warnings: [] }))
      }),
  } as unknown as PrometheusApi
  const ended = async (promql: string) => {
    await expect.poll(() => finish.has(promql)).toBe(true)
    finish.get(promql)?.()
  }
  return { api, begun, ended }
}

const ask = (api: PrometheusApi, promql: string, signal = never) => api.query(promql, 1_000, signal)

test('who leaves the line lets the others move on', async () => {
  const { api, begun, ended } = byHand()
  const limited = withLimit(api, 1)
  const leaving = new AbortController()
  const first = ask(limited, '1')
  const second = ask(limited, '2', leaving.signal)
  const third = ask(limited, '3')
  await expect.poll(() => begun).toEqual(['1'])
  leaving.abort()
  await expect(second).rejects.toMatchObject({ kind: 'aborted' })
  await ended('1')
  await first
  await ended('3')
  await third
  expect(begun).toEqual(['1', '3'])
})

test('who gives up because of another call leaves the line for the same reason', async () => {
  const { api, begun, ended } = byHand()
  const limited = withLimit(api, 1)
  const giveUp = new AbortController()
  const first = ask(limited, '1')
  await expect.poll(() => begun).toEqual(['1'])
  const waiting = ask(limited, '2', giveUp.signal)
  const timeout = new UpstreamError('timeout', 'no answer within 10 s')
  giveUp.abort(timeout)
  await expect(waiting).rejects.toBe(timeout)
  await expect(ask(limited, '3', giveUp.signal)).rejects.toBe(timeout)
  await ended('1')
  await first
})

test('however many hang, nobody who shares the line with them waits for their end', async () => {
  const { api, begun, ended } = byHand()
  const line = createLine(1)
  const sharer = () => withLimit(withLimit(api, line, HOLDS_SECONDS), 4)
  const stuck = ['a', 'b', 'c'].flatMap((name) => {
    const one = sharer()
    return Array.from({ length: 6 }, (_, index) => ask(one, `${name}${index}`))
  })
  const healthy = sharer()
  const answer = ask(healthy, 'healthy')
  await ended('healthy')
  await answer
  // What hangs has an end all the same: each has four calls out, and no fifth while none of them has ended.
  await expect.poll(() => begun.length).toBe(3 * 4 + 1)
  const after = ask(healthy, 'after')
  await ended('after')
  await after
  expect(begun).toHaveLength(3 * 4 + 2)
  await Promise.all(
    ['a', 'b', 'c'].flatMap((name) => Array.from({ length: 6 }, (_, index) => ended(`${name}${index}`))),
  )
  await Promise.all(stuck)
  // All places are back, and no more than there were.
  const patient = withLimit(api, line)
  const last = [ask(patient, 'one'), ask(patient, 'two')]
  await expect.poll(() => begun.at(-1)).toBe('one')
  await ended('one')
  await ended('two')
  await Promise.all(last)
})

test('who hangs comes after those who do not', async () => {
  const { api, begun, ended } = byHand()
  const line = createLine(1)
  const sharer = () => withLimit(api, line, HOLDS_SECONDS)
  const [stuck, healthy] = [sharer(), sharer()]
  const answers = [ask(stuck, 'stuck 1'), ask(stuck, 'stuck 2'), ask(healthy, 'healthy')]
  await expect.poll(() => begun).toEqual(['stuck 1', 'healthy', 'stuck 2'])
  for (const promql of begun) await ended(promql)
  await Promise.all(answers)
})

async function started(how: Answering): Promise<FakePrometheus> {
  const prometheus = await startFakePrometheus(how)
  closing.push(prometheus.close)
  return prometheus
}

const endpoint = ({ url }: FakePrometheus) => ({
  ...{ url, headers: {}, authorization: async () => null, timeoutSeconds: FOR_EVER_SECONDS },
  ...{ maxResponseBytes: 1_000_000, maxSeries: 100, concurrency: 1 },
})

test('who waits at an endpoint that many clusters share keeps no place from the others', async () => {
  const [stuck, quick] = await Promise.all([started(hanging), started(ok('1'))])
  const deps = { nowSeconds: () => 1_000, observe: () => undefined, places: createLine(2) }
  const shared = createSharedPrometheus([endpoint(stuck)], deps)
  const alone = createPrometheus({ name: 'alone', endpoints: [endpoint(quick)] }, deps)
  closing.unshift(shared.close, alone.close)
  const leave = new AbortController()
  const waiting = ['a', 'b', 'c'].map((name) => ask(shared.forCluster(name), 'x', leave.signal).catch(() => null))
  await expect.poll(() => stuck.asked.length).toBe(1)
  expect([...(await ask(alone, 'x')).data][0]?.value).toBe(1)
  leave.abort()
  await Promise.all(waiting)
})

test('clusters that hang do not keep the places among all from the others', async () => {
  const [stuck, quick] = await Promise.all([started(hanging), started(ok('1'))])
  const deps = { nowSeconds: () => 1_000, observe: () => undefined, places: createLine(2) }
  const cluster = (name: string, one: FakePrometheus) => {
    const api = createPrometheus({ name, endpoints: [endpoint(one)] }, deps)
    closing.unshift(api.close)
    return api
  }
  const leave = new AbortController()
  const waiting = ['a', 'b', 'c'].map((name) => ask(cluster(name, stuck), 'x', leave.signal).catch(() => null))
  expect([...(await ask(cluster('quick', quick), 'x')).data][0]?.value).toBe(1)
  leave.abort()
  await Promise.all(waiting)
})
