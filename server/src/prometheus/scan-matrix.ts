import type { KnownLabels } from './known-labels.ts'
import type { ScannedSeries } from './scan-vector.ts'
import { SeriesScan } from './series-scan.ts'

/** Values lie one after the other, series by series. */
export interface ScannedMatrix extends ScannedSeries {
  /** How many values each series has. */
  readonly lengths: Uint32Array<ArrayBuffer>
  /** Unix seconds, one a value. */
  readonly atSeconds: Float64Array<ArrayBuffer>
}

const HEAD = Buffer.from('{"status":"success","data":{"resultType":"matrix","result":[')
const VALUES = Buffer.from('},"values":[')
const OPEN = Buffer.from('[')
const COMMA = Buffer.from(',')
const CLOSE = Buffer.from(']')
const CLOSED = Buffer.from(']}')

/**
 * Reads the series of a good range answer from its bytes (UTF-8). Null where it is not written as Prometheus does, has
 * native histograms, or is cut off. `known`: the labels of earlier answers.
 */
export function scanMatrix(body: Buffer, known: KnownLabels): ScannedMatrix | null {
  if (!body.subarray(0, HEAD.length).equals(HEAD)) return null
  const scan = new SeriesScan(body, HEAD.length, known)
  const setOf: number[] = []
  const apartOf: number[] = []
  const lengths: number[] = []
  const atSeconds: number[] = []
  const values: number[] = []
  for (let more: boolean | null = !scan.isEmpty(); more; more = scan.next()) {
    const series = scan.series()
    if (series === null || !scan.expect(VALUES)) return null
    const before = values.length
    for (let another: boolean | null = !scan.isEmpty(); another; another = scan.next()) {
      if (!scan.expect(OPEN)) return null
      const at = scan.seconds()
      if (at === null || !scan.expect(COMMA)) return null
      const value = scan.value()
      if (value === null || !scan.expect(CLOSE)) return null
      atSeconds.push(at)
      values.push(value)
    }
    if (!scan.expect(CLOSED)) return null
    setOf.push(series.set)
    apartOf.push(series.apart)
    lengths.push(values.length - before)
  }
  if (!scan.isEmpty()) return null
  return {
    setOf: Uint32Array.from(setOf),
    apartOf: Uint32Array.from(apartOf),
    lengths: Uint32Array.from(lengths),
    atSeconds: Float64Array.from(atSeconds),
    values: Float64Array.from(values),
    envelope: `${HEAD.toString()}${body.toString('utf8', scan.at)}`,
  }
}
