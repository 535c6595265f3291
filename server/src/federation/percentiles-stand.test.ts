import { describe, expect, test } from 'vitest'
import type { Dialect, Question } from '../dialects/dialect.ts'
import { linkerd } from '../dialects/linkerd.ts'
import { inboundOf } from '../dialects/observe.ts'
import { bucketsToAdd } from '../domain/add-traffic.ts'
import { emptyObservation, type Observation } from '../domain/observation.ts'
import { UpstreamError } from '../prometheus/upstream-error.ts'
import { BucketLane } from './bucket-lane.ts'
import type { ClusterReading } from './cluster-reading.ts'
import { READER_AT, readerOver } from './reader-over.fixture.ts'

const WINDOW = 60
const promqlOf = (name: string) => linkerd.questions(WINDOW).find((question) => question.name === name)?.promql

/** Boundaries and age of the one workload's percentiles. */
function percentiles({ view, summary }: ClusterReading) {
  const [flow] = view.now?.inbound.values() ?? []
  return { boundaries: flow?.total.buckets.size, ageSeconds: summary.percentilesAgeSeconds }
}

/** Linkerd with some questions put in another way. */
function linkerdWith(change: (question: Question) => Question): Dialect {
  return { ...linkerd, questions: (windowSeconds) => linkerd.questions(windowSeconds).map(change) }
}

const recordedSince = (sinceSeconds: number) =>
  linkerdWith((question) =>
    question.name === 'inboundBuckets'
      ? { ...question, recorded: { promql: question.promql, averaged: () => question.promql, sinceSeconds } }
      : question,
  )

test('a question of their lane that is refused each time costs nobody percentiles', async () => {
  const refused = promqlOf('tcpCalls')
  expect(refused).toBeDefined()
  const { reader, read, readingOf, clock, signal } = readerOver({
    requestsPerSecond: 10,
    to(promql) {
      if (promql === refused) throw new UpstreamError('rejected', 'too many samples')
      return 0.01
    },
  })
  const at = async (seconds: number) => {
    clock.seconds = READER_AT + seconds
    return read(WINDOW)
  }
  const first = await at(0)
  expect(percentiles(first)).toEqual({ boundaries: 2, ageSeconds: 0 })
  expect(first.gaps).toMatchObject([{ what: 'tcpCalls' }])
  expect(percentiles(await at(10))).toEqual({ boundaries: 2, ageSeconds: 10 })
  clock.seconds = READER_AT + 40
  await reader.lanes.refreshSlow(readingOf(WINDOW), signal)
  const later = await at(50)
  expect(percentiles(later)).toEqual({ boundaries: 2, ageSeconds: 10 })
  expect(later.gaps).toMatchObject([{ what: 'tcpCalls' }])
})

describe('what a later answer lacks', () => {
  const seen = (buckets: boolean): Observation => {
    const observation = emptyObservation('east', 1, 'linkerd')
    const { total } = inboundOf(observation, { cluster: 'east', namespace: 'shop', kind: 'deployment', name: 'web' })
    total.success[0] = 1
    if (buckets) bucketsToAdd(total).column(Number.POSITIVE_INFINITY).set([1])
    return observation
  }
  const told = (observation: Observation) => ({ observation, warnings: [] })
  const ageIn = ({ inbound }: Observation) => inbound.get('east/shop/web')?.total.bucketsAgeSeconds

  test('is taken from the whole one before it, with its age, for as long as that may stand', () => {
    const lane = new BucketLane()
    lane.answered(WINDOW, 0, told(seen(true)), true)
    lane.answered(WINDOW, 30, told(emptyObservation('east', 1, 'linkerd')), false)
    expect(ageIn(lane.complete(seen(false), WINDOW, 40, 300))).toBe(40)
    expect(lane.ageSeconds(WINDOW, 40)).toBe(40)
    expect(ageIn(lane.complete(seen(false), WINDOW, 310, 300))).toBeUndefined()
  })

  test('is nothing where it has it itself', () => {
    const lane = new BucketLane()
    lane.answered(WINDOW, 0, told(seen(true)), true)
    lane.answered(WINDOW, 30, told(seen(true)), false)
    expect(ageIn(lane.complete(seen(false), WINDOW, 40, 300))).toBe(10)
    expect(lane.ageSeconds(WINDOW, 40)).toBe(10)
  })
})

describe('percentiles that recording rules make as cheap as rates', () => {
  test('are as old as the rates, also where they were asked for by themselves before', async () => {
    const { reader, read, readingOf, clock, signal } = readerOver(
      { requestsPerSecond: 10, to: () => 0.01 },
      { dialects: [recordedSince(READER_AT + 10)] },
    )
    expect(percentiles(await read(WINDOW)).ageSeconds).toBe(0)
    for (const seconds of [20, 300, 3_600]) {
      clock.seconds = READER_AT + seconds
      await reader.lanes.refreshSlow(readingOf(WINDOW), signal)
      expect(percentiles(await read(WINDOW))).toEqual({ boundaries: 2, ageSeconds: 0 })
    }
  })

  test.each([
    ['where they are', recordedSince(0)],
    [
      'where there are none',
      linkerdWith((question) => (question.name === 'inboundBuckets' ? { ...question, promql: 'none' } : question)),
    ],
  ])('leave a cluster its load cap %s', async (_, dialect) => {
    const { reader, read, clock } = readerOver(
      { requestsPerSecond: 10, to: () => 50 },
      { dialects: [dialect], maxLoad: 0.2 },
    )
    for (let seconds = 0; seconds < 60; seconds += 10) {
      clock.seconds = READER_AT + seconds
      await read(WINDOW)
    }
    expect(reader.lanes.pace.refreshSeconds).toBeGreaterThan(10)
    expect(reader.lanes.pace.why).toMatch(/^refreshed every \d+ s \(refresh: 10 s\)/)
  })
})
