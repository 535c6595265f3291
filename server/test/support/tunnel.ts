import type { Server } from 'node:http'
import { connect } from 'node:net'

interface TunnelOptions {
  /** Told how to close what it opened. */
  readonly later: (close: () => unknown) => void
  /** Told where each way is to lead, as `host:port`. */
  readonly asked?: (target: string) => void
}

/** Makes a server a proxy that opens a way to any port of this machine it is asked for. */
export function openTunnels(server: Pick<Server, 'on'>, { later, asked }: TunnelOptions): void {
  server.on('connect', ({ url = '' }, socket) => {
    asked?.(url)
    const through = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      through.pipe(socket)
      socket.pipe(through)
    })
    through.on('error', () => socket.destroy())
    socket.on('error', () => through.destroy())
    later(() => through.destroy())
  })
}
