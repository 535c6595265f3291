/** One series with its samples, oldest first. `STALE` as a value ends the series, as a scrape that no longer finds it does. */
export interface TimeSeries {
  readonly labels: Readonly<Record<string, string>>
  readonly samples: readonly { readonly atMs: number; readonly value: number | typeof STALE }[]
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

function encodeSeries({ labels, samples }: TimeSeries): Buffer {
  const names = Object.keys(labels).sort()
  return Buffer.concat([
    ...names.map((name) =>
      field(1, Buffer.concat([field(1, Buffer.from(name)), field(2, Buffer.from(labels[name] ?? ''))])),
    ),
    ...samples.map(({ atMs, value }) => field(2, encodeSample(atMs, value))),
  ])
}

function encodeSample(atMs: number, value: number | typeof STALE): Buffer {
  const double = Buffer.alloc(9)
  double[0] = (1 << 3) | 1
  if (value === STALE) double.writeBigUInt64LE(STALE_BITS, 1)
  else double.writeDoubleLE(value, 1)
  return Buffer.concat([double, Buffer.from([2 << 3]), varint(atMs)])
}

/** A length-delimited field of protocol buffers. */
function field(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2]), varint(bytes.length), bytes])
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
