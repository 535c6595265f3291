import type { KnownLabels } from './known-labels.ts'
import { SeriesScan } from './series-scan.ts'

/** Series as their bytes tell them. */
export interface ScannedSeries {
  /** One a series: the number of its set among the known ones. */
  readonly setOf: Uint32Array<ArrayBuffer>
  /** One a series: the number, among the known ones, of what tells it apart from others of its flow. */
  readonly apartOf: Uint32Array<ArrayBuffer>
  readonly values: Float64Array<ArrayBuffer>
  /** The answer with an empty result: everything else it says. */
  readonly envelope: string
}

export interface ScannedVector extends ScannedSeries {
  /** The times the samples are of, unix seconds; each of them once. */
  readonly times: ReadonlySet<number>
}

const HEAD = Buffer.from('{"status":"success","data":{"resultType":"vector","result":[')
const VALUE = Buffer.from('},"value":[')
const COMMA = Buffer.from(',')
const CLOSED = Buffer.from(']}')

/**
 * Reads the vector of a good answer from its bytes (UTF-8). Null where it is not written as Prometheus does, has
 * native histograms, or is cut off. `known`: the labels of earlier answers.
 */
export function scanVector(body: Buffer, known: KnownLabels): ScannedVector | null {
  if (!body.subarray(0, HEAD.length).equals(HEAD)) return null
  const scan = new SeriesScan(body, HEAD.length, known)
  const setOf: number[] = []
  const apartOf: number[] = []
  const values: number[] = []
  const times = new Set<number>()
  for (let more: boolean | null = !scan.isEmpty(); more; more = scan.next()) {
    const series = scan.series()
    if (series === null || !scan.expect(VALUE)) return null
    const at = scan.seconds()
    if (at === null || !scan.expect(COMMA)) return null
    const value = scan.value()
    if (value === null || !scan.expect(CLOSED)) return null
    setOf.push(series.set)
    apartOf.push(series.apart)
    values.push(value)
    if (!times.has(at)) times.add(at)
  }
  if (!scan.isEmpty()) return null
  return {
    setOf: Uint32Array.from(setOf),
    apartOf: Uint32Array.from(apartOf),
    values: Float64Array.from(values),
    times,
    envelope: `${HEAD.toString()}${body.toString('utf8', scan.at)}`,
  }
}
