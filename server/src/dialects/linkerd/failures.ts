import type { Apart } from '../../domain/apart.ts'
import type { Labels } from '../read-series.ts'

/** The proxy's own judgement: HTTP 5xx, gRPC codes that are the server's fault, or as a ServiceProfile says. */
export function failed({ classification }: Apart): boolean {
  return classification !== 'success'
}

/**
 * As `linkerd viz stat-outbound` counts: a 5xx, a gRPC status other than OK (its name here, a number elsewhere), or any
 * error of the proxy.
 */
export function egressFailed({ http_status: http = '', grpc_status: grpc = '', error = '' }: Labels): boolean {
  return http.startsWith('5') || (grpc !== '' && grpc !== 'OK' && grpc !== '0') || error !== ''
}
