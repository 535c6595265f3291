import { setMaxListeners } from 'node:events'
import { whyLeft } from './abortable.ts'
import type { PrometheusApi } from './api.ts'
import { around } from './around.ts'

/** Places at an endpoint, or among all of them. Several clusters behind one endpoint share a line. */
export interface Line {
  /** Resolves when a place is free; rejects when the signal aborts. */
  enter(sharer: Sharer, signal: AbortSignal): Promise<void>
  /** Hands the place on to who has the fewest calls under way, and of those to who waits longest. */
  exit(): void
}

/** One of those who share a line. */
interface Sharer {
  /** Calls that entered and have not ended, with those that gave up their place. */
  underWay: number
}

export function createLine(most: number): Line {
  let running = 0
  const waiting = new Map<() => void, Sharer>()
  return {
    enter(sharer, signal) {
      if (running < most) {
        running += 1
        sharer.underWay += 1
        return Promise.resolve()
      }
      return new Promise((resolve, reject) => {
        const leave = () => {
          waiting.delete(start)
          reject(whyLeft(signal))
        }
        const start = () => {
          signal.removeEventListener('abort', leave)
          resolve()
        }
        waiting.set(start, sharer)
        // The questions of one request share a signal, and any number of them may wait: no leak.
        setMaxListeners(0, signal)
        signal.addEventListener('abort', leave, { once: true })
      })
    },
    exit() {
      const next = leastUnderWay(waiting)
      if (next === null) {
        running -= 1
        return
      }
      const [start, sharer] = next
      waiting.delete(start)
      sharer.underWay += 1
      start()
    },
  }
}

/** Who hangs comes after those who do not; else one that hangs takes all places first, with each of its calls. */
function leastUnderWay(waiting: ReadonlyMap<() => void, Sharer>): readonly [() => void, Sharer] | null {
  let least: readonly [() => void, Sharer] | null = null
  for (const one of waiting) if (least === null || one[1].underWay < least[1].underWay) least = one
  return least
}

/**
 * Lets as many calls run at once as the line has places; the others wait, and leave when their signal aborts.
 *
 * A call that takes longer than `holdsSeconds` gives up its place and goes on: whoever hangs does not hold who shares
 * the line. What hangs has an end all the same: each sharer has a line of its own before this one (`createPrometheus`),
 * so that there are never more calls than the places and what the own lines of those that hang let through; and as no
 * place is given up sooner than that, no more than `places * (1 + timeout / holdsSeconds)` however many hang.
 */
export function withLimit(api: PrometheusApi, line: number | Line, holdsSeconds: number | null = null): PrometheusApi {
  const { enter, exit } = typeof line === 'number' ? createLine(line) : line
  const sharer: Sharer = { underWay: 0 }
  return around(api, async (call, signal) => {
    if (signal.aborted) throw whyLeft(signal)
    await enter(sharer, signal)
    let held = true
    const giveUp = () => {
      if (held) exit()
      held = false
    }
    const timer = holdsSeconds === null ? undefined : setTimeout(giveUp, holdsSeconds * 1_000)
    try {
      return await call(signal)
    } finally {
      clearTimeout(timer)
      sharer.underWay -= 1
      giveUp()
    }
  })
}
