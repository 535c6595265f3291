import type { Turns } from '../domain/turns.ts'
import { within } from './within.ts'

/** So long the event loop may be held up by a piece of long work, and by one that nobody waits for. */
const [TURN_MS, SHORT_TURN_MS] = [5, 2]

/** So long what can wait does: there may always be work in turns. */
const MOST_SECONDS = 10

/** Long work that somebody waits for, of all servers of this process: they share its processor. */
let underWay = 0
let ended: (() => void)[] = []

/** Who waits for a turn. One has it in each round of the event loop: many works hold that up no longer than one does. */
const line: (() => void)[] = []

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    line.push(resolve)
    if (line.length === 1) setImmediate(handOut)
  })
}

function handOut(): void {
  line.shift()?.()
  if (line.length > 0) setImmediate(handOut)
}

/**
 * The result of long work that somebody waits for. In between of its pieces whoever else is waited for has a turn:
 * answers to viewers, answers of clusters, probes, other work in turns. Rejects when `signal` aborts.
 */
export async function inTurns<T>(work: Turns<T>, signal?: AbortSignal): Promise<T> {
  underWay += 1
  try {
    return await goOn(work, TURN_MS, async () => {
      await nextTurn()
      signal?.throwIfAborted()
    })
  } finally {
    underWay -= 1
    if (underWay === 0) {
      for (const tell of ended) tell()
      ended = []
    }
  }
}

/** `pause` comes between two turns, each of so many milliseconds. */
async function goOn<T>(work: Turns<T>, turnMs: number, pause: () => Promise<void>): Promise<T> {
  // Where nobody waits for a turn there is nobody to hold up.
  if (line.length > 0) await pause()
  let since = performance.now()
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    if (performance.now() - since < turnMs) continue
    await pause()
    since = performance.now()
  }
}

/** Whether there is any. */
export function isUnderWay(): boolean {
  return underWay > 0
}

let last: Promise<unknown> = Promise.resolve()

/**
 * The result of work that can wait: once no work that somebody waits for is under way, in turns, and one after the
 * other. Between its pieces it waits again, but for no more than `mostSeconds` in all.
 */
export function inBetween<T>(work: () => Turns<T>, mostSeconds = MOST_SECONDS): Promise<T> {
  const done = last.then(async () => {
    let patience = mostSeconds
    const pause = async () => {
      await nextTurn()
      patience = await untilNoneUnderWay(patience)
    }
    await pause()
    return goOn(work(), SHORT_TURN_MS, pause)
  })
  last = done.catch(() => {})
  return done
}

/** Gives what is left of so many seconds. */
async function untilNoneUnderWay(mostSeconds: number): Promise<number> {
  const begun = performance.now()
  let left = mostSeconds
  // One follows the other at once where a picture is completed.
  while (underWay > 0 && left > 0) {
    await within(left, new Promise<void>((resolve) => ended.push(resolve)))
    left = mostSeconds - (performance.now() - begun) / 1_000
  }
  return left
}
