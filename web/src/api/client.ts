import { type Endpoint, withRows } from '@goldseam/server/contract'
import type { z } from 'zod'
import { parseInParts } from './parse-in-parts.ts'
import { notOurs, readProblem, unreachable } from './problem.ts'
import { noteAnswer } from './server-build.ts'

const PATIENCE_MS = 20_000
/** About a hundred workloads, of some 880 bytes in a table: what is larger is read where it holds up nobody. */
const LARGE_BYTES = 120_000

export interface Ask {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** Asks one endpoint of the contract and hands back what it promises, or throws an ApiProblem that says why not. */
export async function get<Query extends z.ZodType, Answer extends z.ZodType>(
  endpoint: Endpoint<Query, Answer>,
  { params = {}, query = {}, signal }: Ask = {},
): Promise<z.output<Answer>> {
  const { path, response } = endpoint
  return read(await ask(addressOf(path, params, query), signal), response, { path, signal })
}

/** Sends JSON and hands back what is promised, or throws an ApiProblem that says why not. */
export async function post<Answer extends z.ZodType>(
  path: string,
  body: object,
  promised: Answer,
): Promise<z.output<Answer>> {
  const headers = { 'content-type': 'application/json' }
  return read(await ask(path, undefined, { method: 'POST', headers, body: JSON.stringify(body) }), promised)
}

async function read<Answer extends z.ZodType>(
  response: Response,
  promised: Answer,
  asked?: { readonly path: string; readonly signal: AbortSignal | undefined },
): Promise<z.output<Answer>> {
  if (!response.ok) throw await readProblem(response)
  const type = response.headers.get('content-type') ?? ''
  if (!type.includes('application/json')) throw notOurs(response.status, `expected JSON, got ${type || 'nothing'}`)
  const bytes = await bytesOf(response)
  const parsed =
    (asked && bytes.byteLength > LARGE_BYTES ? await readElsewhere(asked.path, bytes, asked.signal) : null) ??
    (await parseInParts(promised, withRows(promised, bodyIn(bytes))))
  if (!parsed.success) {
    throw notOurs(response.status, 'The server speaks another version of this page: reload it.', parsed.error)
  }
  return parsed.data as z.output<Answer>
}

export function addressOf(
  path: string,
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>>,
): string {
  const filled = path.replace(/:([a-zA-Z]+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(query).toString()
  return search ? `${filled}?${search}` : filled
}

async function ask(address: string, signal: AbortSignal | undefined, sent: RequestInit = {}): Promise<Response> {
  const patience = AbortSignal.timeout(PATIENCE_MS)
  try {
    const response = await fetch(address, {
      ...sent,
      headers: { accept: 'application/json, application/problem+json', ...sent.headers },
      signal: signal ? AbortSignal.any([signal, patience]) : patience,
    })
    noteAnswer(response)
    return response
  } catch (error) {
    // A cancelled question is nobody's problem; Query drops it by itself.
    if (signal?.aborted) throw error
    throw unreachable(error)
  }
}

async function bytesOf(response: Response): Promise<ArrayBuffer> {
  try {
    return await response.arrayBuffer()
  } catch (error) {
    throw unreachable(error)
  }
}

function bodyIn(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch (error) {
    throw unreachable(error)
  }
}

/** Null where that cannot be: the page then reads it itself. */
async function readElsewhere(path: string, bytes: ArrayBuffer, signal: AbortSignal | undefined) {
  if (typeof Worker === 'undefined') return null
  try {
    const { parseElsewhere } = await import('./large-answer.ts')
    return await parseElsewhere(path, bytes, signal)
  } catch (error) {
    if (signal?.aborted) throw error
    return null
  }
}
