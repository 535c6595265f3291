import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Request, Response } from 'express'

const compress = promisify(gzip)

interface Serialised {
  readonly json: Buffer
  readonly etag: string
  /** Compressed when first asked for. */
  gzipped: Promise<Buffer> | null
}

/**
 * By identity: a use case that hands the same object to many viewers has it serialised and compressed once. Entries
 * go when the object goes.
 */
const serialised = new WeakMap<object, Serialised>()

/** Below this, compressing costs more than it saves. */
const COMPRESS_FROM_BYTES = 1_024

/** Sends JSON with a weak ETag; 304 when the client has it. Answers must be looked at again each time (`no-cache`). */
export async function sendJson(request: Request, response: Response, body: object): Promise<void> {
  const entry = serialise(body)
  response.set({ etag: entry.etag, 'cache-control': 'no-cache', vary: 'accept-encoding' })
  if (hasIt(request.get('if-none-match'), entry.etag)) {
    response.status(304).end()
    return
  }
  response.type('application/json')
  if (entry.json.length >= COMPRESS_FROM_BYTES && request.acceptsEncodings('gzip') === 'gzip') {
    entry.gzipped ??= compress(entry.json, { level: 6 })
    response.set('content-encoding', 'gzip').end(await entry.gzipped)
  } else {
    response.end(entry.json)
  }
}

/**
 * Not Express' `request.fresh`: browsers add `cache-control: no-cache` to a fetch that brings its own ETag, and that
 * would never get a 304.
 */
function hasIt(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag.slice(2))
}

function serialise(body: object): Serialised {
  const known = serialised.get(body)
  if (known !== undefined) return known
  const json = Buffer.from(JSON.stringify(body))
  const etag = `W/"${createHash('sha1').update(json).digest('base64url')}"`
  const made: Serialised = { json, etag, gzipped: null }
  serialised.set(body, made)
  return made
}
