import { afterEach, expect, test, vi } from 'vitest'
import type { PrometheusApi } from '../prometheus/api.ts'
import { UpstreamError } from '../prometheus/upstream-error.ts'
import { READER_AT, readerOver } from './reader-over.fixture.ts'

const WINDOW = 60
afterEach(() => void vi.useRealTimers())

test('a view of a moment that was on screen has what was shown of a silent cluster then, as old as it was', async () => {
  let isSilent = false
  const { reader, readingOf, read, clock, signal } = readerOver({
    requestsPerSecond: 10,
    to() {
      if (isSilent) throw new UpstreamError('unreachable', 'nobody listens')
      return 0.01
    },
  })
  await read(WINDOW)
  isSilent = true
  clock.seconds = READER_AT + 30
  const then = { ...readingOf(WINDOW), live: false }
  expect((await read(WINDOW)).view).toMatchObject({ state: 'stale', ageSeconds: 30 })
  clock.seconds = READER_AT + 60
  const frozen = await reader.read(then, clock.seconds, signal)
  expect(frozen.view).toMatchObject({ state: 'stale', ageSeconds: 30 })
  expect([...(frozen.view.now?.inbound.keys() ?? [])]).toEqual(['east/shop/web'])
  expect(frozen.gaps).toMatchObject([{ what: 'everything', why: 'unreachable' }])
  const before = { ...then, atSeconds: READER_AT - 10 }
  expect((await reader.read(before, clock.seconds, signal)).view).toMatchObject({ state: 'missing', now: null })
})

test('a cluster that hangs keeps nobody from a view of the past', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const hanging = (_: string, __: unknown, signal: AbortSignal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  const api = {
    query: hanging,
    queryRange: hanging,
    labelValues: () => new Promise(() => undefined),
    forward: () => new Promise(() => undefined),
    scrapeIntervalSeconds: () => new Promise(() => undefined),
    status: () => [],
  } as unknown as PrometheusApi
  const { reader, readingOf, signal } = readerOver({ requestsPerSecond: 10, to: () => 0 }, { api })
  const reading = reader.read({ ...readingOf(WINDOW), live: false }, READER_AT, signal)
  // What speaks is looked for until then, and what is asked after it is given up at once.
  await vi.advanceTimersByTimeAsync(12_000)
  await vi.advanceTimersByTimeAsync(1)
  const { view, gaps } = await reading
  expect(view).toMatchObject({ state: 'missing' })
  expect(gaps).toMatchObject([{ why: 'timeout', detail: 'no answer about that instant within 12 s' }])
})
