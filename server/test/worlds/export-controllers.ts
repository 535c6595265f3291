import { added, counter, type Labels, type Page } from './counters.ts'
import { ingressEnvoyPage } from './export-envoy.ts'
import type { Controller, TrueCall, TrueCluster, TrueWorkload, Truth } from './truth.ts'

/** What the ingress controller of one cluster exports of itself. */
export function controllerPages(truth: Truth, cluster: TrueCluster): Page[] {
  const { metrics } = cluster.ingress
  if (metrics === null) return []
  if (metrics === 'envoy' || metrics === 'envoyByHost') return [ingressEnvoyPage(truth, cluster)]
  const write = WRITERS[metrics]
  const counters = throughIngress(truth, cluster).map(({ call, to, perStep }) => {
    const { metric, labels } = write(to, call.host ?? '')
    return counter(metric, labels, perStep)
  })
  return [{ target: targetOf(cluster, metrics), counters: added(counters) }]
}

/** Every call that enters the cluster through its ingress, by who answers it. */
export function throughIngress(
  truth: Truth,
  cluster: TrueCluster,
): { readonly call: TrueCall; readonly to: TrueWorkload; readonly perStep: number }[] {
  return truth.calls
    .filter(({ style }) => style === 'ingress')
    .flatMap((call) => call.to.map(({ workload: to, perStep }) => ({ call, to, perStep: perStep * call.attempts })))
    .filter(({ to }) => to.cluster === cluster.name)
}

function targetOf({ ingress: { workload } }: TrueCluster, job: string): Labels {
  const [pod] = workload.pods
  return { job, instance: `${pod?.ip}:10254`, namespace: workload.namespace, pod: pod?.name ?? '' }
}

type Write = (to: TrueWorkload, host: string) => { readonly metric: string; readonly labels: Labels }

const WRITERS: Readonly<Record<Exclude<Controller, 'envoy' | 'envoyByHost'>, Write>> = {
  // Requests by host; the scrape moves its `namespace` and `service` out of the way.
  nginx: ({ namespace, service }, host) => ({
    metric: 'nginx_ingress_controller_requests',
    labels: {
      controller_class: 'k8s.io/ingress-nginx',
      host,
      ingress: service,
      namespace,
      service,
      method: 'GET',
      path: '/',
      status: '200',
    },
  }),
  // Namespace, ingress and host in the router's name, namespace, service and port in the service's.
  traefik: ({ namespace, service }, host) => ({
    metric: 'traefik_router_requests_total',
    labels: {
      code: '200',
      method: 'GET',
      protocol: 'http',
      router: `${namespace}-${service}-${host.replaceAll('.', '-')}@kubernetes`,
      service: `${namespace}-${service}-8080@kubernetes`,
    },
  }),
  haproxy: ({ namespace, service }) => ({
    metric: 'haproxy_backend_http_responses_total',
    labels: { proxy: `${namespace}_${service}_8080`, code: '2xx' },
  }),
}
