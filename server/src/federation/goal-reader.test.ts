import { beforeEach, describe, expect, test } from 'vitest'
import { linkerd } from '../dialects/linkerd.ts'
import type { Goal } from '../domain/goals.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { PlainSample } from '../prometheus/plain-sample.ts'
import { UpstreamError } from '../prometheus/upstream-error.ts'
import { GoalReader } from './goal-reader.ts'
import { heldAfter } from './held-bytes.fixture.ts'

const NOW = 1_800_000_000
const GOAL = { successRatio: 0.99, latencySeconds: {}, leastRequestsPerSecond: null, periodSeconds: 7 * 86_400 }
const NAMES = ['web', 'cart', 'tax']
const id = (name: string) => `east/shop/${name}`

/** The names of the workloads that each question was for. */
let asked: string[][]
beforeEach(() => {
  asked = []
})
const query = async (promql: string) => {
  const names = NAMES.filter((name) => promql.includes(name))
  asked.push(names)
  const labels = (name: string) => ({ namespace: 'shop', deployment: name, classification: 'success' })
  return { data: names.map((name) => new PlainSample(labels(name), {}, 1)), warnings: [] }
}
const api = { query } as unknown as PrometheusApi

function readerOf(...known: readonly string[]) {
  const goals = [{ workload: '*/shop/*', ...GOAL }]
  const reader = new GoalReader({ cluster: 'east', api, dialects: () => [linkerd], goals })
  reader.know(known.map(id), NOW)
  return reader
}

/** Runs what is due, to the end. */
async function runAll(reader: GoalReader, nowSeconds = NOW): Promise<void> {
  while (reader.dueAt(nowSeconds) <= nowSeconds) await reader.run(nowSeconds, new AbortController().signal)
}

test('a workload that goes does not make anybody else be counted anew, nor does it when it comes back', async () => {
  const reader = readerOf('web', 'cart')
  await runAll(reader)
  const before = reader.counts().get(id('web'))
  expect(before?.days).toHaveLength(7)
  asked.length = 0
  for (const known of [['web'], ['web'], ['web', 'cart']]) {
    reader.know(known.map(id), NOW + 1)
    expect(reader.dueAt(NOW + 1)).toBeGreaterThan(NOW + 1)
  }
  expect(reader.counts().get(id('web'))).toEqual(before)
  expect(asked).toEqual([])
})

test('one that is new is counted over everything, alone', async () => {
  const reader = readerOf('web', 'cart')
  await runAll(reader)
  const [before, questions] = [reader.counts().get(id('web')), asked.length]
  asked.length = 0
  reader.know(NAMES.map(id), NOW + 1)
  expect(reader.counts().get(id('web'))).toEqual(before)
  await runAll(reader, NOW + 1)
  expect(asked).toHaveLength(questions)
  expect(asked.flat().every((name) => name === 'tax')).toBe(true)
  expect(reader.counts().get(id('tax'))?.days).toHaveLength(7)
  expect(reader.counts().get(id('web'))).toEqual(before)
})

test('one that is gone for an hour is forgotten', async () => {
  const reader = readerOf('web', 'cart')
  await runAll(reader)
  reader.know([id('web')], NOW + 3_601)
  expect([...reader.counts().keys()]).toEqual([id('web')])
  asked.length = 0
  await runAll(reader, NOW + 3_601)
  expect(asked.flat().every((name) => name === 'web')).toBe(true)
})

test('of names that come and go without end nothing is left, be they of now or of the past', async () => {
  const reader = readerOf('web')
  const namesOf = (round: number) => Array.from({ length: 2_000 }, (_, index) => `east/ci/job-${round}-${index}`)
  const signal = new AbortController().signal
  reader.know([id('web')], NOW)
  const held = heldAfter(() => {
    for (let round = 0; round < 100; round += 1) reader.know([id('web'), ...namesOf(round)], NOW + round)
    reader.know([id('web')], NOW + 100)
    for (let round = 0; round < 100; round += 1) void reader.at(namesOf(round), NOW, signal)
  })
  // All of them would take more than ten times as much.
  expect(held).toBeLessThan(2_000_000)
  expect([...reader.counts().keys()]).toEqual([id('web')])
})

test('what was never counted is due now, and not before what is overdue', () => {
  expect(readerOf('web').dueAt(NOW)).toBe(NOW)
  expect(readerOf().dueAt(NOW)).toBe(Number.POSITIVE_INFINITY)
})

describe('the days of a budget', () => {
  const DAY = 86_400
  const MIDNIGHT = Math.floor(NOW / DAY) * DAY
  const MISSING = 'Addr: 10.0.0.9:10901 MinTime: 0 MaxTime: 1: rpc error: code = Unavailable desc = gone'
  /** What is missing of the answers for the day that ends then; whether there is anything of it. */
  let world: { partOf: number | null; nothingAt: number | null; refused: boolean }
  beforeEach(() => {
    world = { partOf: null, nothingAt: null, refused: false }
  })

  /** One request a second, of which 5 % fail on the day before `MIDNIGHT`; `tax` all the time. */
  function reader(goals: readonly Goal[]) {
    const counting = async (promql: string, atSeconds: number) => {
      if (world.refused) throw new UpstreamError('unreachable', 'nobody listens')
      const names = atSeconds === world.nothingAt ? [] : NAMES.filter((name) => promql.includes(name))
      asked.push([...names, `${atSeconds}`])
      const failing = atSeconds > MIDNIGHT - DAY && atSeconds <= MIDNIGHT ? 0.05 : 0
      const sample = (name: string, classification: string, rate: number) =>
        new PlainSample({ namespace: 'shop', deployment: name }, { classification }, rate)
      const data = names.flatMap((name) => [sample(name, 'success', 1 - failing), sample(name, 'failure', failing)])
      return { data, warnings: atSeconds === world.partOf ? [MISSING] : [] }
    }
    const one = { query: counting } as unknown as PrometheusApi
    const of = new GoalReader({ cluster: 'east', api: one, dialects: () => [linkerd], goals })
    of.know([id('web'), id('cart')], MIDNIGHT)
    return of
  }
  const week = { workload: '*/shop/*', ...GOAL }
  const month = { ...week, workload: 'east/shop/web', periodSeconds: 30 * DAY }
  const failedShare = (of: GoalReader, name: string) => {
    const days = of.counts().get(id(name))?.days ?? []
    const sum = (value: (day: (typeof days)[number]) => number) => days.reduce((total, day) => total + value(day), 0)
    return (
      sum((day) => day.failuresPerSecond * day.windowSeconds) / sum((day) => day.requestsPerSecond * day.windowSeconds)
    )
  }

  test('are those of a workload’s own period, however long that of another is', async () => {
    const of = reader([week, month])
    await runAll(of, NOW)
    const lengths = ['web', 'cart'].map((name) => of.counts().get(id(name))?.days.length)
    expect(lengths).toEqual([30, 7])
    const seconds = 6 * DAY + NOW - MIDNIGHT
    expect(failedShare(of, 'cart')).toBeCloseTo((0.05 * DAY) / seconds, 9)
    // And nobody is asked for a day that counts in no period of theirs.
    const ofEarlierDays = asked.filter((names) => Number(names.at(-1)) <= MIDNIGHT - 6 * DAY)
    expect(ofEarlierDays.length).toBeGreaterThan(20)
    expect(ofEarlierDays.filter((names) => names.includes('cart'))).toEqual([])
  })

  test('are counted once each, whatever time of the night it is', async () => {
    const of = reader([week])
    await runAll(of, MIDNIGHT - 600)
    const late = MIDNIGHT + 180
    of.know([id('web'), id('cart')], late)
    while (
      of
        .counts()
        .get(id('web'))
        ?.days.some(({ atSeconds }) => atSeconds === MIDNIGHT) !== true
    )
      await of.run(late, new AbortController().signal)
    const days = of.counts().get(id('web'))?.days ?? []
    expect(days.reduce((total, { windowSeconds }) => total + windowSeconds, 0)).toBeLessThanOrEqual(6 * DAY + 180)
    await runAll(of, late)
    expect(of.counts().get(id('web'))?.days).toHaveLength(7)
  })

  test('leave with the period, so that no process knows more of them than another', async () => {
    const of = reader([week])
    for (let day = 0; day < 12; day += 1) {
      of.know([id('web'), id('cart')], NOW + day * DAY)
      await runAll(of, NOW + day * DAY)
    }
    expect(of.counts().get(id('web'))?.days).toHaveLength(7)
  })

  test.each(['partOf', 'nothingAt'] as const)('of which only a part was told are asked again: %s', async (what) => {
    world[what] = MIDNIGHT - DAY
    const of = reader([week])
    await runAll(of, NOW)
    world[what] = null
    const asksAgain = async (atSeconds: number) => {
      asked.length = 0
      of.know([id('web'), id('cart')], atSeconds)
      await runAll(of, atSeconds)
      return asked.some((question) => question.includes(`${MIDNIGHT - DAY}`))
    }
    expect(await asksAgain(NOW + 3_600)).toBe(false)
    expect(await asksAgain(NOW + 7 * 3_600)).toBe(true)
    expect(of.counts().get(id('web'))?.days).toHaveLength(7)
    expect(await asksAgain(NOW + 14 * 3_600)).toBe(false)
  })

  test('a clock that was set back holds nothing up', async () => {
    const of = reader([week])
    await runAll(of, NOW)
    expect(of.dueAt(NOW)).toBeGreaterThan(NOW)
    expect(of.dueAt(NOW - 3_600)).toBe(NOW - 3_600)
    world.refused = true
    await of.run(NOW - 3_600, new AbortController().signal)
    expect(of.dueAt(NOW - 3_600)).toBeGreaterThan(NOW - 3_600)
    expect(of.dueAt(NOW - 7_200)).toBe(NOW - 7_200)
  })
})
