import { availableParallelism } from 'node:os'
import { parentPort, Worker } from 'node:worker_threads'
import { type HealthyDay, judgeHealthy } from './healthy.ts'
import { judgeIncident, type Outcome } from './judge-incident.ts'
import type { Kind } from './sim/draw-incident.ts'

export type Job =
  | { readonly what: 'incident'; readonly kind: Kind; readonly seed: number }
  | { readonly what: 'healthy'; readonly seed: number; readonly days: number; readonly day: number }

export type Result =
  | { readonly what: 'incident'; readonly outcome: Outcome | null }
  | { readonly what: 'healthy'; readonly outcome: HealthyDay }

/** Works jobs off, some at a time; `next` is asked whenever one is free and says undefined when there are no more. */
export async function workOff(
  threads: number,
  next: () => Job | undefined,
  done: (job: Job, result: Result) => void,
): Promise<void> {
  const count = Math.min(threads, availableParallelism())
  if (count <= 1) {
    for (let job = next(); job !== undefined; job = next()) done(job, run(job))
    return
  }
  await Promise.all(Array.from({ length: count }, () => workOne(next, done)))
}

async function workOne(next: () => Job | undefined, done: (job: Job, result: Result) => void): Promise<void> {
  const worker = new Worker(new URL(import.meta.url))
  try {
    for (let job = next(); job !== undefined; job = next()) {
      const current = job
      const result = await new Promise<Result>((resolve, reject) => {
        worker.once('error', reject)
        worker.once('message', (message: Result) => {
          worker.off('error', reject)
          resolve(message)
        })
        worker.postMessage(current)
      })
      done(current, result)
    }
  } finally {
    await worker.terminate()
  }
}

function run(job: Job): Result {
  if (job.what === 'incident') return { what: 'incident', outcome: judgeIncident(job.kind, job.seed) }
  return { what: 'healthy', outcome: judgeHealthy(job.seed, job.days, job.day) }
}

parentPort?.on('message', (job: Job) => {
  parentPort?.postMessage(run(job))
})
