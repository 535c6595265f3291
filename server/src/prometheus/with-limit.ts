import type { PrometheusApi } from './api.ts'
import { around } from './around.ts'
import { UpstreamError } from './upstream-error.ts'

/** Lets at most `most` calls run at once; the others wait in line, and leave it when their signal aborts. */
export function withLimit(api: PrometheusApi, most: number): PrometheusApi {
  let running = 0
  const waiting = new Set<() => void>()

  function enter(signal: AbortSignal): Promise<void> {
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
  }

  /** Hands the place on to the one who waits longest; `running` stays as it is then. */
  function exit(): void {
    const [next] = waiting
    if (next === undefined) {
      running -= 1
      return
    }
    waiting.delete(next)
    next()
  }

  return around(api, async (call, signal) => {
    if (signal.aborted) throw new UpstreamError('aborted', 'nobody waits for the answer any more')
    await enter(signal)
    try {
      return await call(signal)
    } finally {
      exit()
    }
  })
}
