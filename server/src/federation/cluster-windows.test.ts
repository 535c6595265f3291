import { expect, test } from 'vitest'
import type { Dialect } from '../dialects/dialect.ts'
import { linkerd } from '../dialects/linkerd.ts'
import { UpstreamError } from '../prometheus/upstream-error.ts'
import { asksForBuckets, asksForRequests, READER_AT, readerOver } from './reader-over.fixture.ts'

/** A cluster that answers over a minute at once, and over an hour never in time. */
function slowOverAnHour() {
  const state = { seconds: 0.01, isHour: false }
  const { read, ...rest } = readerOver({
    requestsPerSecond: 10,
    to() {
      if (state.isHour) throw new UpstreamError('timeout', 'no answer within 10 s')
      return state.seconds
    },
  })
  const readOver = (windowSeconds: number) => {
    state.isHour = windowSeconds === 3_600
    return read(windowSeconds)
  }
  return { state, ...rest, read: readOver }
}

test('a rate window that the cluster does not answer is no matter of who looks at another one', async () => {
  const { reader, read, clock, kept } = slowOverAnHour()
  for (let refresh = 0; refresh < 5; refresh += 1) {
    clock.seconds = READER_AT + 10 * refresh
    const minute = await read(60)
    expect(minute.summary.state).toBe('ok')
    const hour = await read(3_600)
    expect(hour.gaps).toMatchObject([{ what: 'everything', why: 'timeout', sinceSeconds: READER_AT }])
    expect(reader.slowAskedAt(60)).toBe(READER_AT)
    expect(reader.slowAskedAt(3_600)).toBeNull()
  }
  reader.last.keepNowAndThen()
  await reader.last.written
  // While it answers anybody it is not silent.
  expect(kept.counts).toEqual({ saved: 1, forgotten: 0 })
})

test('nor does it take the load cap from who looks at another one', async () => {
  const { reader, read, clock, state } = slowOverAnHour()
  state.seconds = 20
  await read(60)
  clock.seconds += 10
  await read(60)
  const readAt = clock.seconds
  for (const afterSeconds of [5, 10]) {
    clock.seconds = readAt + afterSeconds
    await read(3_600)
    expect(reader.lanes.cap.restsForSeconds).toBeGreaterThan(15)
    expect((await read(60)).summary.ageSeconds).toBe(afterSeconds)
  }
})

test('a cluster that is silent in one rate window after the other has been so since the first', async () => {
  let isDown = false
  const answers = {
    requestsPerSecond: 10,
    to() {
      if (isDown) throw new UpstreamError('unreachable', 'nobody listens')
      return 0.01
    },
  }
  const { reader, read, clock, kept } = readerOver(answers)
  for (const window of [60, 300]) await read(window)
  isDown = true
  clock.seconds += 10
  for (const window of [60, 300]) {
    const { gaps } = await read(window)
    expect(gaps).toMatchObject([{ what: 'everything', why: 'unreachable', sinceSeconds: READER_AT + 10 }])
  }
  expect(kept.counts.saved).toBe(1)
  isDown = false
  clock.seconds += 10
  for (const window of [60, 300]) expect((await read(window)).gaps).toEqual([])
  expect(kept.counts).toEqual({ saved: 1, forgotten: 1 })
  expect(reader.last.silence).toBeNull()
})

test('what is lacked over one rate window is lacked since then, whoever looks at another one', async () => {
  let isHour = false
  const { read, clock } = readerOver({
    requestsPerSecond: 10,
    to(promql) {
      if (isHour && promql.includes('route_request')) throw new UpstreamError('rejected', 'too many samples')
      return 0.01
    },
  })
  for (let refresh = 0; refresh < 3; refresh += 1) {
    clock.seconds = READER_AT + 10 * refresh
    isHour = false
    expect((await read(60)).gaps).toEqual([])
    isHour = true
    const { gaps } = await read(3_600)
    expect(gaps).not.toEqual([])
    expect(new Set(gaps.map(({ sinceSeconds }) => sinceSeconds))).toEqual(new Set([READER_AT]))
  }
})

test('what recording rules fail to tell each time is lacked since the first time', async () => {
  const recorded = { promql: 'recorded_buckets', sinceSeconds: 0 }
  const dialect: Dialect = {
    ...linkerd,
    questions: (windowSeconds, peers) =>
      linkerd
        .questions(windowSeconds, peers)
        .map((question) => (question.name === 'inboundBuckets' ? { ...question, recorded } : question)),
  }
  const answers = {
    requestsPerSecond: 10,
    to(promql: string) {
      if (promql === recorded.promql) throw new UpstreamError('rejected', 'too many samples')
      return 0.01
    },
  }
  const { read, clock } = readerOver(answers, { dialects: [dialect] })
  for (let refresh = 0; refresh < 3; refresh += 1) {
    clock.seconds = READER_AT + 10 * refresh
    expect((await read(60)).gaps).toMatchObject([{ what: 'percentiles', sinceSeconds: READER_AT }])
  }
})

test('readings of several rate windows at once cost what each of them asks, and nothing of a slow lane beside them', async () => {
  const seconds = (promql: string) => (asksForRequests(promql) ? 8 : asksForBuckets(promql) ? 5 : 0)
  const { reader, read, readingOf, clock, signal } = readerOver({
    requestsPerSecond: 10,
    to: (promql, isRange) => (isRange ? 0 : seconds(promql)),
  })
  await Promise.all([read(60), read(300)])
  clock.seconds += 10
  await Promise.all([read(60), read(300), reader.lanes.refreshSlow(readingOf(60), signal)])
  // Slow lanes take two times 5 s of 30 s: two times 8 s are two thirds of 24 s.
  expect(reader.lanes.pace.refreshSeconds).toBeCloseTo(24, 9)
})

test('rate windows that cost more than others are not taken for these', async () => {
  const state = { seconds: 0 }
  const { reader, read, clock } = readerOver({
    requestsPerSecond: 10,
    to: (promql, isRange) => (!isRange && asksForRequests(promql) ? state.seconds : 0),
  })
  const readOver = (windowSeconds: number) => {
    state.seconds = windowSeconds === 60 ? 2 : 15
    return read(windowSeconds)
  }
  const refreshes: number[] = []
  for (let refresh = 0; refresh < 4; refresh += 1) {
    for (const window of [3_600, 60]) await readOver(window)
    refreshes.push(reader.lanes.pace.refreshSeconds)
    clock.seconds += 20
  }
  // The first look asks both lanes, which tells nothing of one of them. While the cost of a minute is not known it may
  // be that of an hour.
  expect(refreshes).toEqual([10, 30, 17, 17])
})
