import type { Headers } from '../transport/transport.ts'
import type { Peer } from './meter.ts'

/** Stands for SO_ORIGINAL_DST: the simulated `ip:port` the application dialled before iptables redirected it. */
export const ORIGINAL_DST = 'x-sim-original-dst'
/** Stands for what a connection between two proxies of one mesh tells of the caller: its certificate, its metadata. */
export const PEER = 'x-sim-peer'
/** Linkerd's own headers. */
export const DST_CANONICAL = 'l5d-dst-canonical'
export const TIMEOUT = 'l5d-timeout'

/** Meant for one proxy only, or for one hop. */
const DROPPED = new Set([ORIGINAL_DST, PEER, DST_CANONICAL, TIMEOUT, 'connection', 'keep-alive', 'transfer-encoding'])

export function forwardedHeaders(incoming: Headers): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name in incoming) {
    const value = incoming[name]
    if (value !== undefined && !DROPPED.has(name)) headers[name] = value
  }
  return headers
}

export function peerHeader({ namespace, deployment, serviceAccount }: Peer): string {
  return `${namespace}/${deployment}/${serviceAccount}`
}

export function peerOf(headers: Headers): Peer | undefined {
  const [namespace, deployment, serviceAccount] = (headers[PEER] ?? '').split('/')
  if (namespace === undefined || deployment === undefined || serviceAccount === undefined) return undefined
  return { namespace, deployment, serviceAccount }
}

/** Host without its port when it is a DNS name; undefined for an IP, which metrics never carry as a name. */
export function dnsName(host: string | undefined): string | undefined {
  if (host === undefined) return undefined
  const name = host.replace(/:\d+$/, '')
  return /^[\d.]+$/.test(name) || name.startsWith('[') ? undefined : name
}
