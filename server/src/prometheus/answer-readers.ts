import { Worker } from 'node:worker_threads'
import type { Forgotten, PackedOutcome, ReadingJob, ReadingOutcome } from './answer-worker.ts'
import { follow } from './follow.ts'
import { HandedLabels, unpackForwarded, unpackMatrix, unpackVector } from './packed-answer.ts'
import type { AnswerOf } from './read-answer.ts'
import { UpstreamError } from './upstream-error.ts'

/** Reads large answers in threads of their own, so that whoever looks at a page does not wait for a cluster's text. */
export interface AnswerReaders {
  /** Takes the body away from the caller. Rejects with `UpstreamError`. */
  read(job: ReadingJob, signal: AbortSignal): Promise<Read>
  /** There will be no more answers of this origin. */
  forget(origin: number): void
  close(): Promise<void>
}

export interface AnswerReadersOptions {
  /** Threads; they are started when they are needed first. */
  readonly threads: number
  /** Of objects, per thread: past it the answer is given up, and the thread is started anew. */
  readonly maxMegabytes: number
}

/** An answer of the default's limit, 48 MiB, takes some 400. */
const DEFAULTS: AnswerReadersOptions = { threads: 1, maxMegabytes: 768 }
/** What an answer leaves behind is garbage at once: little room for it keeps it little. */
const YOUNG_MEGABYTES = 8

/** In line and in the thread: some twenty answers of the largest size. */
const READ_WITHIN_SECONDS = 60
const TOOK_TOO_LONG = new UpstreamError(
  'tooLarge',
  `to read the answer beside others took Goldseam more than ${READ_WITHIN_SECONDS} s; ask for less at once, or lower limits.maxResponseBytes`,
)

type Read = AnswerOf[keyof AnswerOf]
type Outcome = Exclude<ReadingOutcome, PackedOutcome> | { readonly read: Read }

interface Waiting {
  readonly job: ReadingJob
  settle(outcome: Outcome | { readonly error: UpstreamError }): void
}

export function createAnswerReaders(options: AnswerReadersOptions = DEFAULTS): AnswerReaders {
  const idle: Worker[] = []
  const all = new Set<Worker>()
  const line: Waiting[] = []
  const running = new Map<Worker, Waiting>()
  /** By thread and origin: the labels it has told. */
  const labels = new Map<Worker, Map<number, HandedLabels>>()
  let closed = false

  function start(): Worker {
    const { maxMegabytes } = options
    const worker = new Worker(workerFile(), {
      name: 'answer-reader',
      resourceLimits: { maxOldGenerationSizeMb: maxMegabytes, maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    })
    worker.unref()
    all.add(worker)
    const handed = new Map<number, HandedLabels>()
    labels.set(worker, handed)
    worker.on('message', (outcome: ReadingOutcome) => {
      // Whoever waited may have left: the next answer goes on from the labels of this one.
      const read = 'packed' in outcome ? { read: unpacked(outcome, handed) } : outcome
      running.get(worker)?.settle(read)
      running.delete(worker)
      idle.push(worker)
      next()
    })
    let cause: unknown = null
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => {
      all.delete(worker)
      labels.delete(worker)
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1)
      const lost = running.get(worker)
      running.delete(worker)
      lost?.settle({ error: lostBy(cause, maxMegabytes) })
      if (!closed) next()
    })
    return worker
  }

  /** One answer at a time for each thread, so that a thread that dies takes only one with it. */
  function next(): void {
    while (line.length > 0) {
      const worker = idle.pop() ?? (all.size < options.threads ? start() : undefined)
      const waiting = worker === undefined ? undefined : line.shift()
      if (worker === undefined || waiting === undefined) return
      running.set(worker, waiting)
      worker.postMessage(waiting.job, [waiting.job.body.buffer as ArrayBuffer])
    }
  }

  function outcomeOf(job: ReadingJob, signal: AbortSignal): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const left = () => {
        const at = line.indexOf(waiting)
        if (at !== -1) line.splice(at, 1)
        reject(signal.reason)
      }
      const waiting: Waiting = {
        job,
        settle(outcome) {
          signal.removeEventListener('abort', left)
          if ('error' in outcome) reject(outcome.error)
          else resolve(outcome)
        },
      }
      signal.addEventListener('abort', left, { once: true })
      // What a snapshot is made of goes before what somebody asked for by themselves, which may be as large as they like.
      const behind = job.wanted.kind === 'forward' ? -1 : line.findIndex((other) => other.job.wanted.kind === 'forward')
      line.splice(behind === -1 ? line.length : behind, 0, waiting)
      next()
    })
  }

  return {
    async read(job, signal) {
      signal.throwIfAborted()
      if (closed) throw new UpstreamError('aborted', 'nobody waits for the answer any more')
      const outcome = await inTime(outcomeOf, job, signal)
      if ('crash' in outcome) throw lostBy(new Error(outcome.crash), options.maxMegabytes)
      if ('kind' in outcome)
        throw new UpstreamError(outcome.kind, outcome.message, undefined, outcome.retryAfterSeconds)
      return outcome.read
    },
    forget(origin) {
      for (const [worker, handed] of labels) {
        handed.delete(origin)
        worker.postMessage({ forget: origin } satisfies Forgotten)
      }
    },
    async close() {
      closed = true
      await Promise.all([...all].map((worker) => worker.terminate()))
    },
  }
}

function unpacked({ packed, origin }: PackedOutcome, handed: Map<number, HandedLabels>): Read {
  if (packed.kind === 'forward') return unpackForwarded(packed.answer)
  if (packed.kind === 'told') return packed.answer
  const labels = handed.get(origin) ?? new HandedLabels()
  handed.set(origin, labels)
  const tables = labels.take(packed.tables)
  return packed.kind === 'vector' ? unpackVector(packed, tables) : unpackMatrix(packed, tables)
}

function lostBy(cause: unknown, maxMegabytes: number): UpstreamError {
  if ((cause as NodeJS.ErrnoException | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    const text = `reading the answer takes more than ${maxMegabytes} MB of memory`
    return new UpstreamError('tooLarge', `${text}; lower limits.maxResponseBytes or use recording rules`, cause)
  }
  const why = cause instanceof Error ? cause.message : 'it ended'
  return new UpstreamError('malformed', `the answer could not be read, its reader failed: ${why}`, cause)
}

/** The endpoint's own limit stands still meanwhile; who waits is bound by one of ours. */
async function inTime<T>(
  outcomeOf: (job: ReadingJob, signal: AbortSignal) => Promise<T>,
  job: ReadingJob,
  signal: AbortSignal,
): Promise<T> {
  const limit = new AbortController()
  const leave = follow(signal, limit)
  const timer = setTimeout(() => limit.abort(TOOK_TOO_LONG), READ_WITHIN_SECONDS * 1_000)
  try {
    return await outcomeOf(job, limit.signal)
  } finally {
    clearTimeout(timer)
    leave()
  }
}

/** Node 20 runs no TypeScript: from sources the built file is taken, which `npm test` makes before it begins. */
function workerFile(): URL {
  const built = import.meta.url.endsWith('.js')
  return new URL(built ? './answer-worker.js' : '../../dist/prometheus/answer-worker.js', import.meta.url)
}
