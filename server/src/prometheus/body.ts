import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { holdCallClock } from './call-clock.ts'
import { createGrowingBuffer, type GrowingBuffer } from './growing-buffer.ts'
import type { Turn } from './large-turn.ts'
import { asDamaged, toldBytes, unzip, unzipAsTold } from './unzip.ts'
import { UpstreamError } from './upstream-error.ts'
import { type SizeCap, tooManyBytes, withSizeCap } from './with-size-cap.ts'

export interface BodyLimits {
  /** After decompression, so that a small body cannot blow up. */
  readonly maxBytes: number
  readonly maxSeries?: number
  /** Of the answer; unset: a good one. */
  readonly status?: number
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

/** An answer this small is read beside others without asking for a turn. */
const SMALL_BYTES = 2 * 1_048_576
/** Packed bodies up to so many bytes are taken whole, and left to `unzip`, if they say to be no larger than this. */
const ZIPPED_BYTES = 1_048_576
const UNZIPPED_BYTES = 8 * 1_048_576

/** Fewer and larger pieces: each of them crosses from another thread. */
const UNZIPPED_PIECE_BYTES = 65_536

const NOTHING = Buffer.alloc(0)

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
  const { maxBytes, maxSeries = Number.POSITIVE_INFINITY, status = 200, encoding = '', length = '' } = limits
  const coding = codingOf(encoding)
  const isRefusal = status >= 300
  // One that is not read on is told to be broken off, with an error that would end the process if nobody heard it.
  body.on('error', () => undefined)
  try {
    if (coding === 'identity' && Number(length) > maxBytes) throw tooManyBytes(maxBytes)
    if (coding === 'identity') return await readPieces(body, limits, use, signal)
    if (coding === 'other') {
      if (isRefusal) return await use({ bytes: NOTHING })
      const answers = `it answers in the encoding ${encoding.slice(0, 40)}, which was not asked for`
      throw new UpstreamError('malformed', `${answers}; look at what is before it`)
    }
    const packed = await upTo(ZIPPED_BYTES, body)
    if (isRefusal) return await use({ bytes: await refusalIn(packed, limits, signal) })
    // Not even the end that says how long it was: nothing came, which is told better than damage.
    if (packed.rest === null && packed.bytes.length === 0) return await use({ bytes: NOTHING })
    if (packed.rest === null && toldBytes(packed.bytes) <= Math.min(UNZIPPED_BYTES, maxBytes))
      return await use({ bytes: packed.bytes, zipped: { maxBytes, maxSeries } })
    return await readPieces(gunzipOf(packed), limits, use, signal)
  } catch (error) {
    throw asDamaged(error)
  } finally {
    body.destroy()
  }
}

/** RFC 9110, 8.4.1: in any letter case, and `x-gzip` is the same as `gzip`. */
function codingOf(encoding: string): 'identity' | 'gzip' | 'other' {
  const name = encoding.trim().toLowerCase()
  if (name === '' || name === 'identity') return 'identity'
  return name === 'gzip' || name === 'x-gzip' ? 'gzip' : 'other'
}

/**
 * The body of a refusal unpacked, which is small; nothing where that fails. Its status says what matters: gateways name
 * a coding above pages that are not packed, or of no bytes at all.
 */
async function refusalIn(packed: Packed, limits: BodyLimits, signal?: AbortSignal): Promise<Buffer> {
  try {
    return await readPieces(gunzipOf(packed), limits, ({ bytes }) => Buffer.from(bytes), signal)
  } catch (error) {
    if (asDamaged(error) instanceof UpstreamError) return NOTHING
    throw error
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
        giveBack ??= await itsTurn(largeTurn, signal)
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

/** Waiting for our own turn is no time of the endpoint's. */
async function itsTurn(largeTurn: Turn | undefined, signal: AbortSignal | undefined) {
  if (largeTurn === undefined) return null
  const goOn = signal === undefined ? undefined : holdCallClock(signal)
  return largeTurn(signal).finally(goOn)
}

/** The first bytes of a body: all of them, or what has come when there are more, with what is left. */
interface Packed {
  readonly bytes: Buffer
  readonly rest: AsyncIterator<Buffer> | null
}

async function upTo(mostBytes: number, body: Readable): Promise<Packed> {
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

function gunzipOf({ bytes, rest }: Packed): Readable {
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
