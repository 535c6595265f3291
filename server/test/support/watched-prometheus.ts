import { createServer, request } from 'node:http'
import { listening } from './fake-prometheus.ts'

export interface WatchedQuery {
  readonly path: string
  readonly fields: URLSearchParams
  readonly atMs: number
  /** Settles when whoever asked left before the answer was whole. */
  readonly left: Promise<void>
}

export interface Watched {
  readonly url: string
  readonly queries: readonly WatchedQuery[]
  /** Answers wait this long from now on; with `path` only those of such paths. */
  delay(milliseconds: number, path?: RegExp): void
  /** From now on it does not tell how long a query was evaluated, as some servers do not. */
  keepSilent(): void
  close(): Promise<void>
}

const lengthOf = (body: Buffer) => (body.length === 0 ? {} : { 'content-length': `${body.length}` })

/** A way to a real server that writes down what is asked, and can be slow. */
export async function watched(upstream: string): Promise<Watched> {
  const queries: WatchedQuery[] = []
  let delayMs = 0
  let delayed = /./
  let silent = false
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const given = Buffer.concat(chunks)
    const body = silent ? Buffer.from(given.toString().replace('&stats=true', '')) : given
    const url = new URL(incoming.url ?? '/', upstream)
    const left = new Promise<void>((resolve) => {
      outgoing.on('close', () => {
        if (!outgoing.writableFinished) resolve()
      })
    })
    const fields = new URLSearchParams([...url.searchParams, ...new URLSearchParams(body.toString())])
    queries.push({ path: url.pathname, fields, atMs: Date.now(), left })
    if (delayMs > 0 && delayed.test(url.pathname)) await new Promise((resolve) => setTimeout(resolve, delayMs))
    const onward = request(
      url,
      { method: incoming.method, headers: { ...incoming.headers, ...lengthOf(body) } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    onward.end(body)
  })
  const port = await listening(server)
  return {
    url: `http://127.0.0.1:${port}`,
    queries,
    delay(milliseconds, path = /./) {
      delayMs = milliseconds
      delayed = path
    },
    keepSilent() {
      silent = true
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
