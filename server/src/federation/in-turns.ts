import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Turns } from '../domain/turns.ts'

/** So long the event loop may be held up by a piece of long work. */
const TURN_MS = 10

/**
 * The result of long work, in between of whose pieces whoever else is waiting has a turn: answers to viewers, answers of
 * clusters, probes. Rejects when `signal` aborts.
 */
export async function inTurns<T>(work: Turns<T>, signal?: AbortSignal): Promise<T> {
  let since = performance.now()
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    if (performance.now() - since < TURN_MS) continue
    await nextTurn()
    signal?.throwIfAborted()
    since = performance.now()
  }
}
