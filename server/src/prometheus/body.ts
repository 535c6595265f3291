import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { createGrowingBuffer, type GrowingBuffer } from './growing-buffer.ts'
import type { Turn } from './large-turn.ts'
import { asDamaged, toldBytes, unzip, unzipAsTold } from './unzip.ts'
import { UpstreamError } from './upstream-error.ts'
import { type SizeCap, tooManyBytes, withSizeCap } from './with-size-cap.ts'

export interface BodyLimits {
  /** After decompression, so that a small body cannot blow up. */
  readonly maxBytes: number
  readonly maxSeries?: number
  /** Value of Content-Encoding. */
  readonly encoding?: string
  /** Value of Content-Length. */
  readonly length?: string
  /** Waited for by answers that are not small, so that they are in memory one after the other. */
  readonly largeTurn?: Turn
}

/** An answer as it came. */
export interface Body {
  readonly bytes: Buffer
  /** Set where the bytes are still packed: what may come of them. */
  readonly zipped?: SizeCap
}

/** Values of Content-Encoding. */
const READABLE = ['', 'identity', 'gzip']

/** An answer this small is read beside others without asking for a turn. */
const SMALL_BYTES = 2 * 1_048_576
/** Packed bodies up to so many bytes are taken whole, and left to `unzip`, if they say to be no larger than this. */
const ZIPPED_BYTES = 1_048_576
const UNZIPPED_BYTES = 8 * 1_048_576

/** Fewer and larger pieces: each of them crosses from another thread. */
const UNZIPPED_PIECE_BYTES = 65_536

/**
 * Reads a body to its end, counting bytes and series while they arrive, and gives what `use` makes of it; the bytes are
 * good until then. Past a limit the connection is closed and the promise rejects with `tooLarge`: what is held in
 * memory stays below the limit.
 */
export async function readBody<T>(
  body: Readable,
  limits: BodyLimits,
  use: (body: Body) => T | Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const { maxBytes, maxSeries = Number.POSITIVE_INFINITY, encoding = '', length = '' } = limits
  // One that is not read on is told to be broken off, with an error that would end the process if nobody heard it.
  body.on('error', () => undefined)
  try {
    if (encoding === '' && Number(length) > maxBytes) throw tooManyBytes(maxBytes)
    if (!READABLE.includes(encoding)) {
      const answers = `it answers in the encoding ${encoding.slice(0, 40)}, which was not asked for`
      throw new UpstreamError('malformed', `${answers}; look at what is before it`)
    }
    if (encoding !== 'gzip') return await readPieces(body, limits, use, signal)
    const packed = await upTo(ZIPPED_BYTES, body)
    if (packed.rest === null && toldBytes(packed.bytes) <= Math.min(UNZIPPED_BYTES, maxBytes))
      return await use({ bytes: packed.bytes, zipped: { maxBytes, maxSeries } })
    return await readPieces(gunzipOf(packed), limits, use, signal)
  } catch (error) {
    throw asDamaged(error)
  } finally {
    body.destroy()
  }
}

async function readPieces<T>(
  source: Readable,
  { maxBytes, maxSeries = Number.POSITIVE_INFINITY, largeTurn }: BodyLimits,
  use: (body: Body) => T | Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const chunks: Buffer[] = []
  let large: GrowingBuffer | null = null
  let bytes = 0
  let giveBack: (() => void) | null = null
  try {
    for await (const piece of withSizeCap(source, { maxBytes, maxSeries })) {
      bytes += piece.length
      if (bytes > SMALL_BYTES) {
        giveBack ??= (await largeTurn?.(signal)) ?? null
        large ??= movedTo(createGrowingBuffer(maxBytes), chunks)
        large.append(piece)
      } else chunks.push(piece)
    }
    return await use({ bytes: large === null ? Buffer.concat(chunks) : large.whole() })
  } finally {
    large?.free()
    giveBack?.()
    source.destroy()
  }
}

/** The first bytes of a body: all of them, or what has come when there are more, with what is left. */
async function upTo(
  mostBytes: number,
  body: Readable,
): Promise<{ readonly bytes: Buffer; readonly rest: AsyncIterator<Buffer> | null }> {
  const pieces: AsyncIterator<Buffer> = body[Symbol.asyncIterator]()
  const chunks: Buffer[] = []
  let bytes = 0
  while (bytes <= mostBytes) {
    const next = await pieces.next()
    if (next.done === true) return { bytes: Buffer.concat(chunks), rest: null }
    chunks.push(next.value)
    bytes += next.value.length
  }
  return { bytes: Buffer.concat(chunks), rest: pieces }
}

function gunzipOf({ bytes, rest }: { readonly bytes: Buffer; readonly rest: AsyncIterator<Buffer> | null }): Readable {
  async function* all(): AsyncGenerator<Buffer> {
    yield bytes
    if (rest === null) return
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
  }
  const packed = Readable.from(all())
  const unpacked = packed.pipe(createGunzip({ chunkSize: UNZIPPED_PIECE_BYTES }))
  // `pipe` hands on data, not failures.
  packed.on('error', (error) => unpacked.destroy(error))
  unpacked.on('close', () => packed.destroy())
  return unpacked
}

function movedTo(large: GrowingBuffer, chunks: Buffer[]): GrowingBuffer {
  for (const chunk of chunks) large.append(chunk)
  chunks.length = 0
  return large
}

/** The body unpacked, if it is small enough to be read where it arrived. */
export function smallOf({ bytes, zipped }: Body, largeBytes: number): Buffer | null {
  if (zipped === undefined) return bytes.length < largeBytes ? bytes : null
  return toldBytes(bytes) < largeBytes ? unzipAsTold(bytes, zipped) : null
}

/** The body unpacked. */
export function wholeOf({ bytes, zipped }: Body): Buffer {
  return zipped === undefined ? bytes : unzip(bytes, zipped)
}

/** How many bytes it is unpacked; a packed one's own word. */
export function sizeOf({ bytes, zipped }: Body): number {
  return zipped === undefined ? bytes.length : toldBytes(bytes)
}
