import { ORIGINAL_DST, TIMEOUT } from '../mesh/mesh-headers.ts'
import type { Pool, Transport } from '../transport/transport.ts'

export interface AppRequest {
  readonly host: string
  /** Simulated `ip:port` that the host's name resolved to. */
  readonly address: string
  readonly path: string
  readonly timeoutMs?: number | undefined
}

export interface AppResponse {
  readonly status: number
  readonly body: string
}

export interface AppClient {
  /** `cancelled` gets what closes the connection, for applications that give up with their caller. */
  get(request: AppRequest, onCancellable?: (cancel: () => void) => void): Promise<AppResponse>
}

/** An application's HTTP client. All it dials is redirected to its pod's outbound proxy, one connection pool per address. */
export function createAppClient(transport: Transport, outboundPort: number): AppClient {
  const pools = new Map<string, Pool>()
  return {
    get({ host, address, path, timeoutMs }, onCancellable) {
      const pool = pools.get(address) ?? transport.pool()
      pools.set(address, pool)
      return new Promise((resolve) => {
        const cancel = transport.send({
          pool,
          port: outboundPort,
          path,
          headers: {
            host,
            [ORIGINAL_DST]: address,
            ...(timeoutMs === undefined ? {} : { [TIMEOUT]: `${timeoutMs}ms` }),
          },
          onResponse: resolve,
          onFailure: () => resolve({ status: 502, body: '' }),
        })
        onCancellable?.(cancel)
      })
    },
  }
}
