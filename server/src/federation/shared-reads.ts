import { abortable } from '../prometheus/abortable.ts'

interface Read<T> {
  readonly promise: Promise<T>
  readonly limit: AbortController
  waiting: number
}

/**
 * What several questions need at the same time is read once: those who ask while it is under way, or shortly after,
 * get the same. It is given up when the last one leaves; what failed is not kept.
 */
export class SharedReads<T> {
  readonly #keepMs: number
  readonly #reads = new Map<string, Read<T>>()

  constructor(keepMs: number) {
    this.#keepMs = keepMs
  }

  async read(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    const read = this.#reads.get(key) ?? this.#begin(key, work)
    read.waiting += 1
    try {
      return await abortable(read.promise, signal)
    } finally {
      read.waiting -= 1
      if (read.waiting === 0 && signal.aborted) this.#giveUp(key, read)
    }
  }

  /** Gives up everything; those who wait are told by a rejection of what they wait for. */
  close(): void {
    for (const [key, read] of this.#reads) this.#giveUp(key, read)
  }

  #begin(key: string, work: (signal: AbortSignal) => Promise<T>): Read<T> {
    const limit = new AbortController()
    const read = { promise: work(limit.signal), limit, waiting: 0 }
    this.#reads.set(key, read)
    const forget = () => this.#forget(key, read)
    const keep = () => setTimeout(forget, this.#keepMs).unref()
    read.promise.then(this.#keepMs === 0 ? forget : keep, forget)
    return read
  }

  #giveUp(key: string, read: Read<T>): void {
    this.#forget(key, read)
    read.limit.abort()
  }

  #forget(key: string, read: Read<T>): void {
    if (this.#reads.get(key) === read) this.#reads.delete(key)
  }
}
