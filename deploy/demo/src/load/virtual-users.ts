import type { Transport } from '../transport/transport.ts'
import type { LoadRecorder } from './counts.ts'

/** Closed-loop users: each thinks, asks, waits for the answer, and thinks again. */
export interface VirtualUsers {
  setUsers(users: number): void
  users(): number
  /** Resolves once nobody waits for an answer any more; users must have been set to 0. */
  drained(): Promise<void>
}

export function createVirtualUsers(options: {
  transport: Transport
  host: string
  path: string
  thinkSeconds: number
  entryPort: () => number
  recorder?: LoadRecorder
}): VirtualUsers {
  const { transport, host, path, thinkSeconds, recorder } = options
  const pool = transport.pool()
  const thinking = new Map<number, () => void>()
  let wanted = 0
  let waiting = 0
  let whenDrained: (() => void)[] = []

  function think(user: number, seconds: number): void {
    thinking.set(
      user,
      transport.after(seconds * 1000, () => ask(user)),
    )
  }

  function ask(user: number): void {
    thinking.delete(user)
    const startedAtMs = transport.nowMs()
    waiting++
    recorder?.started()
    const answered = (status: number) => {
      waiting--
      recorder?.ended(status, (transport.nowMs() - startedAtMs) / 1000)
      if (user < wanted) think(user, thinkSeconds * thinkFactor())
      else busy.delete(user)
      if (waiting === 0) for (const done of whenDrained.splice(0)) done()
    }
    transport.send({
      pool,
      port: options.entryPort(),
      path,
      headers: { host },
      onResponse: ({ status }) => answered(status),
      onFailure: () => answered(502),
    })
  }

  /** Users that exist: thinking or waiting. One that is to go and still waits may be wanted again before it has gone. */
  const busy = new Set<number>()

  return {
    setUsers(users) {
      wanted = users
      for (const [user, stopThinking] of thinking) {
        if (user < users) continue
        stopThinking()
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
