import type { KnownLabels } from './known-labels.ts'
import type { ScannedSeries } from './scan-vector.ts'
import { SeriesScan } from './series-scan.ts'
import { type StepRange, stepAt, stepsIn } from './step-range.ts'

/** Values lie one after the other, series by series: one a step, NaN where there is none. */
export interface ScannedMatrix extends ScannedSeries {
  readonly steps: number
  /** The first and the last time of any value, unix seconds; empty where there is none. */
  readonly ends: readonly number[]
}

const HEAD = Buffer.from('{"status":"success","data":{"resultType":"matrix","result":[')
const VALUES = Buffer.from('},"values":[')
const OPEN = Buffer.from('[')
const COMMA = Buffer.from(',')
const CLOSE = Buffer.from(']')
const CLOSED = Buffer.from(']}')

/** Room for so many series at first: of a single workload there are few, over many steps. */
const FIRST_SERIES = 16

/**
 * Reads the series of a good range answer from its bytes (UTF-8). Null where it is not written as Prometheus does, has
 * native histograms, or is cut off. `known`: the labels of earlier answers.
 */
export function scanMatrix(body: Buffer, known: KnownLabels, range: StepRange): ScannedMatrix | null {
  if (!body.subarray(0, HEAD.length).equals(HEAD)) return null
  const steps = stepsIn(range)
  const scan = new SeriesScan(body, HEAD.length, known)
  const setOf: number[] = []
  const apartOf: number[] = []
  let values = emptySeries(FIRST_SERIES, steps)
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let more: boolean | null = !scan.isEmpty(); more; more = scan.next()) {
    const series = scan.series()
    if (series === null || !scan.expect(VALUES)) return null
    const from = setOf.length * steps
    if (from === values.length) {
      const larger = emptySeries(2 * setOf.length, steps)
      larger.set(values)
      values = larger
    }
    for (let another: boolean | null = !scan.isEmpty(); another; another = scan.next()) {
      if (!scan.expect(OPEN)) return null
      const at = scan.seconds()
      if (at === null || !scan.expect(COMMA)) return null
      const value = scan.value()
      if (value === null || !scan.expect(CLOSE)) return null
      if (at < first) first = at
      if (at > last) last = at
      const step = stepAt(range, at)
      if (step >= 0 && step < steps) values[from + step] = value
    }
    if (!scan.expect(CLOSED)) return null
    setOf.push(series.set)
    apartOf.push(series.apart)
  }
  if (!scan.isEmpty()) return null
  return {
    setOf: Uint32Array.from(setOf),
    apartOf: Uint32Array.from(apartOf),
    values: values.slice(0, setOf.length * steps),
    steps,
    ends: first > last ? [] : [first, last],
    envelope: `${HEAD.toString()}${body.toString('utf8', scan.at)}`,
  }
}

function emptySeries(count: number, steps: number): Float64Array<ArrayBuffer> {
  return new Float64Array(count * steps).fill(Number.NaN)
}
