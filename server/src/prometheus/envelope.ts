import { labelsApart } from '../domain/apart.ts'
import { emptyColumn } from '../domain/columns.ts'
import type { ForwardedAnswer, Sample, SampleSeries, Told } from './api.ts'
import { evaluatedIn } from './eval-seconds.ts'
import { nativeColumn, readNative, settleSamples, settleSeries } from './native-answer.ts'
import { onTime } from './on-time.ts'
import { PlainSample } from './plain-sample.ts'
import { secondsToWait } from './retry-after.ts'
import { EachOnce } from './same-series.ts'
import { type StepRange, stepAt, stepsIn } from './step-range.ts'
import { QuestionFailed, UpstreamError } from './upstream-error.ts'
import { partialWarnings, wordedErrorType } from './victoria-metrics.ts'
import { tooManySeries } from './with-size-cap.ts'

type Json = Readonly<Record<string, unknown>>

/** What came over the wire, before anything is believed. */
export interface RawAnswer {
  readonly status: number
  readonly contentType: string
  /** The header as it came, empty when there was none. */
  readonly retryAfter: string
  /** The Date header, empty when there was none. */
  readonly date: string
  /** Unix seconds. */
  readonly receivedAtSeconds: number
  readonly text: string
}

/** What Prometheus tells as `infos` since 2.54; before that, and in Thanos, it is among the warnings. */
const INFO = /^PromQL info: /

/** The answer to somebody else's question, in the endpoint's own words. Throws `UpstreamError` where it has none. */
export function readForwarded(answer: RawAnswer): ForwardedAnswer {
  const body = envelopeOf(answer)
  const bytes = Buffer.byteLength(answer.text)
  if (body.status === 'success') {
    const { warnings, infos } = toldApart(body, INFO)
    return { state: 'answered', data: body.data, warnings, infos, bytes }
  }
  const { status } = answer
  const errorType = errorTypeOf(body)
  // 499: since 2.50 for a query that was cancelled there.
  const worded = ['bad_data', 'execution', 'timeout', 'canceled', 'not_found', 'not_acceptable'].includes(errorType)
  if (!worded || [401, 403, 429].includes(status)) throw refused(answer, body)
  return { state: 'refused', status, errorType, error: String(body.error ?? '') }
}

/**
 * How the engine marks its remarks on a query. 2.42 to 2.53 and Thanos put them among the warnings, where Thanos also
 * puts stores that did not answer: only the latter say that something is missing.
 */
const REMARK = /^PromQL (info|warning): /

/** `data` of a good answer, with what came along. Throws `UpstreamError`. */
export function readEnvelope(answer: RawAnswer): Told<unknown> {
  const body = envelopeOf(answer)
  if (body.status === 'error') throw refused(answer, body)
  const { warnings, infos } = toldApart(body, REMARK)
  const evalSeconds = evaluatedIn(body)
  return {
    data: body.data,
    warnings,
    ...(infos.length === 0 ? {} : { infos }),
    ...(evalSeconds === null ? {} : { evalSeconds }),
  }
}

/** What came along, with the warnings that are remarks among the infos. */
function toldApart({ warnings, infos, isPartial }: Json, remark: RegExp) {
  const told = [...texts(warnings), ...partialWarnings(isPartial)]
  const remarks = told.filter((text) => remark.test(text))
  return { warnings: told.filter((text) => !remark.test(text)), infos: [...remarks, ...texts(infos)] }
}

function envelopeOf(answer: RawAnswer): Json {
  const body = isJson(answer.contentType) ? parsed(answer) : null
  if (body === null || (body.status !== 'success' && body.status !== 'error')) throw notPrometheus(answer)
  return body
}

/** Samples of an instant answer. */
export function readVector(
  { data, warnings, ...told }: Told<unknown>,
  maxSeries: number,
  atSeconds: number,
): Told<readonly Sample[]> {
  const { resultType, result } = object(data, 'data')
  if (resultType !== 'vector') throw malformed(`an instant query answered with ${String(resultType)}`)
  const rows = limited(result, maxSeries)
  const samples: Sample[] = []
  let natives = 0
  const once = new EachOnce()
  for (const row of rows) {
    const { metric, value, histogram } = object(row, 'sample')
    once.check(labels(metric))
    if (value === undefined) {
      const native = readNative(histogram)
      onTime(native.atSeconds, { fromSeconds: atSeconds, toSeconds: atSeconds })
      natives += 1
      samples.push({
        ...labelsApart(labels(metric)),
        value: Number.NaN,
        values: [Number.NaN],
        histogram: native.histogram,
      })
      continue
    }
    const [at, number] = pair(value)
    onTime(at, { fromSeconds: atSeconds, toSeconds: atSeconds })
    const { labels: names, apart } = labelsApart(labels(metric))
    samples.push(new PlainSample(names, apart, number))
  }
  return { ...told, data: natives === 0 ? samples : settleSamples(samples), warnings }
}

/**
 * Holds series that were read from their bytes to what holds for any; `data` is that of the envelope, `times` are those
 * (unix seconds) that have to lie in the range.
 */
export function checkScanned(
  seriesCount: number,
  times: Iterable<number>,
  data: unknown,
  wanted: { readonly maxSeries: number; readonly fromSeconds: number; readonly toSeconds: number },
): void {
  object(data, 'data')
  if (seriesCount > wanted.maxSeries) throw tooManySeries(wanted.maxSeries)
  for (const at of times) onTime(at, wanted)
}

/** Series of a range answer. */
export function readMatrix(
  { data, warnings, ...told }: Told<unknown>,
  maxSeries: number,
  range: StepRange,
): Told<readonly SampleSeries[]> {
  const { resultType, result } = object(data, 'data')
  if (resultType !== 'matrix') throw malformed(`a range query answered with ${String(resultType)}`)
  const rows = limited(result, maxSeries)
  const steps = stepsIn(range)
  const series: SampleSeries[] = []
  let withNatives = false
  const once = new EachOnce()
  for (const row of rows) {
    const { metric, values, histograms } = object(row, 'series')
    once.check(labels(metric))
    const pairs = values === undefined && histograms !== undefined ? [] : list(values, 'values').map(pair)
    for (const [at] of [...pairs.slice(0, 1), ...pairs.slice(-1)]) onTime(at, range)
    const column = emptyColumn(steps)
    for (const [at, value] of pairs) column[stepAt(range, at)] = value
    const floats = { ...labelsApart(labels(metric)), values: column }
    if (histograms === undefined) {
      series.push(floats)
      continue
    }
    const natives = list(histograms, 'histograms').map(readNative)
    for (const { atSeconds } of [...natives.slice(0, 1), ...natives.slice(-1)]) onTime(atSeconds, range)
    withNatives = true
    series.push({ ...floats, histograms: nativeColumn(natives, range) })
  }
  return { ...told, data: withNatives ? settleSeries(series) : series, warnings }
}

export function readTexts({ data, ...told }: Told<unknown>, maxSeries: number): Told<readonly string[]> {
  return { ...told, data: texts(limited(data, maxSeries)) }
}

export function object(value: unknown, what: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw malformed(`its ${what} is not an object`)
  return value as Json
}

export function list(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed(`its ${what} is not a list`)
  return value
}

function limited(value: unknown, maxSeries: number): readonly unknown[] {
  const rows = list(value, 'result')
  if (rows.length > maxSeries) throw tooManySeries(maxSeries)
  return rows
}

function labels(metric: unknown): Readonly<Record<string, string>> {
  const given = object(metric, 'metric')
  for (const value of Object.values(given)) if (typeof value !== 'string') throw malformed('a label is not text')
  return given as Readonly<Record<string, string>>
}

/** `[unix seconds, "value"]`; values are text because JSON has no NaN and no infinity. */
function pair(value: unknown): readonly [number, number] {
  const [at, text] = list(value, 'value')
  if (typeof at !== 'number' || typeof text !== 'string') throw malformed('a value is not [time, "number"]')
  return [at, number(text)]
}

function number(text: string): number {
  switch (text) {
    case 'NaN':
      return Number.NaN
    case '+Inf':
    case 'Inf':
      return Number.POSITIVE_INFINITY
    case '-Inf':
      return Number.NEGATIVE_INFINITY
    default: {
      const value = Number(text)
      if (text.trim() === '' || Number.isNaN(value)) throw malformed('a value is not a number')
      return value
    }
  }
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : []
}

export function isJson(contentType: string): boolean {
  return /^application\/(.+\+)?json\b/i.test(contentType.trim())
}

function parsed(answer: RawAnswer): Json {
  let body: unknown
  try {
    body = JSON.parse(answer.text)
  } catch (cause) {
    // Of a refusal the status says more than what is wrong with its text.
    if (answer.status >= 300) throw notPrometheus(answer)
    const what = answer.text.trim() === '' ? 'empty' : 'not complete JSON'
    throw new UpstreamError('malformed', `the answer is ${what}; something on the way cut it off`, cause)
  }
  return object(body, 'body')
}

function malformed(what: string): UpstreamError {
  return new UpstreamError('malformed', `not an answer of a Prometheus API: ${what}`)
}

/** An error Prometheus itself reports. */
function refused(answer: RawAnswer, body: Json): UpstreamError {
  const { status } = answer
  const type = errorTypeOf(body)
  const words = String(body.error ?? '').slice(0, 300)
  if (type === 'timeout' || type === 'canceled')
    return new UpstreamError(
      'timeout',
      `Prometheus gave up: ${words}; raise limits.queryTimeout or use recording rules`,
    )
  if (status === 401 || status === 403)
    return new UpstreamError('unauthorized', `access refused (HTTP ${status}): ${words}`)
  if (status === 429) return tooMany(answer)
  if (status >= 500 && type !== 'execution') {
    const message = `Prometheus failed (HTTP ${status}): ${words}`
    if (type === 'internal') return new QuestionFailed(message, secondsToWait(answer))
    return new UpstreamError('unreachable', message, undefined, secondsToWait(answer))
  }
  return new UpstreamError('rejected', `Prometheus rejected the query (${type || `HTTP ${status}`}): ${words}`)
}

/** In Prometheus' words. */
function errorTypeOf({ errorType, error }: Json): string {
  const told = String(errorType ?? '')
  return wordedErrorType(told, String(error ?? '')) ?? told
}

/** Something else answered: a proxy, a login page, a server that still starts. */
function notPrometheus(answer: RawAnswer): UpstreamError {
  const { status, contentType } = answer
  if (status === 401 || status === 403)
    return new UpstreamError(
      'unauthorized',
      `access refused (HTTP ${status}); check bearerTokenFile, basicAuth or oauth2`,
    )
  if (status >= 300 && status < 400)
    return new UpstreamError(
      'malformed',
      `HTTP ${status}: redirects are not followed; put the final address into the config`,
    )
  if (status === 404)
    return new UpstreamError('malformed', 'HTTP 404: no Prometheus API here; check the path in the URL')
  if (status === 413) return new UpstreamError('rejected', 'HTTP 413: the query is too large for a proxy on the way')
  if (status === 429) return tooMany(answer)
  if (status >= 500) {
    const message = `HTTP ${status}: it is starting, overloaded, or a proxy before it cannot reach it`
    return new UpstreamError('unreachable', message, undefined, secondsToWait(answer))
  }
  const kind = contentType === '' ? 'no content type' : contentType.split(';', 1)[0]
  return new UpstreamError(
    'malformed',
    `HTTP ${status} with ${kind} instead of a Prometheus answer; is this a login page or another service?`,
  )
}

function tooMany(answer: RawAnswer): UpstreamError {
  const message = 'HTTP 429: too many queries for it or a proxy before it; raise refresh, or lower concurrency'
  return new UpstreamError('unreachable', message, undefined, secondsToWait(answer))
}
