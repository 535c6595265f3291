import type { Transport } from '../transport/transport.ts'

/** A FIFO queue in front of some workers, each of which is busy for a given time per job. */
export interface WorkerQueue {
  /** Resolves when the job has been done. There is no way to withdraw one: that is what makes an overload last. */
  run(jobMs: number): Promise<void>
}

/**
 * Timers are late by up to a few ms, so a worker that waited for one before it took the next job would lose a tenth of its
 * capacity. Instead each job's end is computed from the end of the one before it; a late timer delays one answer, not the queue.
 */
export function createWorkerQueue(workers: number, clock: Pick<Transport, 'nowMs' | 'after'>): WorkerQueue {
  const freeAtMs = new Float64Array(workers)
  return {
    run(jobMs) {
      let next = 0
      for (let i = 1; i < workers; i++) if ((freeAtMs[i] ?? 0) < (freeAtMs[next] ?? 0)) next = i
      const endAtMs = Math.max(clock.nowMs(), freeAtMs[next] ?? 0) + jobMs
      freeAtMs[next] = endAtMs
      return new Promise((resolve) => {
        clock.after(endAtMs - clock.nowMs(), resolve)
      })
    },
  }
}
