import { isUtf8 } from 'node:buffer'
import { NOTHING_APART } from '../domain/apart.ts'
import { type Listed, listed } from '../domain/listed.ts'
import type { ForwardedAnswer, Sample, SampleSeries, Told } from './api.ts'
import {
  checkScanned,
  isJson,
  type RawAnswer,
  readEnvelope,
  readForwarded,
  readMatrix,
  readTexts,
  readVector,
} from './envelope.ts'
import { KnownLabels, type LabelTables } from './known-labels.ts'
import { PlainSample } from './plain-sample.ts'
import { checkEachOnce } from './same-series.ts'
import { type ScannedMatrix, scanMatrix } from './scan-matrix.ts'
import { type ScannedSeries, type ScannedVector, scanVector } from './scan-vector.ts'
import type { StepRange } from './step-range.ts'
import { UpstreamError } from './upstream-error.ts'

/** What came over the wire but for the body. */
export type AnswerHead = Omit<RawAnswer, 'text'>

/** What a body is to be read as. */
export type Wanted =
  | { readonly kind: 'vector'; readonly maxSeries: number; readonly atSeconds: number }
  | {
      readonly kind: 'matrix'
      readonly maxSeries: number
      readonly range: StepRange
    }
  | { readonly kind: 'texts'; readonly maxSeries: number }
  | { readonly kind: 'forward' }
  | { readonly kind: 'data' }

/** What comes of it. */
export interface AnswerOf {
  readonly vector: Told<Listed<Sample>>
  readonly matrix: Told<Listed<SampleSeries>>
  readonly texts: Told<readonly string[]>
  readonly forward: ForwardedAnswer
  readonly data: Told<unknown>
}

/** Reads a whole body. `known`: labels of earlier answers, which this one shares. Throws `UpstreamError`. */
export function readAnswer<K extends Wanted['kind']>(
  head: AnswerHead,
  body: Uint8Array,
  wanted: Wanted & { kind: K },
  known?: KnownLabels,
): AnswerOf[K]
export function readAnswer(
  head: AnswerHead,
  body: Uint8Array,
  wanted: Wanted,
  known?: KnownLabels,
): AnswerOf[Wanted['kind']]
export function readAnswer(
  head: AnswerHead,
  body: Uint8Array,
  wanted: Wanted,
  known = new KnownLabels(),
): AnswerOf[Wanted['kind']] {
  try {
    const scanned = readScanned(head, body, wanted, known)
    if (scanned?.kind === 'vector') return { ...scanned.told, data: samplesOf(scanned.vector, known.tables) }
    if (scanned?.kind === 'matrix') return { ...scanned.told, data: seriesOf(scanned.matrix, known.tables) }
    return readText(head, body, wanted)
  } finally {
    known.answerRead()
  }
}

function readText(head: AnswerHead, body: Uint8Array, wanted: Wanted): AnswerOf[Wanted['kind']] {
  const answer = { ...head, text: textOf(head, body) }
  switch (wanted.kind) {
    case 'vector':
      return readVector(readEnvelope(answer), wanted.maxSeries, wanted.atSeconds)
    case 'matrix':
      return readMatrix(readEnvelope(answer), wanted.maxSeries, wanted.range)
    case 'texts':
      return readTexts(readEnvelope(answer), wanted.maxSeries)
    case 'forward':
      return readForwarded(answer)
    case 'data':
      return readEnvelope(answer)
    default:
      return wanted satisfies never
  }
}

/** Series straight from their bytes, with what came along. */
export type Scanned = { readonly told: Omit<Told<unknown>, 'data'> } & (
  | { readonly kind: 'vector'; readonly vector: ScannedVector }
  | { readonly kind: 'matrix'; readonly matrix: ScannedMatrix }
)

/**
 * A vector or matrix straight from its bytes, checked; null where something else is wanted, or where its text is
 * written in another way than Prometheus does. Its numbers are those of `known`, until `answerRead`. Throws
 * `UpstreamError`.
 */
export function readScanned(head: AnswerHead, body: Uint8Array, wanted: Wanted, known: KnownLabels): Scanned | null {
  if (wanted.kind !== 'vector' && wanted.kind !== 'matrix') return null
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  if (!isUtf8(bytes)) return null
  const { maxSeries } = wanted
  if (wanted.kind === 'vector') {
    const vector = scanVector(bytes, known)
    if (vector === null) return null
    const { data, ...told } = readEnvelope({ ...head, text: vector.envelope })
    const { atSeconds } = wanted
    checkScanned(vector.setOf.length, vector.times, data, { maxSeries, fromSeconds: atSeconds, toSeconds: atSeconds })
    checkEachOnce(vector, known)
    return { kind: 'vector', vector, told }
  }
  const matrix = scanMatrix(bytes, known, wanted.range)
  if (matrix === null) return null
  const { data, ...told } = readEnvelope({ ...head, text: matrix.envelope })
  checkScanned(matrix.setOf.length, matrix.ends, data, { maxSeries, ...wanted.range })
  checkEachOnce(matrix, known)
  return { kind: 'matrix', matrix, told }
}

/** Samples are made as they are gone through. */
export function samplesOf(vector: Omit<ScannedSeries, 'envelope'>, tables: LabelTables): Listed<Sample> {
  const { setOf, apartOf, values } = vector
  return listed(values.length, (index) => {
    const labels = tables.sets[setOf[index] as number] ?? {}
    const apart = tables.aparts[apartOf[index] as number] ?? NOTHING_APART
    return new PlainSample(labels, apart, values[index] as number)
  })
}

/** Series are made as they are gone through. */
export function seriesOf(matrix: Omit<ScannedMatrix, 'envelope' | 'ends'>, tables: LabelTables): Listed<SampleSeries> {
  const { setOf, apartOf, values, steps } = matrix
  const at = (index: number) => ({
    labels: tables.sets[setOf[index] as number] ?? {},
    apart: tables.aparts[apartOf[index] as number] ?? NOTHING_APART,
    values: values.subarray(index * steps, (index + 1) * steps),
  })
  return listed(setOf.length, at, () => forget(values.buffer))
}

/**
 * Takes its memory from a buffer: what takes it over instead dies young, and its memory goes with it. V8 hardly sees what
 * lies outside of its heap, and lets some 64 MB pile up of what was read and did not die young.
 */
function forget(buffer: ArrayBuffer): void {
  structuredClone(buffer, { transfer: [buffer] })
}

/**
 * The text of an answer. Throws `UpstreamError` where a good one is not UTF-8: names would be others than they are. What
 * refuses, or is no JSON, is judged by its status and its kind: pages of proxies come in other alphabets.
 */
export function textOf({ status, contentType }: Pick<AnswerHead, 'status' | 'contentType'>, body: Uint8Array): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  if (isUtf8(bytes)) return bytes.toString('utf8')
  if (status >= 300 || !isJson(contentType)) return bytes.toString('latin1')
  const message = 'the answer is not UTF-8; something on the way damages it, or it is no Prometheus'
  throw new UpstreamError('malformed', message)
}
