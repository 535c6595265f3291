import { gunzipSync } from 'node:zlib'
import { UpstreamError } from './upstream-error.ts'
import { type SizeCap, tooManyBytes, withinSeries } from './with-size-cap.ts'

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
export function unzip(zipped: Buffer, cap: SizeCap): Buffer {
  const asTold = unzipAsTold(zipped, cap)
  if (asTold !== null) return asTold
  const { maxBytes, maxSeries } = cap
  const most = Math.min(maxBytes, MOST_UNTOLD_BYTES)
  try {
    return withinSeries(gunzipSync(zipped, { maxOutputLength: most }), maxSeries)
  } catch (error) {
    if (!isTooLarge(error)) throw asDamaged(error)
    if (most === maxBytes) throw tooManyBytes(maxBytes)
    const sizes = `more than ${Math.round(most / 1_048_576)} MiB, though it says ${toldBytes(zipped)} bytes`
    throw new UpstreamError('tooLarge', `the compressed answer unpacks to ${sizes}; something on the way damages it`)
  }
}

/** The same for a body that is no larger than it says; null for any other, which may be large. */
export function unzipAsTold(zipped: Buffer, { maxBytes, maxSeries }: SizeCap): Buffer | null {
  const told = toldBytes(zipped)
  if (told === 0 || told > maxBytes) return null
  try {
    // In one piece of the right size.
    return withinSeries(
      gunzipSync(zipped, { chunkSize: Math.max(LEAST_CHUNK_BYTES, told), maxOutputLength: told }),
      maxSeries,
    )
  } catch (error) {
    if (isTooLarge(error)) return null
    throw asDamaged(error)
  }
}

/** Several bodies in a row may be so large together; more is a claim that nobody makes in good faith. */
const MOST_UNTOLD_BYTES = 32 * 1_048_576
/** Of zlib. */
const LEAST_CHUNK_BYTES = 64

/** A failure of unpacking in words; any other as it is. */
export function asDamaged(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code
  const damaged = typeof code === 'string' && code.startsWith('Z_')
  return damaged ? new UpstreamError('malformed', 'the compressed answer is damaged or cut off', error) : error
}

function isTooLarge(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'ERR_BUFFER_TOO_LARGE'
}
