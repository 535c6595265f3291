import type { Agent } from 'node:http'
import { createKeepAliveAgent, sendOnHop } from '../mesh/http-hop.ts'
import { ORIGINAL_DST, TIMEOUT } from '../mesh/mesh-headers.ts'

export interface AppRequest {
  readonly host: string
  /** Simulated `ip:port` that the host's name resolved to. */
  readonly address: string
  readonly path: string
  readonly timeoutMs?: number | undefined
}

export interface AppResponse {
  readonly status: number
  readonly body: Buffer | string
}

export interface AppClient {
  /** `cancelled` gets what closes the connection, for applications that give up with their caller. */
  get(request: AppRequest, onCancellable?: (cancel: () => void) => void): Promise<AppResponse>
}

/** An application's HTTP client. All it dials is redirected to its pod's outbound proxy, one connection pool per address. */
export function createAppClient(outboundPort: number): AppClient {
  const agents = new Map<string, Agent>()
  return {
    get({ host, address, path, timeoutMs }, onCancellable) {
      let agent = agents.get(address)
      if (!agent) {
        agent = createKeepAliveAgent()
        agents.set(address, agent)
      }
      const pool = agent
      return new Promise((resolve) => {
        const cancel = sendOnHop({
          agent: pool,
          port: outboundPort,
          method: 'GET',
          path,
          headers: {
            host,
            [ORIGINAL_DST]: address,
            ...(timeoutMs === undefined ? {} : { [TIMEOUT]: `${timeoutMs}ms` }),
          },
          body: undefined,
          onResponse: resolve,
          onFailure: () => resolve({ status: 502, body: '' }),
        })
        onCancellable?.(cancel)
      })
    },
  }
}
