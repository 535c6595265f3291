import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Asked {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly headers: IncomingMessage['headers']
  /** Form fields and query parameters together. */
  readonly fields: URLSearchParams
  /** Settles when the client has gone before it got the whole answer. */
  readonly clientLeft: Promise<void>
}

export type Answering = (asked: Asked, response: ServerResponse) => void | Promise<void>

export interface FakePrometheus {
  readonly url: string
  readonly asked: readonly Asked[]
  /** Changes how it answers from now on. */
  answer(how: Answering): void
  close(): Promise<void>
}

/** A real HTTP server that answers as told: for faults. The main path is tested against a real Prometheus. */
export async function startFakePrometheus(how: Answering): Promise<FakePrometheus> {
  let answering = how
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://fake')
    const clientLeft = new Promise<void>((resolve) => {
      response.on('close', () => {
        if (!response.writableFinished) resolve()
      })
    })
    let body = ''
    for await (const chunk of request) body += chunk
    const fields = new URLSearchParams([...url.searchParams, ...new URLSearchParams(body)])
    const entry = { method: request.method ?? '', path: url.pathname, headers: request.headers, fields, clientLeft }
    asked.push(entry)
    await answering(entry, response)
  })
  const port = await listening(server)
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    answer(next) {
      answering = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

/** Answers with JSON, as Prometheus does. */
export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

/** A successful instant answer with one sample for each set of labels. */
export function vector(samples: readonly { labels?: Record<string, string>; value: string }[], extra: object = {}) {
  const result = samples.map(({ labels, value }) => ({ metric: labels ?? {}, value: [1_000, value] }))
  return { status: 'success', data: { resultType: 'vector', result }, ...extra }
}

/** So long nobody asks it once a snapshot's answer is out and what comes behind it is asked too. */
const AT_REST_MS = 2_000

/** Waits until it has not been asked anything for a while. */
export async function atRest({ asked }: Pick<FakePrometheus, 'asked'>): Promise<void> {
  for (let before = -1; before !== asked.length; ) {
    before = asked.length
    await new Promise((resolve) => setTimeout(resolve, AT_REST_MS))
  }
}
