import { setMaxListeners } from 'node:events'
import type { Answers, Question, SeriesColumn } from '../dialects/dialect.ts'
import { RECORDING_LABELS } from '../dialects/recording.ts'
import { type Listed, mapListed } from '../domain/listed.ts'
import { remembered } from '../domain/remembered.ts'
import type { PrometheusApi, Sample, SampleSeries } from '../prometheus/api.ts'
import { follow } from '../prometheus/follow.ts'
import { storeAddress } from '../prometheus/missing-part.ts'
import { isHopeless, UpstreamError } from '../prometheus/upstream-error.ts'
import { missingPart, NothingForSure } from './store-trouble.ts'

/** What a cluster answered to a list of questions, and what it did not. */
export interface Collected {
  readonly answers: Answers
  /** Those of them that are nothing, while a store did not answer that others were answered without; by question. */
  readonly doubtful: ReadonlyMap<string, UpstreamError>
  readonly failures: readonly { readonly question: string; readonly error: UpstreamError }[]
  readonly warnings: readonly string[]
  readonly seriesRead: number
}

interface Answer {
  readonly series: Listed<SeriesColumn>
  readonly warnings: readonly string[]
}

/** Asks every question for the same instant; one column step. A question that fails does not stop the others. */
export function collectInstant(
  api: PrometheusApi,
  questions: readonly Question[],
  atSeconds: number,
  signal: AbortSignal,
): Promise<Collected> {
  return collect(questions, atSeconds, signal, async (promql, patience, name) => {
    const { data, warnings } = await api.query(promql, atSeconds, patience, name)
    return { warnings, series: mapListed(data, columnOf) }
  })
}

/** Asks every question over a range, `atOnce` of them together; one column step per instant, NaN where a series has no value. */
export function collectRange(
  api: PrometheusApi,
  questions: readonly Question[],
  range: { fromSeconds: number; stepSeconds: number; steps: number },
  signal: AbortSignal,
  atOnce = Number.POSITIVE_INFINITY,
): Promise<Collected> {
  const { fromSeconds, stepSeconds, steps } = range
  const toSeconds = fromSeconds + (steps - 1) * stepSeconds
  const ask = async (promql: string, patience: AbortSignal, name: string): Promise<Answer> => {
    const { data, warnings } = await api.queryRange(promql, { fromSeconds, toSeconds, stepSeconds }, patience, name)
    return { warnings, series: data }
  }
  return collect(questions, fromSeconds, signal, ask, atOnce)
}

/** A sample is a column of one step already, but for native histograms. */
function columnOf(sample: Sample): SeriesColumn {
  const { histogram } = sample
  if (histogram === undefined) return sample
  const { labels, apart, values } = sample
  return { labels, apart, values, histograms: [histogram] }
}

async function collect(
  questions: readonly Question[],
  fromSeconds: number,
  signal: AbortSignal,
  ask: (promql: string, patience: AbortSignal, name: string) => Promise<Answer>,
  atOnce = Number.POSITIVE_INFINITY,
): Promise<Collected> {
  const giveUp = new AbortController()
  const patience = giveUp.signal
  setMaxListeners(0, patience)
  const leave = follow(signal, giveUp)
  const answers = new Map<string, Listed<SeriesColumn>>()
  const failures: { question: string; error: UpstreamError }[] = []
  const warnings = new Set<string>()
  const nothing: { question: string; error: NothingForSure }[] = []
  /** What did not answer while others had something to tell. */
  const told = new Set<string>()
  let seriesRead = 0
  const left = [...questions]
  const askNext = async (): Promise<void> => {
    for (let question = left.shift(); question !== undefined; question = left.shift()) await askOne(question)
  }
  const askOne = async (question: Question): Promise<void> => {
    try {
      const answer = await askRecordedFirst(question, fromSeconds, (promql) => ask(promql, patience, question.name))
      const [trouble] = answer.series.length > 0 ? [] : answer.warnings.flatMap((text) => missingPart(text) ?? [])
      if (trouble !== undefined) throw new NothingForSure(trouble, answer.warnings)
      answers.set(question.name, answer.series)
      seriesRead += answer.series.length
      for (const warning of answer.warnings) {
        warnings.add(warning)
        if (answer.series.length > 0) told.add(silentIn(warning))
      }
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      if (error instanceof NothingForSure) {
        nothing.push({ question: question.name, error })
        return
      }
      // The others would only wait in line to fail the same way.
      if (isHopeless(error)) giveUp.abort(error)
      failures.push({ question: question.name, error })
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, questions.length) }, askNext)).finally(leave)
  const doubtful = new Map<string, UpstreamError>()
  for (const { question, error } of nothing) {
    // Nothing from nobody is not "no traffic". But where others were answered without that store, it has a replica that
    // has nothing to tell of this: the cluster is incomplete, and no worse. Answers of before it went say nothing.
    if (error.warnings.every((warning) => missingPart(warning) === null || told.has(silentIn(warning)))) {
      answers.set(question, [])
      doubtful.set(question, error)
      for (const warning of error.warnings) warnings.add(warning)
    } else failures.push({ question, error })
  }
  return { answers, doubtful, failures, warnings: [...warnings], seriesRead }
}

/** The store that a warning is about; the causes it gives differ from one question to the next. */
function silentIn(warning: string): string {
  return storeAddress(warning) ?? warning
}

/** The labels of the answer that was recorded: one object for each set, so that what it says is remembered with it. */
const asRaw = remembered((recorded: SampleSeries['labels']): SampleSeries['labels'] =>
  // Deleted from a copy they would leave an object that is slow to read.
  Object.fromEntries(Object.entries(recorded).filter(([label]) => !RECORDING_LABELS.includes(label))),
)

/**
 * Whether anything is told of the first step and of the last one. Rules that were written anew record under another name
 * from then on, and what they replaced or who took them away left a stretch that ends.
 */
function tellsOfBothEnds(series: Listed<SeriesColumn>): boolean {
  let [first, last] = [false, false]
  for (const { values, histograms } of series) {
    const end = values.length - 1
    first ||= !Number.isNaN(values[0]) || Boolean(histograms?.[0])
    last ||= !Number.isNaN(values[end]) || Boolean(histograms?.[end])
    if (first && last) return true
  }
  return false
}

/** Rules that no longer record, or fail, leave nothing behind: then the raw series are asked. */
async function askRecordedFirst(
  { promql, recorded }: Question,
  fromSeconds: number,
  ask: (promql: string) => Promise<Answer>,
): Promise<Answer> {
  if (recorded === undefined || fromSeconds < recorded.sinceSeconds) return ask(promql)
  const answer = await ask(recorded.promql)
  if (!tellsOfBothEnds(answer.series)) return ask(promql)
  const series = mapListed(answer.series, ({ labels, apart, values, histograms }) => ({
    labels: asRaw(labels),
    apart,
    values,
    ...(histograms === undefined ? {} : { histograms }),
  }))
  return { ...answer, series }
}
