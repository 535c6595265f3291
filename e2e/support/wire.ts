import { once } from 'node:events'
import { createServer, connect as dial, type Server, type Socket } from 'node:net'

/** The network between a screen and its server: a port that passes everything on, goes silent, or is gone. */
export class Wire {
  readonly #to: number
  readonly #sockets = new Set<Socket>()
  #server: Server | null = null
  #silent = false
  #port = 0

  constructor(to: number) {
    this.#to = to
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Everything passes. */
  async mend(): Promise<void> {
    this.#silent = false
    for (const socket of this.#sockets) socket.resume()
    if (this.#server !== null) return
    this.#server = createServer((near) => this.#pass(near)).listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    const address = this.#server.address()
    this.#port = typeof address === 'object' && address !== null ? address.port : 0
  }

  /** As with a pulled cable: connections stand, new ones are taken, and no byte passes. */
  silence(): void {
    this.#silent = true
    for (const socket of this.#sockets) socket.pause()
  }

  /** Connections break, new ones are refused. */
  async cut(): Promise<void> {
    const server = this.#server
    this.#server = null
    for (const socket of this.#sockets) socket.destroy()
    if (server === null) return
    server.close()
    await once(server, 'close')
  }

  #pass(near: Socket): void {
    const far = dial(this.#to, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from)
      from.on('data', (chunk) => void to.write(chunk))
      from.on('error', () => to.destroy())
      from.on('close', () => {
        this.#sockets.delete(from)
        to.destroy()
      })
      if (this.#silent) from.pause()
    }
  }
}
