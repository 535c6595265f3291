import { Agent, request } from 'undici'
import type { PrometheusApi, Told } from './api.ts'
import { readBody } from './body.ts'
import { object, readEnvelope, readMatrix, readTexts, readVector } from './envelope.ts'
import { longestScrapeInterval } from './scrape-interval.ts'
import { asUpstreamError } from './upstream-error.ts'

export interface HttpEndpoint {
  /** http(s), no credentials, no trailing slash; a path is the API's prefix. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The value of the Authorization header; asked for each time, because tokens are rotated. */
  readonly authorization: () => Promise<string | null>
  /** PEM of the certificate authority to trust instead of the well-known ones. */
  readonly ca: string | null
  /** Told to Prometheus, so that it stops when nobody waits any more. */
  readonly timeoutSeconds: number
  readonly maxResponseBytes: number
  readonly maxSeries: number
  /** Calls at once; unset: a few. */
  readonly concurrency?: number
}

const CONNECT_TIMEOUT_MS = 5_000

/** One Prometheus-compatible endpoint over HTTP. It has no time limit, order or memory of its own: see the decorators. */
export function createHttpApi(endpoint: HttpEndpoint): PrometheusApi & { close(): Promise<void> } {
  const connect = { timeout: CONNECT_TIMEOUT_MS, ...(endpoint.ca === null ? {} : { ca: endpoint.ca }) }
  // Time limits are the decorators' business: two clocks for one thing would race.
  const agent = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 30_000 })
  let version: string | null = null

  async function ask(path: string, form: URLSearchParams | null, signal: AbortSignal): Promise<Told<unknown>> {
    try {
      signal.throwIfAborted()
      const authorization = await endpoint.authorization()
      const response = await request(`${endpoint.url}${path}`, {
        dispatcher: agent,
        method: form === null ? 'GET' : 'POST',
        signal,
        body: form === null ? null : form.toString(),
        headers: {
          ...endpoint.headers,
          accept: 'application/json',
          'accept-encoding': 'gzip',
          'user-agent': 'goldseam',
          ...(form === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
          ...(authorization === null ? {} : { authorization }),
        },
      })
      const text = await readBody(
        response.body,
        header(response.headers['content-encoding']),
        endpoint.maxResponseBytes,
      )
      return readEnvelope({
        status: response.statusCode,
        contentType: header(response.headers['content-type']),
        retryAfter: header(response.headers['retry-after']),
        text,
      })
    } catch (error) {
      throw asUpstreamError(error, endpoint.url, signal)
    }
  }

  const timeout = `${endpoint.timeoutSeconds}s`
  return {
    async query(promql, atSeconds, signal) {
      const form = new URLSearchParams({ query: promql, time: String(atSeconds), timeout })
      return readVector(await ask('/api/v1/query', form, signal), endpoint.maxSeries)
    },
    async queryRange(promql, { fromSeconds, toSeconds, stepSeconds }, signal) {
      const form = new URLSearchParams({
        query: promql,
        start: String(fromSeconds),
        end: String(toSeconds),
        step: String(stepSeconds),
        timeout,
      })
      return readMatrix(await ask('/api/v1/query_range', form, signal), endpoint.maxSeries)
    },
    async labelValues(label, match, { fromSeconds, toSeconds }, signal) {
      // This one endpoint of Prometheus does not take POST.
      const query = new URLSearchParams({ start: String(fromSeconds), end: String(toSeconds) })
      for (const selector of match) query.append('match[]', selector)
      const path = `/api/v1/label/${encodeURIComponent(label)}/values?${query}`
      return readTexts(await ask(path, null, signal), endpoint.maxSeries)
    },
    async scrapeIntervalSeconds(signal) {
      const [config, build] = await Promise.allSettled([
        ask('/api/v1/status/config', null, signal),
        ask('/api/v1/status/buildinfo', null, signal),
      ])
      if (build.status === 'fulfilled') version = versionOf(build.value.data) ?? version
      if (config.status === 'fulfilled') return intervalOf(config.value.data)
      const error = asUpstreamError(config.reason, endpoint.url, signal)
      // Thanos and others have no such page: that is "not to be had", not a fault.
      if (error.kind === 'malformed' || error.kind === 'rejected' || error.kind === 'unauthorized') return null
      throw error
    },
    status: () => [
      {
        url: endpoint.url,
        state: 'untried',
        reason: null,
        lastAnswerAtSeconds: null,
        querySecondsP95: null,
        version,
        breaker: { state: 'closed', nextTryAtSeconds: null },
      },
    ],
    close: () => agent.destroy(),
  }
}

function header(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

function versionOf(data: unknown): string | null {
  const { version } = object(data, 'data')
  // A self-built Prometheus may say "".
  return typeof version === 'string' && version !== '' ? version : null
}

function intervalOf(data: unknown): number | null {
  const { yaml } = object(data, 'data')
  return typeof yaml === 'string' ? longestScrapeInterval(yaml) : null
}
