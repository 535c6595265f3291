import type { HopHandler, Transport } from '../transport/transport.ts'
import { startAdminServer } from './admin-server.ts'
import { startInboundProxy } from './inbound-proxy.ts'
import { PROCESS_START_TIME_SECONDS, PROXY_BUILD_INFO } from './linkerd/families.ts'
import type { ClusterNetwork, PodFacts } from './network.ts'
import { startOutboundProxy } from './outbound-proxy.ts'
import { createRegistry, type Registry } from './registry.ts'

/** An application and its two proxies: four servers. */
export interface Pod {
  readonly facts: PodFacts
  readonly registry: Registry
  readonly adminPort: number
  /** A GET to the admin port: `/ready` is what the kubelet does, `/metrics` what Prometheus does. */
  askAdmin(path: '/ready' | '/metrics'): Promise<void>
  close(): Promise<void>
}

/** Makes the application's listener once its own outbound proxy is up. */
export type CreateApp = (outboundPort: number) => HopHandler

/** Pods are older than the history that is shown, so that nothing in it looks like a restart. */
const AGE_AT_START_SECONDS = 6 * 3600

export async function startPod(options: {
  transport: Transport
  facts: Omit<PodFacts, 'inboundPort'>
  network: ClusterNetwork
  createApp: CreateApp
  /** A pod that came with a roll-out is new; those of the first day are old. */
  isNew: boolean
}): Promise<Pod> {
  const { transport, facts, network } = options
  const registry = createRegistry()
  const ageSeconds = options.isNew ? 0 : AGE_AT_START_SECONDS
  registry.set(registry.cell(PROCESS_START_TIME_SECONDS, []), Math.floor(Date.now() / 1000) - ageSeconds)
  registry.set(
    registry.cell(PROXY_BUILD_INFO, [
      ['version', '2.268.0'],
      ['git_sha', ''],
      ['profile', 'release'],
      ['vendor', 'linkerd'],
    ]),
    1,
  )
  const outbound = await startOutboundProxy({ transport, registry, network, identity: facts.identity })
  const app = await transport.listen(options.createApp(outbound.port))
  const inbound = await startInboundProxy({ transport, registry, address: facts.address, appPort: app.port })
  const admin = await startAdminServer(transport, registry)
  const listeners = [inbound, app, outbound, admin]
  const pool = transport.pool()
  return {
    facts: { ...facts, inboundPort: inbound.port },
    registry,
    adminPort: admin.port,
    askAdmin: (path) =>
      new Promise((resolve) => {
        const headers = { host: `127.0.0.1:${admin.port}` }
        // A failure shows as a missing request, as in a cluster.
        transport.send({ pool, port: admin.port, path, headers, onResponse: () => resolve(), onFailure: resolve })
      }),
    close: async () => {
      await Promise.all(listeners.map((listener) => listener.close()))
    },
  }
}
