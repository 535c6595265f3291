import { abortable } from './abortable.ts'
import type { AnswerReaders } from './answer-readers.ts'
import type { ReadingJob } from './answer-worker.ts'
import type { PrometheusApi, Told } from './api.ts'
import { type Body, readBody, sizeOf, smallOf, wholeOf } from './body.ts'
import { holdCallClock } from './call-clock.ts'
import { ClockBounds } from './clock-bounds.ts'
import { createConnections, type TlsMaterial } from './connections.ts'
import { HiddenSecrets } from './hidden-secrets.ts'
import { KnownLabels } from './known-labels.ts'
import { createTurn } from './large-turn.ts'
import type { ShownCertificate } from './peer-certificate.ts'
import { type AnswerHead, type AnswerOf, readAnswer } from './read-answer.ts'
import { readConfig } from './read-config.ts'
import { request } from './request.ts'
import { requestHeaders } from './request-headers.ts'
import { createRequestLog } from './request-log.ts'
import { header } from './response-headers.ts'
import { asUpstreamError, reworded, UpstreamError } from './upstream-error.ts'
import { isVictoriaMetrics, victoriaMetricsParams } from './victoria-metrics.ts'

export interface HttpEndpoint {
  /** http(s), no credentials, no trailing slash; a path is the API's prefix. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The value of the Authorization header; asked for each time, because tokens are rotated. */
  readonly authorization: () => Promise<string | null>
  /** Told what `authorization` gave, when the endpoint refused it. Unset: there will be no other. */
  readonly onUnauthorized?: (refused: string) => void
  /** Asked for each time, because certificates are renewed; unset: the well-known authorities, no certificate. */
  readonly tls?: () => Promise<TlsMaterial>
  /** URL of an HTTP proxy on the way. */
  readonly proxy?: string | null
  /** Told to Prometheus, so that it stops when nobody waits any more. */
  readonly timeoutSeconds: number
  /** What of the config says so, where it is not the limit for all. */
  readonly timeoutSetting?: string
  readonly maxResponseBytes: number
  readonly maxSeries: number
  /** Sent with every question besides what it needs: what a Thanos is to do, which others pass over. */
  readonly params?: readonly (readonly [string, string])[]
  /** Calls at once; unset: a few. */
  readonly concurrency?: number
  /** Threads for large answers; unset: all are read at once, where they arrive. */
  readonly readers?: AnswerReaders
  /** What else was opened for this endpoint. */
  readonly close?: () => Promise<void>
}

/**
 * Reading so much takes some milliseconds, of which label sets that are known already are none; what comes back from
 * another thread knows none of them.
 */
const LARGE_BYTES = 480 * 1_024
/** YAML is read at one to two megabytes a second. */
const LARGE_CONFIG_BYTES = 16 * 1_024

/** What answers with samples, as against names and pages about the server. */
const MEASURED = /^\/api\/v1\/query(_range)?$/

/** So many endpoints there have been: they are told apart by it. */
let origins = 0

type Wanted = ReadingJob['wanted']
type AnswersOf = AnswerOf & { readonly config: Told<number | null> }

/** What was refused is told to who tries again: `before` is that of the attempt before it. */
interface Attempt {
  refused: string | null
  readonly before?: { readonly refused: string; readonly error: unknown }
}

const NO_TLS: TlsMaterial = { ca: null, cert: null, key: null }

/** One Prometheus-compatible endpoint over HTTP. It has no time limit, order or memory of its own: see the decorators. */
export function createHttpApi(
  endpoint: HttpEndpoint,
  nowSeconds: () => number = () => Date.now() / 1_000,
): PrometheusApi & { close(): Promise<void> } {
  const { url, proxy = null, maxSeries, params = [] } = endpoint
  let certificate: ShownCertificate | null = null
  const notice = (shown: ShownCertificate) => {
    certificate = shown
  }
  const connections = createConnections({ tls: endpoint.tls ?? (async () => NO_TLS), proxy, notice })
  const hidden = new HiddenSecrets(endpoint.headers)
  const known = (error: unknown, signal: AbortSignal) => {
    // Where nothing was answered the words are our own.
    if (!(error instanceof UpstreamError))
      return asUpstreamError(error, { url, proxy, signal, tls: { certificate, nowSeconds: nowSeconds() } })
    const message = hidden.hide(error.message)
    return message === error.message ? error : reworded(error, message)
  }
  const largeTurn = createTurn()
  const knownLabels = new KnownLabels()
  origins += 1
  const origin = origins
  /** Whether the last good answer was one of a VictoriaMetrics. */
  let victoria = false
  let version: string | null = null
  let retention: string | null = null
  const clock = new ClockBounds()

  const ask = (path: string, form: URLSearchParams | null, signal: AbortSignal): Promise<Told<unknown>> =>
    send(path, form, signal, { kind: 'data' })

  /** What was refused for a token that is good no longer is asked once more, if there is another one. */
  async function send<K extends keyof AnswersOf>(
    path: string,
    form: URLSearchParams | null,
    signal: AbortSignal,
    wanted: Wanted & { kind: K },
  ): Promise<AnswersOf[K]> {
    const first: Attempt = { refused: null }
    try {
      return await sendOnce<K>(path, form, signal, wanted, first)
    } catch (error) {
      if (first.refused === null) throw error
      return sendOnce<K>(path, form, signal, wanted, { refused: null, before: { refused: first.refused, error } })
    }
  }

  async function sendOnce<K extends keyof AnswersOf>(
    path: string,
    form: URLSearchParams | null,
    signal: AbortSignal,
    wanted: Wanted & { kind: K },
    attempt: Attempt,
  ): Promise<AnswersOf[K]> {
    try {
      signal.throwIfAborted()
      const authorization = await abortable(endpoint.authorization(), signal)
      if (authorization === attempt.before?.refused) throw attempt.before?.error
      if (authorization !== null) hidden.learnAuthorization(authorization)
      const dispatcher = await connections.current()
      const sentAtSeconds = nowSeconds()
      const response = await request(`${url}${path}`, {
        dispatcher,
        method: form === null ? 'GET' : 'POST',
        signal,
        body: form === null ? null : form.toString(),
        headers: {
          ...requestHeaders(endpoint.headers),
          accept: 'application/json',
          'accept-encoding': 'gzip',
          ...(form === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
          ...(authorization === null ? {} : { authorization }),
        },
      })
      const { statusCode: status, headers } = response
      if (status === 401 && authorization !== null && endpoint.onUnauthorized !== undefined) {
        attempt.refused = authorization
        endpoint.onUnauthorized(authorization)
      }
      // A proxy that cannot reach it speaks for itself.
      if (status === 200) victoria = isVictoriaMetrics(headers)
      clock.note(header(headers.date), sentAtSeconds, nowSeconds())
      const encoding = header(headers['content-encoding'])
      const length = header(headers['content-length'])
      const limits = { status, encoding, length, maxBytes: endpoint.maxResponseBytes, maxSeries, largeTurn }
      const head: AnswerHead = {
        status,
        contentType: header(headers['content-type']),
        retryAfter: header(headers['retry-after']),
        date: header(headers.date),
        receivedAtSeconds: nowSeconds(),
      }
      const use = async (body: Body) => ({ bytes: sizeOf(body), ...shown(await read(head, body, wanted, signal)) })
      return (await readBody(response.body, limits, use, signal)) as AnswersOf[K]
    } catch (error) {
      throw known(error, signal)
    }
  }

  async function read(head: AnswerHead, body: Body, wanted: Wanted, signal: AbortSignal) {
    const { readers } = endpoint
    const { bytes, zipped } = body
    const mostBytes = wanted.kind === 'config' ? LARGE_CONFIG_BYTES : LARGE_BYTES
    const small = smallOf(body, mostBytes)
    if (readers === undefined || small !== null) {
      const whole = small ?? wholeOf(body)
      return wanted.kind === 'config' ? readConfig(head, whole) : readAnswer(head, whole, wanted, knownLabels)
    }
    // A copy, because the bytes go to the other thread for good.
    const job = { origin, head, body: new Uint8Array(bytes), wanted }
    const goOn = holdCallClock(signal)
    try {
      return await readers.read(zipped === undefined ? job : { ...job, zipped }, signal)
    } finally {
      goOn()
    }
  }

  /** What came along is told to whoever looks. */
  function shown<T extends AnswersOf[keyof AnswersOf]>(answer: T): T {
    if ('error' in answer) return { ...answer, error: hidden.hide(answer.error) }
    if (answer.warnings.length === 0) return answer
    return { ...answer, warnings: answer.warnings.map((text) => hidden.hide(text)) }
  }

  // Seconds as a number: Prometheus takes no fractions with a unit.
  const timeout = String(endpoint.timeoutSeconds)
  const formOf = (fields: readonly (readonly [string, string])[]) =>
    new URLSearchParams([...fields, ...params].map(([name, value]): [string, string] => [name, value]))
  const withParams = (fields: Readonly<Record<string, string>>) => formOf(Object.entries(fields))

  /**
   * Asks for what was measured. What kind of server it is the first answer tells, as its header comes before anything
   * is read: where the question was put for another kind, that answer may be of other times, and it is asked again.
   */
  async function measured<T>(form: URLSearchParams, put: (form: URLSearchParams) => Promise<T>): Promise<T> {
    const asked = victoria
    const answer = await put(asked ? victoriaMetricsParams(form) : form)
    return asked === victoria ? answer : put(victoria ? victoriaMetricsParams(form) : form)
  }

  return {
    async query(promql, atSeconds, signal) {
      const form = withParams({ query: promql, time: String(atSeconds), timeout, stats: 'true' })
      const wanted = { kind: 'vector', maxSeries, atSeconds } as const
      return measured(form, (put) => send('/api/v1/query', put, signal, wanted))
    },
    async queryRange(promql, range, signal) {
      const { fromSeconds, toSeconds, stepSeconds } = range
      const form = withParams({
        query: promql,
        start: String(fromSeconds),
        end: String(toSeconds),
        step: String(stepSeconds),
        timeout,
        stats: 'true',
      })
      const wanted = { kind: 'matrix', maxSeries, range } as const
      return measured(form, (put) => send('/api/v1/query_range', put, signal, wanted))
    },
    async labelValues(label, match, { fromSeconds, toSeconds }, signal) {
      // This one endpoint of Prometheus does not take POST.
      const query = withParams({ start: String(fromSeconds), end: String(toSeconds) })
      for (const selector of match) query.append('match[]', selector)
      const path = `/api/v1/label/${encodeURIComponent(label)}/values?${query}`
      return send(path, null, signal, { kind: 'texts', maxSeries })
    },
    async forward({ path, method, fields, timeoutSeconds }, signal) {
      const form = formOf(fields)
      form.set('timeout', String(Math.min(timeoutSeconds ?? endpoint.timeoutSeconds, endpoint.timeoutSeconds)))
      const put = (text: URLSearchParams) =>
        method === 'POST'
          ? send(path, text, signal, { kind: 'forward' })
          : send(`${path}?${text}`, null, signal, { kind: 'forward' })
      return MEASURED.test(path) ? measured(form, put) : put(form)
    },
    async scrapeIntervalSeconds(signal) {
      // One after the other: they have one place among the calls that the endpoint takes at once.
      const [config] = await Promise.allSettled([send('/api/v1/status/config', null, signal, { kind: 'config' })])
      const about = async (page: string, name: string) => {
        const told = await ask(`/api/v1/status/${page}`, null, signal).catch(() => null)
        return told === null ? null : textIn(told.data, name)
      }
      version = (await about('buildinfo', 'version')) ?? version
      retention = (await about('runtimeinfo', 'storageRetention')) ?? retention
      if (config.status === 'fulfilled') return config.value.data
      const error = asUpstreamError(config.reason, { url, proxy, signal })
      // Thanos and others have no such page: that is "not to be had", not a fault.
      if (error.kind === 'malformed' || error.kind === 'rejected' || error.kind === 'unauthorized') return null
      throw error
    },
    status: () => [
      {
        url,
        state: 'untried',
        reason: null,
        lastAnswerAtSeconds: null,
        querySecondsP95: null,
        querySecondsPerSecond: 0,
        querySecondsTotal: 0,
        version,
        retention,
        clockSkew: clock.skew,
        certificateEndsAtSeconds: certificate?.endsAtSeconds ?? null,
        breaker: { state: 'closed', nextTryAtSeconds: null },
        log: createRequestLog(),
      },
    ],
    close: async () => {
      endpoint.readers?.forget(origin)
      await Promise.all([connections.close(), endpoint.close?.()])
    },
  }
}

function textIn(data: unknown, name: string): string | null {
  if (typeof data !== 'object' || data === null) return null
  const text = (data as Readonly<Record<string, unknown>>)[name]
  // A self-built Prometheus may say "".
  return typeof text === 'string' && text !== '' ? text.slice(0, 100) : null
}
