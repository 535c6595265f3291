import { Agent, request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { AskedQuery } from './query-log.ts'

/** One answer, read to its last byte as it came over the wire. */
export interface Got {
  readonly status: number
  readonly bytes: number
  readonly seconds: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** Kept alive, as many at once as are asked for. */
export function createAgent(): Agent {
  return new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: 2_000 })
}

export function get(agent: Agent, url: string, headers: Readonly<Record<string, string>> = {}): Promise<Got> {
  return send(agent, url, 'GET', { 'accept-encoding': 'gzip', ...headers }, null)
}

/** The same, without its body: what a client keeps it has to clear away, and who waits for that does not wait for the server. */
export function pass(agent: Agent, url: string, headers: Readonly<Record<string, string>> = {}): Promise<Got> {
  return send(agent, url, 'GET', { 'accept-encoding': 'gzip', ...headers }, null, false)
}

/** Thanos Query is given a quarter of an hour for a question. */
const SILENT_LIMIT_MS = 1_200_000

/** A query at `toSeconds`, or over the range. */
function ask(
  agent: Agent,
  prometheusUrl: string,
  { promql, fromSeconds, toSeconds, stepSeconds }: AskedQuery,
  more: Readonly<Record<string, string>> = {},
): Promise<Got> {
  const times: Record<string, string> =
    stepSeconds === 0
      ? { time: `${toSeconds}` }
      : { start: `${fromSeconds}`, end: `${toSeconds}`, step: `${stepSeconds}` }
  const body = new URLSearchParams({ query: promql, ...times, ...more }).toString()
  const path = stepSeconds === 0 ? 'query' : 'query_range'
  const headers = { 'accept-encoding': 'gzip', 'content-type': 'application/x-www-form-urlencoded' }
  return send(agent, `${prometheusUrl}/api/v1/${path}`, 'POST', headers, body)
}

function send(
  agent: Agent,
  url: string,
  method: string,
  headers: Record<string, string>,
  body: string | null,
  keeps = true,
): Promise<Got> {
  return new Promise<Got>((resolve, reject) => {
    const started = performance.now()
    const length: Record<string, string> = body === null ? {} : { 'content-length': `${Buffer.byteLength(body)}` }
    const options = { agent, method, headers: { ...headers, ...length }, timeout: SILENT_LIMIT_MS }
    const sent = request(url, options, (response) => {
      const pieces: Buffer[] = []
      let bytes = 0
      response.on('data', (piece: Buffer) => {
        bytes += piece.length
        if (keeps) pieces.push(piece)
      })
      response.on('error', reject)
      response.on('end', () => {
        const seconds = (performance.now() - started) / 1_000
        const { statusCode: status = 0, headers } = response
        resolve({ status, bytes, seconds, headers, body: Buffer.concat(pieces) })
      })
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // Closed by the server for being idle, as it was taken up again: nobody has read the request.
      if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(send(agent, url, method, headers, body, keeps))
      else reject(error)
    })
    sent.on('timeout', () => sent.destroy(new Error(`${url} says nothing for ${SILENT_LIMIT_MS / 60_000} minutes`)))
    sent.end(body)
  })
}

/** What a bare client got. */
export interface Answered {
  readonly seconds: number
  readonly bytes: number
  readonly queries: number
}

/** All queries of all servers at once, as a client that does nothing else: how long, and how many bytes. */
export async function askAll(
  agent: Agent,
  asked: readonly { url: string; queries: readonly AskedQuery[] }[],
  more: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const started = performance.now()
  const each = asked.flatMap(({ url, queries }) => queries.map((query) => ask(agent, url, query, more)))
  const answers = await Promise.all(each)
  const seconds = (performance.now() - started) / 1_000
  const refused = answers.find(({ status }) => status !== 200)
  if (refused !== undefined) throw new Error(`a query was answered with ${refused.status}: ${textOf(refused)}`)
  return { seconds, bytes: answers.reduce((sum, { bytes }) => sum + bytes, 0), queries: answers.length }
}

/** The body as it was before it was packed. */
export function textOf({ headers, body }: Got): string {
  return (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()
}

/** The same query at another instant. */
export function movedTo(query: AskedQuery, atSeconds: number): AskedQuery {
  const by = atSeconds - query.toSeconds
  return { ...query, fromSeconds: query.fromSeconds + by, toSeconds: atSeconds }
}
