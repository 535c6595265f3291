import type { AnswerPart } from './large-answer-parts.ts'

export type Outcome =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: Error }

/** Puts parts together again: called with each in turn, it tells the outcome with the last and null before. */
export function collector(): (part: AnswerPart) => Outcome | null {
  const read: Record<string, unknown> = {}
  return (part) => {
    switch (part.kind) {
      case 'rest':
        Object.assign(read, part.rest)
        return null
      case 'rows':
        ;(read[part.key] as unknown[]).push(...part.rows)
        return null
      case 'end':
        return { success: true, data: read }
      default:
        return { success: false, error: new Error(part.why) }
    }
  }
}

/** Sent to the worker, which sends back `{ id, part }` for each part. */
export interface LargeAnswer {
  readonly id: number
  readonly path: string
  readonly bytes: ArrayBuffer
}

interface Waiting {
  take(part: AnswerPart): void
  fail(error: Error): void
}

const waiting = new Map<number, Waiting>()
let reader: Worker | null = null
let asked = 0

/**
 * What `safeParse` of the endpoint's answer would give, read by a worker: megabytes would hold up whoever types or
 * scrolls. Rejects where no worker can be had; the bytes are still there then.
 */
export function parseElsewhere(path: string, bytes: ArrayBuffer, signal: AbortSignal | undefined): Promise<Outcome> {
  asked += 1
  const id = asked
  return new Promise<Outcome>((resolve, reject) => {
    const collect = collector()
    signal?.addEventListener('abort', () => reject(signal.reason))
    waiting.set(id, {
      fail: reject,
      take(part) {
        if (part.kind === 'failed') return reject(new Error(part.why))
        const outcome = collect(part)
        if (outcome !== null) resolve(outcome)
      },
    })
    workerOf().postMessage({ id, path, bytes } satisfies LargeAnswer)
  }).finally(() => waiting.delete(id))
}

/** Kept for the answers to come. */
function workerOf(): Worker {
  if (reader !== null) return reader
  const worker = new Worker(new URL('./large-answer-worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('message', ({ data: { id, part } }: MessageEvent<{ id: number; part: AnswerPart }>) =>
    waiting.get(id)?.take(part),
  )
  worker.addEventListener('error', ({ message }) => {
    reader = null
    worker.terminate()
    for (const { fail } of waiting.values()) fail(new Error(message || 'the worker did not start'))
  })
  reader = worker
  return worker
}
