import type { Connection } from '../../transport/transport.ts'
import type { Labels } from '../labels.ts'
import type { Registry } from '../registry.ts'
import {
  TCP_CLOSE_TOTAL,
  TCP_OPEN_CONNECTIONS,
  TCP_OPEN_TOTAL,
  TCP_READ_BYTES_TOTAL,
  TCP_WRITE_BYTES_TOTAL,
} from './families.ts'

/** The `tcp_*` metrics of one label set, read off connections. */
export interface TcpMetrics {
  /** Counts the connection once, however many requests it carries. */
  track(connection: Connection): void
}

export function createTcpMetrics(registry: Registry, labels: Labels): TcpMetrics {
  const opened = registry.cell(TCP_OPEN_TOTAL, labels)
  const open = registry.cell(TCP_OPEN_CONNECTIONS, labels)
  const read = registry.cell(TCP_READ_BYTES_TOTAL, labels)
  const written = registry.cell(TCP_WRITE_BYTES_TOTAL, labels)
  const closed = registry.cell(TCP_CLOSE_TOTAL, [...labels, ['errno', '']])
  const seenBytes = new Map<Connection, { read: number; written: number }>()

  function collectBytes(connection: Connection): void {
    const seen = seenBytes.get(connection)
    if (!seen) return
    if (connection.bytesRead > seen.read) registry.add(read, connection.bytesRead - seen.read)
    if (connection.bytesWritten > seen.written) registry.add(written, connection.bytesWritten - seen.written)
    seen.read = connection.bytesRead
    seen.written = connection.bytesWritten
  }

  registry.beforePage(() => {
    for (const connection of seenBytes.keys()) collectBytes(connection)
    // Only a change is news: connections to a pod that has gone would keep their series for ever.
    if (open.values[0] !== seenBytes.size) registry.set(open, seenBytes.size)
  })

  return {
    track(connection) {
      if (seenBytes.has(connection)) return
      seenBytes.set(connection, { read: 0, written: 0 })
      registry.add(opened, 1)
      connection.once('close', () => {
        collectBytes(connection)
        seenBytes.delete(connection)
        registry.add(closed, 1)
      })
    },
  }
}
