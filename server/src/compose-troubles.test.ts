import { beforeEach, expect, test } from 'vitest'
import { composeTroubles } from './compose-troubles.ts'
import type { ClusterSummary, Gap } from './federation/snapshot.ts'
import { createLogger } from './telemetry/logger.ts'
import { createTroubleLog } from './telemetry/trouble-log.ts'

const USUAL_SECONDS = 240
const LONG_SECONDS = 3_600

let nowSeconds: number
let lines: string[]
let slow: string[]
let take: (given: { window?: number; clusters?: readonly string[]; gaps?: readonly Gap[] }) => void
beforeEach(() => {
  nowSeconds = 1_000_000
  lines = []
  slow = []
  const write = (line: string) => {
    const { msg, cluster, why } = JSON.parse(line)
    lines.push(`${cluster} ${msg} ${why}`)
  }
  const log = createTroubleLog(createLogger({ level: 'info' }, { write }), () => nowSeconds)
  const rateWindow = {
    seconds: () => USUAL_SECONDS,
    gaps: () => slow.map((name) => gap(name, 'slow scrape', 'short rate window')),
  }
  const note = composeTroubles({ log, roster: { readers: () => [] }, rateWindow })
  take = ({ window = USUAL_SECONDS, clusters = ['east', 'west'], gaps = [] }) => {
    const summaries = clusters.map((name) => ({ name }) as ClusterSummary)
    note({ atSeconds: nowSeconds, windowSeconds: window, refreshSeconds: 10, clusters: summaries, gaps })
  }
})

const gap = (cluster: string, why: string, what = 'everything'): Gap => ({
  cluster,
  what,
  why,
  detail: why,
  sinceSeconds: 0,
})
const bad = (cluster: string, why: string) => `${cluster} cluster does not answer as it should ${why}`
const well = (cluster: string, why: string) => `${cluster} cluster answers again ${why}`

/** Ten minutes in which views are taken in turn. */
function minutes(views: readonly Parameters<typeof take>[0][]): void {
  for (let passed = 0; passed < 600; passed += 10) {
    nowSeconds += 10
    for (const view of views) take(view)
  }
}

test('what only a longer window lacks is no trouble that comes and goes', () => {
  minutes([{}, { window: LONG_SECONDS, gaps: [gap('east', 'timeout')] }])
  expect(lines).toEqual([])
})

test('nor is what a viewer compares with, or that he chose the window that is usual', () => {
  slow = ['west']
  const said = gap('west', 'slow scrape', 'short rate window')
  minutes([{ gaps: [said] }, { gaps: [gap('east', 'timeout', 'usual values'), said] }, {}])
  expect(lines).toEqual([bad('west', 'slow scrape')])
})

test('while nobody looks at the usual window, another one tells; it is judged by one of them at a time', () => {
  minutes([{ window: LONG_SECONDS, gaps: [gap('east', 'timeout')] }, { window: 7_200 }])
  expect(lines).toEqual([bad('east', 'timeout')])
  minutes([{}, { window: LONG_SECONDS, gaps: [gap('east', 'timeout')] }])
  expect(lines).toEqual([bad('east', 'timeout'), well('east', 'timeout')])
})

test('a cluster that is forgotten does not answer again', () => {
  take({ gaps: [gap('west', 'unreachable')] })
  nowSeconds += 86_400
  take({ clusters: ['east'] })
  expect(lines).toEqual([bad('west', 'unreachable'), 'west cluster is gone for good and no longer asked unreachable'])
})

test('an endpoint that tells its clusters again does', () => {
  take({ gaps: [gap('thanos:10902', 'timeout')] })
  nowSeconds += 600
  take({})
  expect(lines).toEqual([bad('thanos:10902', 'timeout'), well('thanos:10902', 'timeout')])
})
