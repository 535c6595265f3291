import { createTimerQueue } from './timer-queue.ts'
import type { Connection, HopHandler, HopRequest, Pool, Transport } from './transport.ts'

/** What one hop over loopback and through the event loop of an idle machine costs, there or back. */
const HOP_MS = 0.12
/** How late real timers are on average on an idle machine. */
const TIMER_LATENESS_MS = 0.45
const TYPICAL_REQUEST_BYTES = 160
const TYPICAL_ANSWER_BYTES = 140

export interface VirtualTransport extends Transport {
  /** Lets that much virtual time pass, which takes as long as the computing takes. */
  pass(ms: number, signal: AbortSignal): Promise<void>
}

/** The same requests on a clock of their own: minutes pass in a fraction of a second, and no machine is too busy for them. */
export function createVirtualTransport(): VirtualTransport {
  const timers = createTimerQueue()
  const handlers = new Map<number, HopHandler>()
  const connections = new WeakMap<Pool, { of(port: number): VirtualConnection }>()
  let nowMs = 0
  let nextPort = 1

  function send({ pool, port, path, headers, onResponse, onFailure }: HopRequest): () => void {
    let settled = false
    let abandoned = () => {}
    const connection = connections.get(pool)?.of(port)
    const settle = (then: () => void) => {
      if (settled) return
      settled = true
      then()
    }
    timers.add(nowMs + HOP_MS, () => {
      const handler = handlers.get(port)
      if (settled) return
      if (!handler || !connection) return settle(onFailure)
      connection.carry()
      handler(
        { path, headers, connection: connection.farEnd },
        {
          answer(status, body, contentType = 'text/plain') {
            timers.add(nowMs + HOP_MS, () =>
              settle(() => onResponse({ status, contentType, body, firstByteAtMs: nowMs })),
            )
          },
          onAbandoned(callback) {
            abandoned = callback
          },
        },
      )
    })
    return () => settle(abandoned)
  }

  return {
    nowMs: () => nowMs,
    after: (delayMs, run) => timers.add(nowMs + Math.max(0, delayMs) + TIMER_LATENESS_MS, run),
    async listen(handler) {
      const port = nextPort++
      handlers.set(port, handler)
      return {
        port,
        close: async () => {
          handlers.delete(port)
        },
      }
    },
    pool(onConnection = () => {}) {
      const pool: Pool = { isPool: true }
      const byPort = new Map<number, VirtualConnection>()
      connections.set(pool, {
        of(port) {
          let connection = byPort.get(port)
          if (!connection) {
            connection = createConnection()
            byPort.set(port, connection)
            onConnection(connection.nearEnd)
          }
          return connection
        },
      })
      return pool
    },
    send,
    async pass(ms, signal) {
      const untilMs = nowMs + ms
      for (let next = timers.takeUntil(untilMs); next; next = timers.takeUntil(untilMs)) {
        signal.throwIfAborted()
        nowMs = next.atMs
        next.run()
        // What a callback set off through promises has to happen before the clock moves on.
        await new Promise(setImmediate)
      }
      nowMs = untilMs
    },
  }
}

interface VirtualConnection {
  readonly nearEnd: Connection
  readonly farEnd: Connection
  carry(): void
}

/** One connection per pool and port is enough for calm traffic; it is never closed. */
function createConnection(): VirtualConnection {
  let requests = 0
  const end = (readBytes: number, writtenBytes: number): Connection => ({
    get bytesRead() {
      return requests * readBytes
    },
    get bytesWritten() {
      return requests * writtenBytes
    },
    once: () => undefined,
  })
  return {
    nearEnd: end(TYPICAL_ANSWER_BYTES, TYPICAL_REQUEST_BYTES),
    farEnd: end(TYPICAL_REQUEST_BYTES, TYPICAL_ANSWER_BYTES),
    carry() {
      requests++
    },
  }
}
