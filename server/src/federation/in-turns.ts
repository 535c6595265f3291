import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Turns } from '../domain/turns.ts'
import { within } from './within.ts'

/** So long the event loop may be held up by a piece of long work. */
const TURN_MS = 10

/** So long what can wait does: there may always be work in turns. */
const MOST_SECONDS = 10

/** Long work that somebody waits for, of all servers of this process: they share its processor. */
let underWay = 0
let ended: (() => void)[] = []

/**
 * The result of long work that somebody waits for. In between of its pieces whoever else is waited for has a turn:
 * answers to viewers, answers of clusters, probes. Rejects when `signal` aborts.
 */
export async function inTurns<T>(work: Turns<T>, signal?: AbortSignal): Promise<T> {
  underWay += 1
  try {
    return await goOn(work, signal)
  } finally {
    underWay -= 1
    if (underWay === 0) {
      for (const tell of ended) tell()
      ended = []
    }
  }
}

async function goOn<T>(work: Turns<T>, signal: AbortSignal | undefined): Promise<T> {
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

/** Whether there is any. */
export function isUnderWay(): boolean {
  return underWay > 0
}

let last: Promise<unknown> = Promise.resolve()

/**
 * The result of work that can wait and that cannot be done in pieces: once no work in turns is under way, one after the
 * other, each in a turn of its own. What is looked at in turns stays as it is meanwhile, unless that goes on for more
 * than `mostSeconds`.
 */
export function inBetween<T>(work: () => T, mostSeconds = MOST_SECONDS): Promise<T> {
  const done = last.then(async () => {
    await nextTurn()
    const until = performance.now() + 1_000 * mostSeconds
    // One follows the other at once where a picture is completed.
    for (let left = mostSeconds; underWay > 0 && left > 0; left = (until - performance.now()) / 1_000)
      await within(left, new Promise<void>((resolve) => ended.push(resolve)))
    return work()
  })
  last = done.catch(() => {})
  return done
}
