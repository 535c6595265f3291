import type { Socket } from 'node:net'
import type { Labels } from '../labels.ts'
import type { Registry } from '../registry.ts'
import {
  TCP_CLOSE_TOTAL,
  TCP_OPEN_CONNECTIONS,
  TCP_OPEN_TOTAL,
  TCP_READ_BYTES_TOTAL,
  TCP_WRITE_BYTES_TOTAL,
} from './families.ts'

/** The `tcp_*` metrics of one label set, read off real sockets. */
export interface TcpMetrics {
  /** Counts the connection once, however many requests it carries. */
  track(socket: Socket): void
}

export function createTcpMetrics(registry: Registry, labels: Labels): TcpMetrics {
  const opened = registry.cell(TCP_OPEN_TOTAL, labels)
  const open = registry.cell(TCP_OPEN_CONNECTIONS, labels)
  const read = registry.cell(TCP_READ_BYTES_TOTAL, labels)
  const written = registry.cell(TCP_WRITE_BYTES_TOTAL, labels)
  const closed = registry.cell(TCP_CLOSE_TOTAL, [...labels, ['errno', '']])
  const seenBytes = new Map<Socket, { read: number; written: number }>()

  function collectBytes(socket: Socket): void {
    const seen = seenBytes.get(socket)
    if (!seen) return
    if (socket.bytesRead > seen.read) registry.add(read, socket.bytesRead - seen.read)
    if (socket.bytesWritten > seen.written) registry.add(written, socket.bytesWritten - seen.written)
    seen.read = socket.bytesRead
    seen.written = socket.bytesWritten
  }

  registry.beforePage(() => {
    for (const socket of seenBytes.keys()) collectBytes(socket)
    // Only a change is news: connections to a pod that has gone would keep their series for ever.
    if (open.values[0] !== seenBytes.size) registry.set(open, seenBytes.size)
  })

  return {
    track(socket) {
      if (seenBytes.has(socket)) return
      seenBytes.set(socket, { read: 0, written: 0 })
      registry.add(opened, 1)
      socket.once('close', () => {
        collectBytes(socket)
        seenBytes.delete(socket)
        registry.add(closed, 1)
      })
    },
  }
}
