import type { Observation } from '../../domain/observation.ts'
import type { SeriesColumn } from '../dialect.ts'
import { rate, selector, sumBy, tagged } from '../promql.ts'

/**
 * A gateway forwards without counting requests (linkerd2 issue 6306), and callees see its identity in place of the
 * caller's. Since 2.18 its connections name both: whose identity, and which service is meant.
 */
export function gatewayQuestion(windowSeconds: number): string {
  const headers = selector('inbound_tcp_transport_header_connections_total', [
    { label: 'client_id', op: '!=', value: '' },
    { label: 'target_name', op: '!=', value: '' },
  ])
  return tagged('part', 'gateway', sumBy(['target_name', 'client_id'], rate(headers, windowSeconds)))
}

/** Notes who calls which service; true where the series was one of these. */
export function readGateway({ passing }: Observation, { labels, apart }: SeriesColumn): boolean {
  const { target_name: target, client_id: client } = labels
  if (apart.part !== 'gateway') return false
  const [, service, namespace] = /^([^.]+)\.([^.]+)\.svc\./.exec(target ?? '') ?? []
  if (service === undefined || !client) return true
  const key = `${namespace}/${service}`
  passing.set(key, (passing.get(key) ?? new Set()).add(client))
  return true
}
