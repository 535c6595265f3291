import type { ServerResponse } from 'node:http'
import { createGzip } from 'node:zlib'
import { json } from '../support/fake-prometheus.ts'
import type { Fault, HttpFault } from './fault-proxy.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const MEGABYTE = 1_000_000

const answers = (how: HttpFault): Fault => ({ on: 'answers', how })

/** Always the same text. */
export function page(status: number, text: string | Buffer, headers: Record<string, string> = {}): Fault {
  return answers((_, response) => {
    response.writeHead(status, headers)
    response.end(text)
  })
}

/** An error as Prometheus reports it. */
export function prometheusError(status: number, errorType: string, error: string): Fault {
  return answers((_, response) => json(response, status, { status: 'error', errorType, error }))
}

/** A successful answer with this data, whatever was asked. */
export function data(value: unknown): Fault {
  return answers((_, response) => json(response, 200, { status: 'success', data: value }))
}

export const hangBeforeHeaders = answers(() => undefined)

export const hangMidBody = answers((_, response) => {
  response.writeHead(200, JSON_TYPE)
  response.write('{"status":"success","data":{')
})

export const slowDrip = answers((_, response) => {
  response.writeHead(200, JSON_TYPE)
  const timer = setInterval(() => response.write(' '), 50)
  response.on('close', () => clearInterval(timer))
})

export const reset = answers((incoming) => void incoming.socket.resetAndDestroy())

export const truncated = answers((_, response) => {
  response.writeHead(200, JSON_TYPE)
  response.end('{"status":"success","data":{"resultType":"vector","result":[{"metric":{"a"')
})

/** A Prometheus that answers, on a machine whose clock is off. */
export function clockOff(seconds: number): Fault {
  return answers((_, response, pass) => {
    response.setHeader('date', new Date(Date.now() + seconds * 1_000).toUTCString())
    const { writeHead } = response
    response.writeHead = (status: number) => writeHead.call(response, status, JSON_TYPE)
    pass()
  })
}

/** Samples that carry another time than was asked for, as a cache on the way may give them. */
export function samplesOff(seconds: number): Fault {
  const at = () => Date.now() / 1_000 + seconds
  return answers((incoming, response) => {
    const range = incoming.url?.includes('query_range') === true
    const one = range ? { metric: {}, values: [[at(), '1']] } : { metric: {}, value: [at(), '1'] }
    json(response, 200, {
      status: 'success',
      data: { resultType: range ? 'matrix' : 'vector', result: [one] },
    })
  })
}

const PADDING = Buffer.alloc(MEGABYTE, ' ')
const TINY = '{"metric":{},"value":[0,"1"]},'

export const hugeBody = answers((_, response) => {
  response.writeHead(200, JSON_TYPE)
  void pour(response, () => PADDING, 200)
})

export const millionSeries = answers((_, response) => {
  response.writeHead(200, JSON_TYPE)
  response.write('{"status":"success","data":{"resultType":"vector","result":[')
  const thousand = Buffer.from(TINY.repeat(1_000))
  void pour(response, () => thousand, 1_000)
})

/** 200 MB of spaces that are 200 kB on the wire. */
export async function gzipBomb(): Promise<Fault> {
  const packed: Buffer[] = []
  const gzip = createGzip()
  gzip.on('data', (chunk: Buffer) => packed.push(chunk))
  const done = new Promise((resolve) => gzip.on('end', resolve))
  for (let megabyte = 0; megabyte < 200; megabyte += 1) {
    if (!gzip.write(PADDING)) await new Promise((resolve) => gzip.once('drain', resolve))
  }
  gzip.end()
  await done
  return page(200, Buffer.concat(packed), { ...JSON_TYPE, 'content-encoding': 'gzip' })
}

async function pour(response: ServerResponse, piece: () => Buffer, times: number): Promise<void> {
  for (let time = 0; time < times && !response.destroyed; time += 1) {
    if (response.write(piece())) continue
    await new Promise<void>((resolve) => {
      const go = () => {
        response.off('drain', go).off('close', go)
        resolve()
      }
      response.once('drain', go).once('close', go)
    })
  }
  response.end()
}
