import { UpstreamError } from './upstream-error.ts'

/** How large an answer may be, counted once it is unpacked, so that a small body cannot blow up. */
export interface SizeCap {
  readonly maxBytes: number
  readonly maxSeries: number
}

/** Begins each series of an instant or range answer; within a label it would be written with backslashes. */
const SERIES_MARK = Buffer.from('"metric":{')

/**
 * The pieces of a body, counted as they arrive: past a limit the one that would be too much is not handed on, and
 * `tooLarge` is thrown instead, so that what is held in memory stays below the limit.
 */
export async function* withSizeCap(
  pieces: AsyncIterable<Buffer>,
  { maxBytes, maxSeries }: SizeCap,
): AsyncGenerator<Buffer, void, undefined> {
  const series = new SeriesCounter()
  let bytes = 0
  for await (const piece of pieces) {
    bytes += piece.length
    if (bytes > maxBytes) throw tooManyBytes(maxBytes)
    if (series.add(piece) > maxSeries) throw tooManySeries(maxSeries)
    yield piece
  }
}

/** A body that is there in one piece. Throws `tooLarge`. */
export function withinSeries(whole: Buffer, maxSeries: number): Buffer {
  if (new SeriesCounter().add(whole) > maxSeries) throw tooManySeries(maxSeries)
  return whole
}

/** Counts series over pieces of a body that may cut one in two. */
class SeriesCounter {
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
