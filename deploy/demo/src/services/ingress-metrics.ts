import { cached } from '../mesh/cached.ts'
import type { Page } from '../mesh/meter.ts'
import type { PodFacts } from '../mesh/network.ts'
import { counter } from '../mesh/plain.ts'
import { createRegistry } from '../mesh/registry.ts'

const REQUESTS = counter('nginx_ingress_controller_requests', 'The total number of client requests')

/** What an ingress controller counts by itself, whatever the mesh: requests by host. */
export interface IngressMetrics {
  readonly page: Page
  /** `backend`: `namespace/name` of the service. */
  answered(host: string, backend: string, status: number): void
}

/** ingress-nginx's page, as its chart's pod annotations have it scraped: without honouring labels. */
export function createIngressMetrics(facts: Pick<PodFacts, 'name' | 'namespace' | 'address'>): IngressMetrics {
  const registry = createRegistry()
  const cell = cached((host = '', backend = '', status = '') => {
    const [namespace = '', service = ''] = backend.split('/')
    return registry.cell(REQUESTS, [
      ['canary', ''],
      ['controller_class', 'k8s.io/ingress-nginx'],
      ['controller_namespace', facts.namespace],
      ['controller_pod', facts.name],
      ['host', host],
      ['ingress', service],
      ['method', 'GET'],
      ['namespace', namespace],
      ['path', '/'],
      ['service', service],
      ['status', status],
    ])
  })
  const ip = facts.address.slice(0, facts.address.lastIndexOf(':'))
  const labels = { namespace: facts.namespace, pod: facts.name, instance: `${ip}:10254` }
  return {
    page: { registry, job: 'ingress-nginx', path: '/metrics', labels },
    answered: (host, backend, status) => registry.add(cell(host, backend, String(status)), 1),
  }
}
