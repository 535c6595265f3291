import type { PrometheusApi } from './api.ts'
import { around } from './around.ts'
import { UpstreamError } from './upstream-error.ts'

/** Places at an endpoint. Several clusters behind one endpoint share a line. */
export interface Line {
  /** Resolves when a place is free; rejects when the signal aborts. */
  enter(signal: AbortSignal): Promise<void>
  exit(): void
}

export function createLine(most: number): Line {
  let running = 0
  const waiting = new Set<() => void>()
  return {
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
  }
}

/**
 * Lets as many calls run at once as the line has places; the others wait, and leave when their signal aborts. A call
 * that takes longer than `holdsSeconds` gives its place away and goes on: whoever hangs does not hold who shares it.
 */
export function withLimit(api: PrometheusApi, line: number | Line, holdsSeconds: number | null = null): PrometheusApi {
  const { enter, exit } = typeof line === 'number' ? createLine(line) : line
  return around(api, async (call, signal) => {
    if (signal.aborted) throw new UpstreamError('aborted', 'nobody waits for the answer any more')
    await enter(signal)
    let held = true
    const giveAway = () => {
      if (held) exit()
      held = false
    }
    const timer = holdsSeconds === null ? undefined : setTimeout(giveAway, holdsSeconds * 1_000)
    try {
      return await call(signal)
    } finally {
      clearTimeout(timer)
      giveAway()
    }
  })
}
