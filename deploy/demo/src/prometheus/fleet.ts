import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { endedText } from '../process/child.ts'
import type { Steps } from '../steps.ts'
import { createPrometheusServer, type PrometheusServer } from './server.ts'

/** The Prometheus servers of all clusters. */
export interface PrometheusFleet {
  readonly servers: ReadonlyMap<string, PrometheusServer>
  start(cluster: string): Promise<void>
  stop(): Promise<void>
}

export async function createPrometheusFleet(options: {
  clusters: readonly string[]
  ports: readonly number[]
  binary: string
  runFolder: string
  steps: Steps
  signal: AbortSignal
}): Promise<PrometheusFleet> {
  const { steps, signal } = options
  const servers = new Map<string, PrometheusServer>()
  for (const [i, cluster] of options.clusters.entries()) {
    const folder = join(options.runFolder, cluster)
    await mkdir(folder)
    const port = options.ports[i] ?? 0
    servers.set(cluster, await createPrometheusServer({ cluster, binary: options.binary, folder, port, signal }))
  }

  /** One that ends by itself is reported; the rest of the demo goes on without it. */
  function watch(server: PrometheusServer): void {
    void server.ended().then(({ how, expected }) => {
      if (expected || signal.aborted) return
      steps.say(endedText(`${server.cluster}'s Prometheus`, how, server.lastLines()))
    })
  }

  return {
    servers,
    async start(cluster) {
      const server = servers.get(cluster)
      if (!server || server.pid() !== null) return
      await server.start()
      watch(server)
    },
    async stop() {
      await Promise.all([...servers.values()].map((server) => server.stop()))
    },
  }
}
