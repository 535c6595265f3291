import { setMaxListeners } from 'node:events'
import type { PrometheusApi } from './api.ts'
import { around } from './around.ts'
import { UpstreamError } from './upstream-error.ts'

/** Places at an endpoint. Several clusters behind one endpoint share a line. */
export interface Line {
  /** Resolves when a place is free; rejects when the signal aborts. */
  enter(signal: AbortSignal): Promise<void>
  exit(): void
  /** Gives the place of a call that hangs to the next; false where too many hang already, and it keeps its place. */
  lend(): boolean
  /** The call whose place was lent has ended. */
  returned(): void
}

/** Calls that hang may be so many times the places: a server that many hang at must not be asked without an end. */
const LENT_PER_PLACE = 2

export function createLine(most: number): Line {
  let running = 0
  let lent = 0
  const waiting = new Set<() => void>()
  const line: Line = {
    enter(signal) {
      if (running < most) {
        running += 1
        return Promise.resolve()
      }
      return new Promise((resolve, reject) => {
        const leave = () => {
          waiting.delete(start)
          reject(new UpstreamError('aborted', 'nobody waits for the answer any more'))
        }
        const start = () => {
          signal.removeEventListener('abort', leave)
          resolve()
        }
        waiting.add(start)
        // The questions of one request share a signal, and any number of them may wait: no leak.
        setMaxListeners(0, signal)
        signal.addEventListener('abort', leave, { once: true })
      })
    },
    /** Hands the place on to the one who waits longest; `running` stays as it is then. */
    exit() {
      const [next] = waiting
      if (next === undefined) {
        running -= 1
        return
      }
      waiting.delete(next)
      next()
    },
    lend() {
      if (lent >= LENT_PER_PLACE * most) return false
      lent += 1
      line.exit()
      return true
    },
    returned() {
      lent -= 1
    },
  }
  return line
}

/**
 * Lets as many calls run at once as the line has places; the others wait, and leave when their signal aborts. A call
 * that takes longer than `holdsSeconds` lends its place and goes on: whoever hangs does not hold who shares it, as
 * long as not too many do.
 */
export function withLimit(api: PrometheusApi, line: number | Line, holdsSeconds: number | null = null): PrometheusApi {
  const { enter, exit, lend, returned } = typeof line === 'number' ? createLine(line) : line
  return around(api, async (call, signal) => {
    if (signal.aborted) throw new UpstreamError('aborted', 'nobody waits for the answer any more')
    await enter(signal)
    let held = true
    const tryToLend = () => {
      if (held) held = !lend()
    }
    const timer = holdsSeconds === null ? undefined : setInterval(tryToLend, holdsSeconds * 1_000)
    try {
      return await call(signal)
    } finally {
      clearInterval(timer)
      if (held) exit()
      else returned()
    }
  })
}
