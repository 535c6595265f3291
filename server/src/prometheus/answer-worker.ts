import { parentPort } from 'node:worker_threads'
import { collectYoung } from './collect-young.ts'
import {
  type PackedAnswer,
  packForwarded,
  packMatrix,
  packScanned,
  packVector,
  transferables,
} from './packed-answer.ts'
import { type AnswerHead, readAnswer, readScanned, type Wanted } from './read-answer.ts'
import { type UnzippedLimits, unzip } from './unzip.ts'
import { UpstreamError, type UpstreamErrorKind } from './upstream-error.ts'

/** One body to be read in a thread of its own. */
export interface ReadingJob {
  readonly head: AnswerHead
  readonly body: Uint8Array
  /** Set where the body is packed. */
  readonly zipped?: UnzippedLimits
  readonly wanted: Exclude<Wanted, { kind: 'data' }>
}

export type ReadingOutcome =
  | { readonly packed: PackedAnswer }
  | { readonly kind: UpstreamErrorKind; readonly message: string; readonly retryAfterSeconds: number | null }
  /** Not the answer's fault. */
  | { readonly crash: string }

parentPort?.on('message', (job: ReadingJob) => {
  answer(job)
  // An answer is unpacked to megabytes outside of the heap: several of them would lie there until the next collection.
  collectYoung()
})

function answer({ head, body, zipped, wanted }: ReadingJob): void {
  try {
    const packed = read(head, zipped === undefined ? body : unzip(Buffer.from(body.buffer), zipped), wanted)
    parentPort?.postMessage({ packed } satisfies ReadingOutcome, transferables(packed))
  } catch (error) {
    parentPort?.postMessage(outcomeOf(error))
  }
}

function read(head: AnswerHead, body: Uint8Array, wanted: ReadingJob['wanted']): PackedAnswer {
  const scanned = readScanned(head, body, wanted)
  if (scanned !== null) return packScanned(scanned)
  switch (wanted.kind) {
    case 'vector':
      return packVector(readAnswer(head, body, wanted))
    case 'matrix':
      return packMatrix(readAnswer(head, body, wanted))
    case 'forward':
      return packForwarded(readAnswer(head, body, wanted))
    default:
      return wanted satisfies never
  }
}

function outcomeOf(error: unknown): ReadingOutcome {
  if (!(error instanceof UpstreamError)) return { crash: error instanceof Error ? error.message : String(error) }
  const { kind, message, retryAfterSeconds } = error
  return { kind, message, retryAfterSeconds }
}
