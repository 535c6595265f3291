import type { RequestListener } from 'node:http'
import { probeReadiness, startAdminServer } from './admin-server.ts'
import { closeServer, listenOnLoopback } from './http-hop.ts'
import { startInboundProxy } from './inbound-proxy.ts'
import { PROCESS_START_TIME_SECONDS, PROXY_BUILD_INFO } from './linkerd/families.ts'
import type { ClusterNetwork, PodFacts } from './network.ts'
import { startOutboundProxy } from './outbound-proxy.ts'
import { createRegistry, type Registry } from './registry.ts'

/** An application and its two proxies: four real servers on loopback ports. */
export interface Pod {
  readonly facts: PodFacts
  readonly registry: Registry
  readonly adminPort: number
  probe(): Promise<void>
  close(): Promise<void>
}

/** Makes the application's listener once its own outbound proxy is up. */
export type CreateApp = (outboundPort: number) => RequestListener

/** Pods are older than the history that is shown, so that nothing in it looks like a restart. */
const AGE_AT_START_SECONDS = 6 * 3600

export async function startPod(options: {
  facts: Omit<PodFacts, 'inboundPort'>
  network: ClusterNetwork
  createApp: CreateApp
  /** A pod that came with a roll-out is new; those of the first day are old. */
  isNew: boolean
}): Promise<Pod> {
  const { facts, network } = options
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
  const outbound = await startOutboundProxy({ registry, network, identity: facts.identity })
  const app = await listenOnLoopback(options.createApp(outbound.port))
  const inbound = await startInboundProxy({ registry, address: facts.address, appPort: app.port })
  const admin = await startAdminServer(registry)
  const servers = [inbound.server, app.server, outbound.server, admin.server]
  return {
    facts: { ...facts, inboundPort: inbound.port },
    registry,
    adminPort: admin.port,
    probe: () => probeReadiness(admin.port),
    close: async () => {
      await Promise.all(servers.map(closeServer))
    },
  }
}
