import type { Headers } from '../transport/transport.ts'

/** Stands for SO_ORIGINAL_DST: the simulated `ip:port` the application dialled before iptables redirected it. */
export const ORIGINAL_DST = 'x-sim-original-dst'
/** Stands for the client certificate of the mTLS connection between two proxies. */
export const CLIENT_IDENTITY = 'x-sim-client-identity'
/** Linkerd's own headers. */
export const DST_CANONICAL = 'l5d-dst-canonical'
export const TIMEOUT = 'l5d-timeout'

/** Meant for one proxy only, or for one hop. */
const DROPPED = new Set([
  ORIGINAL_DST,
  CLIENT_IDENTITY,
  DST_CANONICAL,
  TIMEOUT,
  'connection',
  'keep-alive',
  'transfer-encoding',
])

export function forwardedHeaders(incoming: Headers): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name in incoming) {
    const value = incoming[name]
    if (value !== undefined && !DROPPED.has(name)) headers[name] = value
  }
  return headers
}

/** Host without its port when it is a DNS name; undefined for an IP, which metrics never carry as a name. */
export function dnsName(host: string | undefined): string | undefined {
  if (host === undefined) return undefined
  const name = host.replace(/:\d+$/, '')
  return /^[\d.]+$/.test(name) || name.startsWith('[') ? undefined : name
}
