import { createProtobufWriter } from './protobuf.ts'
import { snappyLiterals } from './snappy.ts'

export interface TimeSeries {
  /** Sorted by name, `__name__` included. */
  readonly labels: readonly (readonly [string, string])[]
  readonly timestampsMs: readonly number[]
  readonly values: ArrayLike<number>
}

/** Prometheus remote write 1.0: a WriteRequest, snappy block compressed. */
export function encodeWriteRequest(series: Iterable<TimeSeries>): Buffer {
  const request = createProtobufWriter()
  const one = createProtobufWriter()
  const part = createProtobufWriter()
  for (const { labels, timestampsMs, values } of series) {
    one.reset()
    for (const [name, value] of labels) {
      part.reset()
      part.tag(1, 2)
      part.text(name)
      part.tag(2, 2)
      part.text(value)
      one.tag(1, 2)
      one.bytes(part.written())
    }
    timestampsMs.forEach((timestampMs, i) => {
      part.reset()
      part.tag(1, 1)
      part.double(values[i] ?? 0)
      part.tag(2, 0)
      part.varint(timestampMs)
      one.tag(2, 2)
      one.bytes(part.written())
    })
    request.tag(1, 2)
    request.bytes(one.written())
  }
  return snappyLiterals(request.written())
}

export async function remoteWrite(baseUrl: string, series: Iterable<TimeSeries>, signal: AbortSignal): Promise<void> {
  const response = await fetch(`${baseUrl}/api/v1/write`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-protobuf',
      'content-encoding': 'snappy',
      'x-prometheus-remote-write-version': '0.1.0',
    },
    body: new Uint8Array(encodeWriteRequest(series)),
    signal,
  })
  if (!response.ok)
    throw new Error(`Prometheus refused the history: ${response.status} ${(await response.text()).trim()}`)
}
