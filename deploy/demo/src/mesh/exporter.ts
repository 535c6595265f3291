import type { Transport } from '../transport/transport.ts'
import { startAdminServer } from './admin-server.ts'
import type { Page } from './meter.ts'

/** A page of metrics that is served: what Prometheus scrapes, and what has a past. */
export interface Exporter extends Page {
  /** Unique within its cluster, and the same in every run. */
  readonly name: string
  readonly port: number
}

export interface RunningExporter extends Exporter {
  close(): Promise<void>
}

/** Serves a page that is no proxy's own: its requests are counted by nobody. */
export async function startExporter(
  transport: Transport,
  page: Page & { readonly name: string },
): Promise<RunningExporter> {
  const listener = await startAdminServer(transport, page)
  return { ...page, port: listener.port, close: listener.close }
}
