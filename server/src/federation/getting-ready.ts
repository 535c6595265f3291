import { within } from './within.ts'

/** Whoever has to find something out before it can be asked. */
export interface Preparing {
  prepare(nowSeconds: number, signal: AbortSignal): Promise<void>
}

/** So long a snapshot waits for those who get ready. */
const WAIT_SECONDS = 2

/**
 * Gets clusters ready for a snapshot: what the rate window follows from has to be known first. Who takes longer than two
 * seconds holds the others up once; after that nobody waits for it until it gets ready in time again.
 */
export class GettingReady {
  readonly #late = new WeakSet<Preparing>()
  /** When those that have not got ready yet were first asked to; milliseconds of the process. */
  readonly #sinceMs = new WeakMap<Preparing, number>()

  /** Never rejects: what a cluster does not tell is a matter of reading it. */
  async wait(all: readonly Preparing[], nowSeconds: number, signal: AbortSignal): Promise<void> {
    const open = new Set<Preparing>()
    const awaited: Promise<void>[] = []
    for (const one of all) {
      const known = !this.#late.has(one)
      const ready = this.#prepare(one, nowSeconds, signal)
      if (!known) continue
      open.add(one)
      awaited.push(ready.finally(() => open.delete(one)))
    }
    await within(WAIT_SECONDS, Promise.all(awaited))
    for (const one of open) this.#late.add(one)
  }

  async #prepare(one: Preparing, nowSeconds: number, signal: AbortSignal): Promise<void> {
    const sinceMs = this.#sinceMs.get(one) ?? performance.now()
    this.#sinceMs.set(one, sinceMs)
    await one.prepare(nowSeconds, signal).catch(() => undefined)
    this.#sinceMs.delete(one)
    if (performance.now() - sinceMs < WAIT_SECONDS * 1_000) this.#late.delete(one)
  }
}
