import { createKeepAliveAgent, sendOnHop } from '../mesh/http-hop.ts'
import type { LoadRecorder } from './counts.ts'

/** Closed-loop users: each thinks, asks, waits for the answer, and thinks again. */
export interface VirtualUsers {
  setUsers(users: number): void
  users(): number
  /** Resolves once nobody waits for an answer any more; users must have been set to 0. */
  drained(): Promise<void>
}

export function createVirtualUsers(options: {
  host: string
  path: string
  thinkSeconds: number
  entryPort: () => number
  recorder?: LoadRecorder
}): VirtualUsers {
  const { host, path, thinkSeconds, recorder } = options
  const agent = createKeepAliveAgent()
  const thinking = new Map<number, NodeJS.Timeout>()
  let wanted = 0
  let waiting = 0
  let whenDrained: (() => void)[] = []

  function think(user: number, seconds: number): void {
    thinking.set(
      user,
      setTimeout(() => ask(user), seconds * 1000),
    )
  }

  function ask(user: number): void {
    thinking.delete(user)
    const startedAt = performance.now()
    waiting++
    recorder?.started()
    const answered = (status: number) => {
      waiting--
      recorder?.ended(status, (performance.now() - startedAt) / 1000)
      if (user < wanted) think(user, thinkSeconds * thinkFactor())
      else busy.delete(user)
      if (waiting === 0) for (const done of whenDrained.splice(0)) done()
    }
    sendOnHop({
      agent,
      port: options.entryPort(),
      method: 'GET',
      path,
      headers: { host },
      body: undefined,
      onResponse: ({ status }) => answered(status),
      onFailure: () => answered(502),
    })
  }

  /** Users that exist: thinking or waiting. One that is to go and still waits may be wanted again before it has gone. */
  const busy = new Set<number>()

  return {
    setUsers(users) {
      wanted = users
      for (const [user, timer] of thinking) {
        if (user < users) continue
        clearTimeout(timer)
        thinking.delete(user)
        busy.delete(user)
      }
      for (let user = 0; user < users; user++) {
        if (busy.has(user)) continue
        busy.add(user)
        think(user, thinkSeconds * thinkFactor())
      }
    },
    users: () => wanted,
    drained() {
      if (waiting === 0) return Promise.resolve()
      return new Promise((resolve) => {
        whenDrained = [...whenDrained, resolve]
      })
    },
  }
}

/** Exponential, so that the number of people waiting varies as among real users; cut off where one would have left. */
function thinkFactor(): number {
  return Math.min(4, -Math.log(1 - Math.random()))
}
