import { parentPort } from 'node:worker_threads'
import { collectYoung } from './collect-young.ts'
import { KnownLabels } from './known-labels.ts'
import {
  type HandedOver,
  type PackedAnswer,
  packForwarded,
  packMatrix,
  packScanned,
  packVector,
  transferables,
} from './packed-answer.ts'
import { type AnswerHead, readAnswer, readScanned, type Wanted } from './read-answer.ts'
import { unzip } from './unzip.ts'
import { UpstreamError, type UpstreamErrorKind } from './upstream-error.ts'
import type { SizeCap } from './with-size-cap.ts'

export interface PackedOutcome {
  readonly packed: PackedAnswer
  /** That of the job. */
  readonly origin: number
}

/** One body to be read in a thread of its own. */
export interface ReadingJob {
  /** Whose answer it is: it shares labels with the others of the same number. */
  readonly origin: number
  readonly head: AnswerHead
  readonly body: Uint8Array
  /** Set where the body is packed. */
  readonly zipped?: SizeCap
  readonly wanted: Wanted | { readonly kind: 'config' }
}

export type ReadingOutcome =
  | PackedOutcome
  | { readonly kind: UpstreamErrorKind; readonly message: string; readonly retryAfterSeconds: number | null }
  /** Not the answer's fault. */
  | { readonly crash: string }

/** Nobody asks an endpoint any more: what is known of it can be forgotten. */
export interface Forgotten {
  readonly forget: number
}

/** By origin. The sets themselves are with who asked; here are the bytes they are told by. */
const origins = new Map<number, { readonly known: KnownLabels; readonly handedOver: HandedOver }>()

parentPort?.on('message', async (job: ReadingJob | Forgotten) => {
  if ('forget' in job) {
    origins.delete(job.forget)
    return
  }
  await answer(job)
  // An answer is unpacked to megabytes outside of the heap: several of them would lie there until the next collection.
  collectYoung()
})

async function answer({ origin, head, body, zipped, wanted }: ReadingJob): Promise<void> {
  try {
    const bytes = zipped === undefined ? body : unzip(Buffer.from(body.buffer), zipped)
    const packed = wanted.kind === 'config' ? await readPage(head, bytes) : read(origin, head, bytes, wanted)
    parentPort?.postMessage({ packed, origin } satisfies ReadingOutcome, transferables(packed))
  } catch (error) {
    parentPort?.postMessage(outcomeOf(error))
  }
}

async function readPage(head: AnswerHead, body: Uint8Array): Promise<PackedAnswer> {
  const { readConfig } = await import('./read-config.ts')
  return { kind: 'told', answer: readConfig(head, body) }
}

function read(origin: number, head: AnswerHead, body: Uint8Array, wanted: Wanted): PackedAnswer {
  const { known, handedOver } = origins.get(origin) ?? { known: new KnownLabels(), handedOver: { sets: 0, aparts: 0 } }
  origins.set(origin, { known, handedOver })
  try {
    const scanned = readScanned(head, body, wanted, known)
    if (scanned !== null) return packScanned(scanned, known, handedOver)
  } finally {
    if (known.answerRead()) origins.delete(origin)
  }
  switch (wanted.kind) {
    case 'vector':
      return packVector(readAnswer(head, body, wanted))
    case 'matrix':
      return packMatrix(readAnswer(head, body, wanted))
    case 'forward':
      return packForwarded(readAnswer(head, body, wanted))
    case 'texts':
    case 'data':
      return { kind: 'told', answer: readAnswer(head, body, wanted) }
    default:
      return wanted satisfies never
  }
}

function outcomeOf(error: unknown): ReadingOutcome {
  if (!(error instanceof UpstreamError)) return { crash: error instanceof Error ? error.message : String(error) }
  const { kind, message, retryAfterSeconds } = error
  return { kind, message, retryAfterSeconds }
}
