/** One series with its samples, oldest first. `STALE` as a value ends the series, as a scrape that no longer finds it does. */
export interface TimeSeries {
  readonly labels: Readonly<Record<string, string>>
  readonly samples: readonly { readonly atMs: number; readonly value: number | typeof STALE }[]
  readonly histograms?: readonly { readonly atMs: number; readonly value: HistogramSample }[]
}

/** A native histogram: counters per bucket index, those of custom bounds from 0 on. */
export interface HistogramSample {
  readonly sum: number
  /** -53 with `customBounds`, else the exponential schema. */
  readonly schema: number
  readonly zero: { readonly threshold: number; readonly count: number }
  readonly buckets: ReadonlyMap<number, number>
  readonly customBounds?: readonly number[]
}

export const STALE = 'stale'

/** Prometheus' own NaN that means "ended"; a NaN of JavaScript's is a measured one. */
const STALE_BITS = 0x7ff0000000000002n
const SERIES_PER_REQUEST = 2_000
const LITERAL_BYTES = 1 << 16

/** Prometheus remote write 1.0. */
export async function remoteWrite(url: string, series: readonly TimeSeries[]): Promise<void> {
  for (let from = 0; from < series.length; from += SERIES_PER_REQUEST) {
    const request = Buffer.concat(
      series.slice(from, from + SERIES_PER_REQUEST).map((one) => field(1, encodeSeries(one))),
    )
    const response = await fetch(`${url}/api/v1/write`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-protobuf',
        'content-encoding': 'snappy',
        'x-prometheus-remote-write-version': '0.1.0',
      },
      body: new Uint8Array(snappyLiterals(request)),
    })
    if (!response.ok) throw new Error(`remote write: HTTP ${response.status} ${await response.text()}`)
  }
}

function encodeSeries({ labels, samples, histograms = [] }: TimeSeries): Buffer {
  const names = Object.keys(labels).sort()
  return Buffer.concat([
    ...names.map((name) =>
      field(1, Buffer.concat([field(1, Buffer.from(name)), field(2, Buffer.from(labels[name] ?? ''))])),
    ),
    ...samples.map(({ atMs, value }) => field(2, encodeSample(atMs, value))),
    ...histograms.map(({ atMs, value }) => field(4, encodeHistogram(atMs, value))),
  ])
}

function encodeSample(atMs: number, value: number | typeof STALE): Buffer {
  const double = Buffer.alloc(9)
  double[0] = (1 << 3) | 1
  if (value === STALE) double.writeBigUInt64LE(STALE_BITS, 1)
  else double.writeDoubleLE(value, 1)
  return Buffer.concat([double, Buffer.from([2 << 3]), varint(atMs)])
}

/** prompb.Histogram with float counts, each bucket in a span of its own. */
function encodeHistogram(atMs: number, { sum, schema, zero, buckets, customBounds = [] }: HistogramSample): Buffer {
  const indexes = [...buckets.keys()].sort((a, b) => a - b)
  const counts = indexes.map((index) => buckets.get(index) ?? 0)
  const spans = indexes.map((index, at) => {
    const offset = at === 0 ? index : index - (indexes[at - 1] ?? 0) - 1
    return field(11, Buffer.concat([Buffer.from([1 << 3]), varint(zigzag(offset)), Buffer.from([2 << 3, 1])]))
  })
  return Buffer.concat([
    double(
      2,
      counts.reduce((total, count) => total + count, zero.count),
    ),
    double(3, sum),
    Buffer.from([4 << 3]),
    varint(zigzag(schema)),
    double(5, zero.threshold),
    double(7, zero.count),
    ...spans,
    field(13, Buffer.concat(counts.map((count) => double(0, count).subarray(1)))),
    Buffer.from([15 << 3]),
    varint(atMs),
    ...(customBounds.length === 0
      ? []
      : [field(16, Buffer.concat(customBounds.map((bound) => double(0, bound).subarray(1))))]),
  ])
}

function double(number: number, value: number): Buffer {
  const bytes = Buffer.alloc(9)
  bytes[0] = (number << 3) | 1
  bytes.writeDoubleLE(value, 1)
  return bytes
}

function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value
}

/** A length-delimited field of protocol buffers. */
function field(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes])
}

/** Division, not shifts: timestamps in ms do not fit 32 bits. */
function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
  return Buffer.from([...bytes, rest])
}

/** Snappy's block format without compression: the length, then the bytes as literals. */
function snappyLiterals(bytes: Buffer): Buffer {
  const parts = [varint(bytes.length)]
  for (let at = 0; at < bytes.length; at += LITERAL_BYTES) {
    const chunk = bytes.subarray(at, at + LITERAL_BYTES)
    const header = Buffer.from([61 << 2, 0, 0])
    header.writeUInt16LE(chunk.length - 1, 1)
    parts.push(header, chunk)
  }
  return Buffer.concat(parts)
}
