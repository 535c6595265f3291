import { gunzipSync } from 'node:zlib'
import { UpstreamError } from './upstream-error.ts'

/** How large an answer may be once it is unpacked, so that a small body cannot blow up. */
export interface UnzippedLimits {
  readonly maxBytes: number
  readonly maxSeries: number
}

/** Begins each series of an instant or range answer; within a label it would be written with backslashes. */
const SERIES_MARK = Buffer.from('"metric":{')

/**
 * How many bytes a whole gzip body says it unpacks to (RFC 1952: the last four bytes, modulo 4 GiB). A claim: several
 * bodies in a row tell the size of the last one.
 */
export function toldBytes(zipped: Buffer): number {
  return zipped.length < 4 ? 0 : zipped.readUInt32LE(zipped.length - 4)
}

/**
 * Unpacks a whole body at once, which takes a fraction of what unpacking it piece by piece does. Throws
 * `UpstreamError`: `tooLarge` past a limit, `malformed` where the body is damaged.
 */
export function unzip(zipped: Buffer, limits: UnzippedLimits): Buffer {
  const asTold = unzipAsTold(zipped, limits)
  if (asTold !== null) return asTold
  const { maxBytes, maxSeries } = limits
  try {
    return counted(gunzipSync(zipped, { maxOutputLength: maxBytes }), maxSeries)
  } catch (error) {
    throw isTooLarge(error) ? tooManyBytes(maxBytes) : asDamaged(error)
  }
}

/** The same for a body that is no larger than it says; null for any other, which may be large. */
export function unzipAsTold(zipped: Buffer, { maxBytes, maxSeries }: UnzippedLimits): Buffer | null {
  const told = toldBytes(zipped)
  if (told === 0 || told > maxBytes) return null
  try {
    // In one piece of the right size.
    return counted(
      gunzipSync(zipped, { chunkSize: Math.max(LEAST_CHUNK_BYTES, told), maxOutputLength: told }),
      maxSeries,
    )
  } catch (error) {
    if (isTooLarge(error)) return null
    throw asDamaged(error)
  }
}

/** Of zlib. */
const LEAST_CHUNK_BYTES = 64

function counted(whole: Buffer, maxSeries: number): Buffer {
  if (new SeriesCounter().add(whole) > maxSeries) throw tooManySeries(maxSeries)
  return whole
}

/** Counts series over pieces of a body that may cut one in two. */
export class SeriesCounter {
  #count = 0
  #tail: Buffer = Buffer.alloc(0)

  /** How many there were so far, those of this piece among them. */
  add(piece: Buffer): number {
    const mark = SERIES_MARK
    const seam = Buffer.concat([this.#tail, piece.subarray(0, mark.length - 1)])
    if (seam.includes(mark)) this.#count += 1
    for (let at = piece.indexOf(mark); at !== -1; at = piece.indexOf(mark, at + mark.length)) this.#count += 1
    this.#tail = Buffer.from(
      piece.length >= mark.length - 1 ? piece.subarray(1 - mark.length) : seam.subarray(1 - mark.length),
    )
    return this.#count
  }
}

export function tooManySeries(maxSeries: number): UpstreamError {
  return new UpstreamError(
    'tooLarge',
    `more than ${maxSeries} series in one answer; raise limits.maxSeries or use recording rules`,
  )
}

export function tooManyBytes(maxBytes: number): UpstreamError {
  return new UpstreamError(
    'tooLarge',
    `the answer is larger than ${maxBytes} bytes; raise limits.maxResponseBytes or use recording rules`,
  )
}

/** A failure of unpacking in words; any other as it is. */
export function asDamaged(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code
  const damaged = typeof code === 'string' && code.startsWith('Z_')
  return damaged ? new UpstreamError('malformed', 'the compressed answer is damaged or cut off', error) : error
}

function isTooLarge(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'ERR_BUFFER_TOO_LARGE'
}
