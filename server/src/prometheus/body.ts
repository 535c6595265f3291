import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { createGrowingBuffer, type GrowingBuffer } from './growing-buffer.ts'
import type { Turn } from './large-turn.ts'
import { UpstreamError } from './upstream-error.ts'

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

/** An answer this small is read beside others without asking for a turn. */
const SMALL_BYTES = 2 * 1_048_576

/** Begins each series of an instant or range answer; within a label it would be written with backslashes. */
const SERIES_MARK = Buffer.from('"metric":{')

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
  use: (whole: Buffer) => T | Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const { maxBytes, maxSeries = Number.POSITIVE_INFINITY, encoding = '', length = '', largeTurn } = limits
  const source = encoding === 'gzip' ? body.pipe(createGunzip({ chunkSize: UNZIPPED_PIECE_BYTES })) : body
  // `pipe` hands on data, not failures.
  if (source !== body) body.on('error', (error) => source.destroy(error))
  const chunks: Buffer[] = []
  let large: GrowingBuffer | null = null
  let bytes = 0
  const series = markCounter(SERIES_MARK)
  let giveBack: (() => void) | null = null
  try {
    if (encoding === '' && Number(length) > maxBytes) throw tooManyBytes(maxBytes)
    for await (const chunk of source) {
      const piece = chunk as Buffer
      bytes += piece.length
      if (bytes > maxBytes) throw tooManyBytes(maxBytes)
      if (series(piece) > maxSeries) throw tooManySeries(maxSeries)
      if (bytes > SMALL_BYTES) {
        giveBack ??= (await largeTurn?.(signal)) ?? null
        large ??= movedTo(createGrowingBuffer(maxBytes), chunks)
        large.append(piece)
      } else chunks.push(piece)
    }
    return await use(large === null ? Buffer.concat(chunks) : large.whole())
  } catch (error) {
    if (isZlibError(error)) throw new UpstreamError('malformed', 'the compressed answer is damaged or cut off', error)
    throw error
  } finally {
    large?.free()
    giveBack?.()
    source.destroy()
    body.destroy()
  }
}

function movedTo(large: GrowingBuffer, chunks: Buffer[]): GrowingBuffer {
  for (const chunk of chunks) large.append(chunk)
  chunks.length = 0
  return large
}

export function tooManySeries(maxSeries: number): UpstreamError {
  return new UpstreamError(
    'tooLarge',
    `more than ${maxSeries} series in one answer; raise limits.maxSeries or use recording rules`,
  )
}

function tooManyBytes(maxBytes: number): UpstreamError {
  return new UpstreamError(
    'tooLarge',
    `the answer is larger than ${maxBytes} bytes; raise limits.maxResponseBytes or use recording rules`,
  )
}

/** Counts a mark over pieces that may cut it in two. */
function markCounter(mark: Buffer): (piece: Buffer) => number {
  let count = 0
  let tail = Buffer.alloc(0)
  return (piece) => {
    const seam = Buffer.concat([tail, piece.subarray(0, mark.length - 1)])
    if (seam.includes(mark)) count += 1
    for (let at = piece.indexOf(mark); at !== -1; at = piece.indexOf(mark, at + mark.length)) count += 1
    tail = Buffer.from(
      piece.length >= mark.length - 1 ? piece.subarray(1 - mark.length) : seam.subarray(1 - mark.length),
    )
    return count
  }
}

function isZlibError(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code
  return typeof code === 'string' && code.startsWith('Z_')
}
