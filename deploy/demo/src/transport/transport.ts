/**
 * What the simulation needs of the world outside it: a clock, timers and HTTP. The demo runs on real sockets; its past is
 * rehearsed on a virtual clock, so that a busy machine cannot make it look slower than it was.
 */
export interface Transport {
  /** Milliseconds of a steady clock. */
  nowMs(): number
  /** Returns what cancels it. */
  after(delayMs: number, run: () => void): () => void
  listen(handler: HopHandler): Promise<Listener>
  /** Connections kept open between requests; the callback sees every new one. */
  pool(onConnection?: (connection: Connection) => void): Pool
  /** One request. Returns what cancels it by closing the connection; a cancelled one calls back no more. */
  send(request: HopRequest): () => void
}

export interface Listener {
  readonly port: number
  close(): Promise<void>
}

export interface Connection {
  readonly bytesRead: number
  readonly bytesWritten: number
  once(event: 'close', listener: () => void): unknown
}

/** Belongs to the transport that made it. */
export interface Pool {
  readonly isPool: true
}

export type Headers = Readonly<Record<string, string>>

export interface HopRequest {
  readonly pool: Pool
  readonly port: number
  readonly path: string
  readonly headers: Headers
  onResponse(response: { status: number; contentType: string; body: string; firstByteAtMs: number }): void
  onFailure(): void
}

export interface HopIncoming {
  readonly path: string
  /** Names in lower case. */
  readonly headers: Headers
  readonly connection: Connection
}

export interface HopReply {
  answer(status: number, body: string, contentType?: string): void
  /** Calls back when the other side closed the connection before it got its answer. */
  onAbandoned(abandoned: () => void): void
}

export type HopHandler = (request: HopIncoming, reply: HopReply) => void
