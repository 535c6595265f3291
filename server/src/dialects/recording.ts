import type { Dialect, Question } from './dialect.ts'
import { averageWithin, byName, lastWithin, selector } from './promql.ts'

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

/** What the recording rules of a cluster declare, and which questions they recorded something for lately. */
export interface Recorded {
  readonly lanes: readonly RecordedLane[]
  /** Fingerprints; null where they could not be read: then each question is tried. */
  readonly questions: ReadonlySet<string> | null
  /** Recorded series, under whatever fingerprint; null where they could not be read: then nothing is claimed. */
  readonly names: ReadonlySet<string> | null
}

/** How a cluster's recorded series are used over one rate window. */
export interface RecordedUse {
  /** Lanes over that window. */
  readonly lanes: readonly RecordedLane[]
  /** Lanes over others, which nothing is read from. */
  readonly overOthers: readonly RecordedLane[]
  /** Names of the questions of those lanes that are answered by recorded series. */
  readonly recorded: readonly string[]
  /** ... of those asked of the raw series because their rules recorded nothing lately, under whatever fingerprint. */
  readonly empty: readonly string[]
  /** ... and because the rules are of another version, or for other `peers`. */
  readonly outdated: readonly string[]
}

/** Rules as Prometheus' rule files hold them. */
export interface RecordingGroup {
  readonly name: string
  readonly intervalSeconds: number
  readonly rules: readonly { record: string; expr: string; labels: Readonly<Record<string, string>> }[]
}

/** One rule may be late without anybody going back to the raw series; values are never older than this many intervals. */
const INTERVALS_KEPT = 2.5

/** The series by which rules declare themselves: its value is the interval, its labels say dialect, lane and window. */
export const DECLARATION = 'goldseam:rules:interval_seconds'

/** Labels that a recorded series has besides those of the answer it holds. */
export const RECORDING_LABELS: readonly string[] = ['__name__', 'question']

/** `goldseam:linkerd_inbound_time:over1m`: the answer to one question over one window. */
export function recordedName(dialect: string, question: string, windowSeconds: number): string {
  const window = windowSeconds % 60 === 0 ? `${windowSeconds / 60}m` : `${windowSeconds}s`
  return `goldseam:${dialect}_${question.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}:over${window}`
}

/**
 * The rules that record what a dialect asks, one a question. Rates are recorded, not counters: a sum of counters over
 * pods cannot be rated, because it falls whenever one of them restarts. Each carries the fingerprint of its question, so
 * that rules of another version, or for other `peers`, are never taken for the answer.
 */
export function recordingGroups(
  dialect: Dialect,
  windowSeconds: number,
  intervals: RecordingIntervals,
  peers: readonly string[] = [],
): readonly RecordingGroup[] {
  // Where a mesh's own recorded series are read, there is nothing to record from.
  if (dialect.unless !== undefined) return []
  return (['fast', 'slow'] as const).map((lane) => ({
    name: `goldseam-${dialect.name}-${lane}`,
    intervalSeconds: intervals[lane],
    rules: [
      ...dialect
        .questions(windowSeconds, peers)
        .filter((question) => question.lane === lane)
        .map(({ name, promql }) => ({
          record: recordedName(dialect.name, name, windowSeconds),
          expr: promql,
          labels: { question: fingerprint(promql) },
        })),
      // Last: whoever sees it finds the others evaluated.
      {
        record: DECLARATION,
        expr: `vector(${intervals[lane]})`,
        labels: { dialect: dialect.name, lane, window_seconds: `${windowSeconds}` },
      },
    ],
  }))
}

/** Selects what rules recorded, of whatever version and for whatever `peers`. */
export const RECORDED_SERIES = byName([{ label: '__name__', op: '=~', value: 'goldseam:.+:over.+' }])

function questionsOver(dialects: readonly Dialect[], { dialect, windowSeconds }: RecordedLane): readonly Question[] {
  return dialects.find(({ name }) => name === dialect)?.questions(windowSeconds) ?? []
}

/** FNV-1a, 32 bits: tells questions apart, keeps no secrets. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hash.toString(16).padStart(8, '0')
}

/** Whether the rules hold an answer to the question; so does a failing rule as long as nobody could be asked. */
function holds({ questions }: Recorded, promql: string): boolean {
  return questions === null || questions.has(fingerprint(promql))
}

/**
 * What is read from recorded series by `dialects`, as they were before `withRecorded`, over a rate window; null where no
 * rules were found.
 */
export function recordedUse(
  dialects: readonly Dialect[],
  recorded: Recorded,
  windowSeconds: number,
): RecordedUse | null {
  const names = { recorded: new Set<string>(), empty: new Set<string>(), outdated: new Set<string>() }
  const found = recorded.lanes.filter(({ dialect }) => dialects.some(({ name }) => name === dialect))
  if (found.length === 0) return null
  const lanes = found.filter((lane) => lane.windowSeconds === windowSeconds)
  const overOthers = found.filter((lane) => lane.windowSeconds !== windowSeconds)
  for (const rules of lanes) {
    for (const { name, promql, lane } of questionsOver(dialects, rules)) {
      if (lane !== rules.lane) continue
      if (holds(recorded, promql)) names.recorded.add(name)
      else if (recorded.names !== null) {
        // Recorded, but not as the answer to this question.
        const outdated = recorded.names.has(recordedName(rules.dialect, name, rules.windowSeconds))
        names[outdated ? 'outdated' : 'empty'].add(name)
      }
    }
  }
  return { lanes, overOthers, recorded: [...names.recorded], empty: [...names.empty], outdated: [...names.outdated] }
}

/** The dialect with its questions answered by recorded series wherever the rules reach; its raw questions stay beside them. */
export function withRecorded(dialect: Dialect, recorded: Recorded): Dialect {
  const mine = recorded.lanes.filter((one) => one.dialect === dialect.name)
  if (mine.length === 0) return dialect
  return {
    ...dialect,
    questions: (windowSeconds) =>
      dialect.questions(windowSeconds).map((question) => {
        const rules = mine.find((one) => one.lane === question.lane && one.windowSeconds === windowSeconds)
        if (rules === undefined || !holds(recorded, question.promql)) return question
        const { intervalSeconds, sinceSeconds } = rules
        const name = recordedName(dialect.name, question.name, windowSeconds)
        const mark = { label: 'question', op: '=', value: fingerprint(question.promql) } as const
        const series = selector(name, [mark])
        const promql = lastWithin(series, INTERVALS_KEPT * intervalSeconds)
        const averaged = (seconds: number) => averageWithin(series, seconds)
        return { ...question, recorded: { promql, averaged, sinceSeconds } }
      }),
  }
}
