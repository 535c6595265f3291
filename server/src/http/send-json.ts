import { createHash, type Hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Request, Response } from 'express'
import { KeptBodies } from './kept-bodies.ts'
import { Written } from './written.ts'

const gzipped = promisify(gzip)
const brotlied = promisify(brotliCompress)

/** In the order of preference. Both take a few milliseconds a megabyte, off the event loop; brotli's is a fifth smaller. */
const ENCODINGS: Readonly<Record<'br' | 'gzip', (json: Buffer) => Promise<Buffer>>> = {
  br: (json) =>
    brotlied(json, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: json.length },
    }),
  gzip: (json) => gzipped(json, { level: 5 }),
}
type Encoding = keyof typeof ENCODINGS

interface Serialised {
  readonly json: Buffer
  readonly etag: string
  /** Compressed when first asked for. */
  readonly encoded: Map<Encoding, Promise<Buffer>>
}

/** Of all written answers together: a fleet of 10,000 workloads takes some 10 MB, and viewers may filter as they like. */
const MOST_KEPT_BYTES = 64 * 1_024 * 1_024

/** By identity: a use case that hands the same object to many viewers has it serialised and compressed once. */
const serialised = new KeptBodies<Serialised | Promise<Serialised>>(MOST_KEPT_BYTES)

/** Below this, compressing costs more than it saves. */
const COMPRESS_FROM_BYTES = 1_024

/** Answers that are being written or compressed, of all servers of this process: they share its processor. */
let underWay = 0

/** Whether an answer is being written or compressed. */
export function isSendingJson(): boolean {
  return underWay > 0
}

/** Sends JSON with a weak ETag; 304 when the client has it. Answers must be looked at again each time (`no-cache`). */
export async function sendJson(request: Request, response: Response, body: object): Promise<void> {
  underWay += 1
  try {
    await send(request, response, body)
  } finally {
    underWay -= 1
  }
}

async function send(request: Request, response: Response, body: object): Promise<void> {
  const entry = await serialise(body)
  response.set({ etag: entry.etag, 'cache-control': 'no-cache', vary: 'accept-encoding' })
  if (hasIt(request.get('if-none-match'), entry.etag)) {
    response.status(304).end()
    return
  }
  response.type('application/json')
  const encoding = entry.json.length < COMPRESS_FROM_BYTES ? null : encodingFor(request)
  if (encoding === null) {
    response.end(entry.json)
    return
  }
  const encoded = entry.encoded.get(encoding) ?? compressed(body, entry, encoding)
  response.set('content-encoding', encoding).end(await encoded)
}

function compressed(body: object, { json, encoded }: Serialised, encoding: Encoding): Promise<Buffer> {
  const work = ENCODINGS[encoding](json)
  encoded.set(encoding, work)
  // Whoever waits for it is told of a failure.
  work.then(({ length }) => serialised.grown(body, length)).catch(() => undefined)
  return work
}

/** The first of ours that the client takes, not of the client's: it lists them in any order. */
function encodingFor(request: Request): Encoding | null {
  const ours: readonly Encoding[] = ['br', 'gzip']
  return ours.find((encoding) => request.acceptsEncodings(encoding) === encoding) ?? null
}

/**
 * Not Express' `request.fresh`: browsers add `cache-control: no-cache` to a fetch that brings its own ETag, and that
 * would never get a 304.
 */
function hasIt(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag.slice(2))
}

function serialise(body: object): Serialised | Promise<Serialised> {
  const known = serialised.get(body)
  if (known !== undefined) return known
  const written = body instanceof Written ? inSlices(body) : atOnce(body)
  serialised.set(body, written)
  if (written instanceof Promise)
    written.then(
      ({ json }) => serialised.grown(body, json.length),
      // What could not be written is tried again by the next who asks.
      () => serialised.delete(body),
    )
  else serialised.grown(body, written.json.length)
  return written
}

/** Others may have a turn after so long. */
const SLICE_MS = 5
/** Characters that are made bytes at a time. */
const PIECE = 65_536

async function inSlices(body: Written<object>): Promise<Serialised> {
  const bytes: Buffer[] = []
  const hash = createHash('sha1')
  const add = (text: string) => {
    const piece = Buffer.from(text)
    bytes.push(piece)
    // Of tens of megabytes at once it would hold the event loop up as well.
    hash.update(piece)
  }
  let text = ''
  let since = performance.now()
  for (const piece of body.json()) {
    text += piece
    if (text.length >= PIECE) {
      add(text)
      text = ''
    }
    // Much may have been done for a piece that says little, or nothing yet.
    if (performance.now() - since < SLICE_MS) continue
    await nextTurn()
    since = performance.now()
  }
  add(text)
  return made(Buffer.concat(bytes), hash)
}

function atOnce(body: object): Serialised {
  const json = Buffer.from(JSON.stringify(body))
  return made(json, createHash('sha1').update(json))
}

function made(json: Buffer, hash: Hash): Serialised {
  return { json, etag: `W/"${hash.digest('base64url')}"`, encoded: new Map() }
}
