import type { Dialect, Question } from './dialect.ts'
import { lastWithin, selector } from './promql.ts'

/** What a cluster's recording rules hold of one lane of a dialect. Times are unix seconds. */
export interface RecordedLane {
  readonly dialect: string
  readonly lane: Question['lane']
  /** The rate window that was recorded: for another one the raw series are asked. */
  readonly windowSeconds: number
  readonly intervalSeconds: number
  /** Recorded without a break since then. */
  readonly sinceSeconds: number
}

/** Seconds between two evaluations, a lane each: buckets are nine tenths of the work. */
export type RecordingIntervals = Readonly<Record<Question['lane'], number>>

/** Rules as Prometheus' rule files hold them. */
export interface RecordingGroup {
  readonly name: string
  readonly intervalSeconds: number
  readonly rules: readonly { record: string; expr: string; labels?: Readonly<Record<string, string>> }[]
}

/** One rule may be late without anybody going back to the raw series; values are never older than this many intervals. */
const INTERVALS_KEPT = 2.5

/** The series by which the rules declare themselves: its value is the interval, its labels say the window and the lane. */
export function declarationOf(dialect: string): string {
  return `goldseam:${dialect}_rules:interval_seconds`
}

/** `goldseam:linkerd_inbound_time:over1m`: the answer to one question over one window. */
export function recordedName(dialect: string, question: string, windowSeconds: number): string {
  const window = windowSeconds % 60 === 0 ? `${windowSeconds / 60}m` : `${windowSeconds}s`
  return `goldseam:${dialect}_${question.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}:over${window}`
}

/**
 * The rules that record what a dialect asks, one a question. Rates are recorded, not counters: a sum of counters over
 * pods cannot be rated, because it falls whenever one of them restarts.
 */
export function recordingGroups(
  dialect: Dialect,
  windowSeconds: number,
  intervals: RecordingIntervals,
): readonly RecordingGroup[] {
  // Where a mesh's own recorded series are read, there is nothing to record from.
  if (dialect.unless !== undefined) return []
  return (['fast', 'slow'] as const).map((lane) => ({
    name: `goldseam-${dialect.name}-${lane}`,
    intervalSeconds: intervals[lane],
    rules: [
      ...dialect
        .questions(windowSeconds)
        .filter((question) => question.lane === lane)
        .map(({ name, promql }) => ({ record: recordedName(dialect.name, name, windowSeconds), expr: promql })),
      // Last: whoever sees it finds the others evaluated.
      {
        record: declarationOf(dialect.name),
        expr: `vector(${intervals[lane]})`,
        labels: { lane, window_seconds: `${windowSeconds}` },
      },
    ],
  }))
}

/** The dialect with its questions answered by recorded series wherever the rules reach; its raw questions stay beside them. */
export function withRecorded(dialect: Dialect, recorded: readonly RecordedLane[]): Dialect {
  const mine = recorded.filter((one) => one.dialect === dialect.name)
  if (mine.length === 0) return dialect
  return {
    ...dialect,
    questions: (windowSeconds) =>
      dialect.questions(windowSeconds).map((question) => {
        const rules = mine.find((one) => one.lane === question.lane && one.windowSeconds === windowSeconds)
        if (rules === undefined) return question
        const { intervalSeconds, sinceSeconds } = rules
        const name = recordedName(dialect.name, question.name, windowSeconds)
        const promql = lastWithin(selector(name, []), INTERVALS_KEPT * intervalSeconds)
        return { ...question, recorded: { promql, sinceSeconds } }
      }),
  }
}
