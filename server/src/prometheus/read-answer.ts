import { isUtf8 } from 'node:buffer'
import type { ForwardedAnswer, Sample, SampleSeries, Told } from './api.ts'
import { type RawAnswer, readEnvelope, readForwarded, readMatrix, readVector } from './envelope.ts'
import { UpstreamError } from './upstream-error.ts'

/** What came over the wire but for the body. */
export type AnswerHead = Omit<RawAnswer, 'text'>

/** What a body is to be read as. */
export type Wanted =
  | { readonly kind: 'vector'; readonly maxSeries: number; readonly atSeconds: number }
  | {
      readonly kind: 'matrix'
      readonly maxSeries: number
      readonly range: { readonly fromSeconds: number; readonly toSeconds: number }
    }
  | { readonly kind: 'forward' }
  | { readonly kind: 'data' }

/** What comes of it. */
export interface AnswerOf {
  readonly vector: Told<readonly Sample[]>
  readonly matrix: Told<readonly SampleSeries[]>
  readonly forward: ForwardedAnswer
  readonly data: Told<unknown>
}

/** Reads a whole body. Throws `UpstreamError`. */
export function readAnswer<K extends Wanted['kind']>(
  head: AnswerHead,
  body: Uint8Array,
  wanted: Wanted & { kind: K },
): AnswerOf[K]
export function readAnswer(head: AnswerHead, body: Uint8Array, wanted: Wanted): AnswerOf[Wanted['kind']]
export function readAnswer(head: AnswerHead, body: Uint8Array, wanted: Wanted): AnswerOf[Wanted['kind']] {
  const answer = { ...head, text: textOf(body) }
  switch (wanted.kind) {
    case 'vector':
      return readVector(readEnvelope(answer), wanted.maxSeries, wanted.atSeconds)
    case 'matrix':
      return readMatrix(readEnvelope(answer), wanted.maxSeries, wanted.range)
    case 'forward':
      return readForwarded(answer)
    case 'data':
      return readEnvelope(answer)
    default:
      return wanted satisfies never
  }
}

export function textOf(body: Uint8Array): string {
  if (isUtf8(body)) return Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8')
  const message = 'the answer is not UTF-8; something on the way damages it, or it is no Prometheus'
  throw new UpstreamError('malformed', message)
}
