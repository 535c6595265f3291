import { expect, test } from 'vitest'
import { podsEvidence } from '../../src/domain/evidence-events.ts'
import { goalRows } from '../../src/domain/goal-rows.ts'
import { readGolden } from '../../src/domain/golden.ts'
import { intervalsOf } from '../../src/domain/intervals.ts'
import { maxOverMedian, rankChangesPerMinute } from '../../src/domain/pod-balance.ts'
import { workloadRow } from '../../src/domain/row.ts'
import { EVERY_STEP } from '../../src/domain/step-mask.ts'
import { judge } from '../../src/domain/suspects.ts'
import { emptyTraffic, flowOver } from '../../src/domain/traffic.ts'
import { UNTROUBLED } from '../../src/domain/trouble.ts'
import { C, course, D, type Given, SLOW, situationIn, verdictIn, X } from './incident-world.ts'

test('the slow callee two clusters down is named, and when it is no longer called all is quiet', () => {
  expect(verdictIn(SLOW)).toMatchObject({ form: 'suspect', subject: X, suspect: D, word: 'strong' })
  // The check is removed: its caller no longer calls it.
  const quiet = situationIn({
    nodes: { [X]: course(41, 0.1, 0.08), [C]: course(41, 0.06, 0.04), [D]: course(0, 0.02, 0.02) },
    calls: [{ from: X, to: C, course: course(41, 0.07, 0.05) }],
  })
  const workload = quiet.assessment.workloads.get(D)
  if (workload === undefined) throw new Error('D is gone')
  const row = workloadRow(quiet, judge(quiet), workload)
  expect(judge(quiet).suspects).toEqual([])
  expect(row.reading.truths.successRatio).toBe('noTraffic')
  expect(row.reading.golden.successRatio).toBeNull()
  expect(row.health).toBe('none')
})

test('a stall of one interval: the log has its row, the mean and p50 of all of it hardly move', () => {
  const steps = 30
  const traffic = emptyTraffic(steps)
  for (let step = 0; step < steps; step += 1) {
    const stalled = step === 20
    const rate = stalled ? 4 : 40
    traffic.success[step] = rate
    traffic.latencyCount[step] = rate
    traffic.latencySeconds[step] = rate * (stalled ? 4.5 : 0.02)
    for (const bound of [0.01, 0.05, 1, 5, Number.POSITIVE_INFINITY])
      traffic.buckets.column(bound)[step] = bound >= (stalled ? 5 : 0.05) ? rate : 0
  }
  const log = intervalsOf(traffic, steps, 10)
  expect(log.filter(({ change }) => change === '+++').map(({ step }) => step)).toEqual([20])
  expect(log[20]).toMatchObject({ good: 40, maxSeconds: 5 })
  const all = readGolden(flowOver(traffic, EVERY_STEP), { windowSeconds: 300, seen: true, stale: false }).golden
  expect(all.latencySeconds.p50).toBeLessThan(0.05)
  expect(all.latencySeconds.mean).toBeLessThan(0.05)
  expect(all.latencySeconds.p999).toBeGreaterThan(1)
})

test('load that flaps between hosts: swapped places are counted, an even fleet has none', () => {
  const flapping = [Float64Array.of(900, 100, 900, 100, 900), Float64Array.of(100, 900, 100, 900, 100)]
  const even = [Float64Array.of(500, 505, 495, 500, 500), Float64Array.of(500, 495, 505, 500, 500)]
  expect(rankChangesPerMinute(flapping, 15)).toBe(4)
  expect(rankChangesPerMinute(even, 15)).toBe(0)
  expect(maxOverMedian([30_000, 9_000, 10_000])).toBe(3)
})

test('in-flight requests follow from the mean, which the median hides', () => {
  const histogram = {
    upperBounds: [0.01, 0.1, 1, Number.POSITIVE_INFINITY],
    cumulative: [29_000, 29_100, 30_000, 30_000],
  }
  const flow = { requestsPerSecond: 30_000, failuresPerSecond: 0, meanSeconds: 0.034, histogram }
  const { inFlight, latencySeconds } = readGolden(flow, { windowSeconds: 60, seen: true, stale: false }).golden
  // A breaker at 1 000 outstanding requests trips at a mean above 33 ms, whatever the median.
  expect(inFlight).toBeGreaterThan(1_000)
  expect(latencySeconds.p50).toBeLessThan(0.01)
})

test('goals against what is usual, and one of six pods without traffic', () => {
  const histogram = { upperBounds: [0.1, 0.5, 1, Number.POSITIVE_INFINITY], cumulative: [0, 0, 400, 400] }
  const now = { requestsPerSecond: 400, failuresPerSecond: 0, meanSeconds: 0.7, histogram }
  const before = {
    ...now,
    requestsPerSecond: 100,
    meanSeconds: 0.05,
    histogram: { ...histogram, cumulative: [100, 100, 100, 100] },
  }
  const read = (flow: typeof now) => readGolden(flow, { windowSeconds: 60, seen: true, stale: false })
  const goals = {
    successRatio: 0.999,
    latencySeconds: { p99: 0.5 },
    leastRequestsPerSecond: 400,
    periodSeconds: 2_592_000,
  }
  const trouble = { ...UNTROUBLED, latency: 'crit', latencySoon: 'crit', ratio: 14 } as const
  const rows = goalRows({ goals, reading: read(now), usual: read(before).golden, trouble, counts: null })
  expect(rows.map(({ measure, verdict }) => [measure, verdict])).toEqual([
    ['successRatio', 'met'],
    ['p99', 'missed'],
    ['requestsPerSecond', 'met'],
  ])
  const pods = Array.from({ length: 6 }, (_, index) => ({
    name: `p${index}`,
    requestsPerSecond: index === 3 ? 0 : 80,
    meanSeconds: 0.05,
  }))
  expect(podsEvidence({ events: [], kubeTold: true, pods })).toMatchObject({
    answer: true,
    text: '1 of 6 pods gets no traffic',
  })
})

test('a dependency that slows every endpoint is named once, with all whom it hurts', () => {
  const db = 'west/data/connector'
  const users = ['a', 'b', 'c', 'd'].map((name) => `west/api/${name}`)
  const given: Given = {
    nodes: {
      [db]: course(40, 0.01, 0.41),
      ...Object.fromEntries(users.map((id) => [id, course(10, 0.05, 0.45)])),
    },
    calls: users.map((from) => ({ from, to: db, course: course(10, 0.011, 0.411) })),
  }
  const { suspects, problems } = judge(situationIn(given))
  expect(suspects.map(({ id }) => id)).toEqual([db])
  expect([...(suspects[0]?.victims ?? [])].sort()).toEqual(users)
  expect(problems).toHaveLength(1)
})
