import { ApiProblem, notOurs, unreachable } from './problem.ts'

/** Where the server answers as a Prometheus for all clusters at once. */
const PATH = '/prometheus/api/v1'
const PATIENCE_MS = 60_000

/** One series: a number per instant (unix seconds); an instant query has one. */
export interface PromSeries {
  readonly labels: Readonly<Record<string, string>>
  readonly at: readonly number[]
  readonly values: readonly number[]
}

/** A native histogram: its buckets that hold anything, ascending. Counts may be rates; the unit is the metric's own. */
export interface PromHistogram {
  readonly count: number
  readonly sum: number
  readonly buckets: readonly (readonly [low: number, high: number, count: number])[]
}

/** One series of native histograms: one per instant (unix seconds). */
export interface PromHistogramSeries {
  readonly labels: Readonly<Record<string, string>>
  readonly at: readonly number[]
  readonly histograms: readonly PromHistogram[]
}

export interface PromAnswer {
  readonly type: 'matrix' | 'vector' | 'scalar' | 'string'
  readonly series: readonly PromSeries[]
  readonly histograms: readonly PromHistogramSeries[]
  readonly warnings: readonly string[]
  readonly infos: readonly string[]
  /** From question to answer, seconds. */
  readonly tookSeconds: number
}

type Params = Readonly<Record<string, string | readonly string[]>>

/** One question to the read API. Rejects with an ApiProblem in Prometheus' words. */
export async function askPrometheus(path: string, params: Params, signal?: AbortSignal): Promise<unknown> {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    for (const text of typeof value === 'string' ? [value] : value) form.append(name, text)
  }
  const get = path.startsWith('/label/') || path === '/metadata'
  const patience = AbortSignal.timeout(PATIENCE_MS)
  let response: Response
  try {
    response = await fetch(get ? `${PATH}${path}?${form}` : `${PATH}${path}`, {
      ...(get ? {} : { method: 'POST', body: form }),
      headers: { accept: 'application/json' },
      signal: signal ? AbortSignal.any([signal, patience]) : patience,
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw unreachable(error)
  }
  const body = (await response.json().catch(() => null)) as Envelope | null
  if (body?.status === 'success') return body
  if (typeof body?.error !== 'string') throw notOurs(response.status, `HTTP ${response.status}`)
  throw new WordedProblem({
    type: 'about:blank',
    title: body.errorType ?? 'error',
    status: response.status,
    detail: body.error,
  })
}

/** Whether a Prometheus, or Goldseam as one, said what is wrong; otherwise nobody, or something before it, answered. */
export function isWorded(error: Error | null): boolean {
  return error instanceof WordedProblem
}

class WordedProblem extends ApiProblem {}

interface Envelope {
  readonly status?: string
  readonly errorType?: string
  readonly error?: string
  readonly data?: { readonly resultType?: PromAnswer['type']; readonly result?: unknown }
  readonly warnings?: readonly string[]
  readonly infos?: readonly string[]
}

export interface AskedOf {
  /** Names, separated by commas. */
  readonly clusters: string
  /** One answer over all of them, where it can be made of each one's. */
  readonly join?: boolean
  /** The code of saved evidence: its answers, not the clusters'. Empty: none. */
  readonly saved?: string
}

/**
 * An instant query at unix seconds, or a range query.
 */
export async function queryPrometheus(
  promql: string,
  time: { readonly at: number } | { readonly from: number; readonly to: number; readonly step: number },
  { clusters, join = false, saved = '' }: AskedOf,
  signal?: AbortSignal,
): Promise<PromAnswer> {
  const started = performance.now()
  const times: Record<string, string> =
    'at' in time
      ? { time: String(time.at) }
      : { start: String(time.from), end: String(time.to), step: String(time.step) }
  const body = (await askPrometheus(
    'at' in time ? '/query' : '/query_range',
    { query: promql, c: clusters, ...times, ...(join ? { join: '1' } : {}), ...(saved === '' ? {} : { saved }) },
    signal,
  )) as Envelope
  const type = body.data?.resultType ?? 'vector'
  return {
    type,
    series: readRows(type, body.data?.result),
    histograms: readHistograms(body.data?.result),
    warnings: body.warnings ?? [],
    infos: body.infos ?? [],
    tookSeconds: (performance.now() - started) / 1000,
  }
}

interface Row {
  readonly metric?: Record<string, string>
  readonly value?: readonly [number, string]
  readonly values?: readonly (readonly [number, string])[]
  readonly histogram?: readonly [number, RawHistogram]
  readonly histograms?: readonly (readonly [number, RawHistogram])[]
}

interface RawHistogram {
  readonly count: string
  readonly sum: string
  /** The rule of the bounds first. */
  readonly buckets?: readonly (readonly [number, string, string, string])[]
}

/** A series can have numbers at some instants and histograms at others. */
function readRows(type: PromAnswer['type'], result: unknown): PromSeries[] {
  if (!Array.isArray(result)) return []
  if (type === 'scalar' || type === 'string') {
    const [at, text] = result as [number, string]
    return type === 'scalar'
      ? [{ labels: {}, at: [at], values: [number(text)] }]
      : [{ labels: { string: text }, at: [at], values: [Number.NaN] }]
  }
  return (result as Row[]).flatMap(({ metric = {}, value, values }) => {
    const samples = values ?? (value ? [value] : [])
    if (samples.length === 0) return []
    return { labels: metric, at: samples.map(([at]) => at), values: samples.map(([, text]) => number(text)) }
  })
}

function readHistograms(result: unknown): PromHistogramSeries[] {
  if (!Array.isArray(result)) return []
  return (result as Row[]).flatMap(({ metric = {}, histogram, histograms }) => {
    const samples = histograms ?? (histogram ? [histogram] : [])
    if (samples.length === 0) return []
    return { labels: metric, at: samples.map(([at]) => at), histograms: samples.map(([, raw]) => readHistogram(raw)) }
  })
}

function readHistogram({ count, sum, buckets = [] }: RawHistogram): PromHistogram {
  return {
    count: number(count),
    sum: number(sum),
    buckets: buckets.map(([, low, high, inside]) => [number(low), number(high), number(inside)]),
  }
}

function number(text: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY
  return text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text)
}
