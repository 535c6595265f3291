import type { HopHandler, Transport } from '../transport/transport.ts'
import { startAdminServer } from './admin-server.ts'
import type { Exporter } from './exporter.ts'
import { startInboundProxy } from './inbound-proxy.ts'
import type { Mesh } from './meter.ts'
import type { ClusterNetwork, PodFacts } from './network.ts'
import { startOutboundProxy } from './outbound-proxy.ts'

/** An application and its two proxies: four servers. */
export interface Pod {
  readonly facts: PodFacts
  /** Null where the mesh has no page for each pod. */
  readonly exporter: Exporter | null
  readonly adminPort: number
  /** A GET to the admin port: `/ready` is what the kubelet does, `metrics` what Prometheus does. */
  askAdmin(what: '/ready' | 'metrics'): Promise<void>
  close(): Promise<void>
}

/** Makes the application's listener once its own outbound proxy is up. */
export type CreateApp = (outboundPort: number, facts: Omit<PodFacts, 'inboundPort'>) => HopHandler | Promise<HopHandler>

export async function startPod(options: {
  transport: Transport
  facts: Omit<PodFacts, 'inboundPort'>
  network: ClusterNetwork
  mesh: Mesh
  createApp: CreateApp
  /** A pod that came with a roll-out is new; those of the first day are old. */
  isNew: boolean
}): Promise<Pod> {
  const { transport, network } = options
  // What is measured does not depend on the port that the proxy gets.
  const { meter, page } = options.mesh.pod({ ...options.facts, inboundPort: 0 }, options.isNew)
  const outbound = await startOutboundProxy({ transport, meter, network, self: options.facts })
  const app = await transport.listen(await options.createApp(outbound.port, options.facts))
  const inbound = await startInboundProxy({ transport, meter, appPort: app.port })
  const admin = await startAdminServer(transport, page, meter.admin)
  const listeners = [inbound, app, outbound, admin]
  const pool = transport.pool()
  const facts = { ...options.facts, inboundPort: inbound.port }
  return {
    facts,
    exporter: page && { ...page, name: facts.name, port: admin.port },
    adminPort: admin.port,
    askAdmin: (what) =>
      new Promise((resolve) => {
        const headers = { host: `127.0.0.1:${admin.port}` }
        const path = what === 'metrics' ? (page?.path ?? '/metrics') : what
        // A failure shows as a missing request, as in a cluster.
        transport.send({ pool, port: admin.port, path, headers, onResponse: () => resolve(), onFailure: resolve })
      }),
    close: async () => {
      await Promise.all(listeners.map((listener) => listener.close()))
    },
  }
}
