import type { Seen } from './oracle-seen.ts'
import type { SeenSeries } from './oracle-series.ts'

/** Requests that an ingress controller counts. */
export interface Counted {
  readonly rate: number
  /** The controller's workload. */
  readonly door: string
  /** `namespace/service`; null where its series do not say. */
  readonly service: string | null
  /** Whether these are requests of the host; null where no label tells. */
  readonly isOf: ((host: string) => boolean) | null
}

/** What the ingress controller of one cluster counts, in each controller's own words. */
export function countedAt(series: SeenSeries, cluster: string): readonly Counted[] {
  const own = (metric: string) => series.of(metric).filter((one) => one.cluster === cluster)
  const doorOf = ({ labels }: Seen) => `${cluster}/${labels.namespace}/${labels.pod?.replace(/-[^-]+-[^-]+$/, '')}`
  return series.once(`counted ${cluster}`, () => [
    ...own('nginx_ingress_controller_requests').map((one): Counted => {
      const service = `${one.labels.exported_namespace}/${one.labels.service}`
      return { rate: one.rate, door: doorOf(one), service, isOf: (host) => one.labels.host === host }
    }),
    ...own('traefik_router_requests_total').map((one): Counted => {
      const router = one.labels.router ?? ''
      const isOf = (host: string) => router.includes(host.replaceAll('.', '-'))
      return { rate: one.rate, door: doorOf(one), service: dashed(series, cluster, one.labels.service ?? ''), isOf }
    }),
    ...own('haproxy_backend_http_responses_total').map((one): Counted => {
      const [namespace, name] = (one.labels.proxy ?? '').replace('_svc_', '_').split('_')
      return { rate: one.rate, door: doorOf(one), service: `${namespace}/${name}`, isOf: null }
    }),
    ...own('envoy_vhost_vcluster_upstream_rq_xx').map((one): Counted => {
      const isOf = (host: string) => one.labels.envoy_virtual_host === host
      return { rate: one.rate, door: doorOf(one), service: null, isOf }
    }),
  ])
}

/** `shop-cart-8080@kubernetes`: where the namespace ends is told by the endpoints that are known. */
function dashed(series: SeenSeries, cluster: string, text: string): string | null {
  const known = series.of('kube_endpoint_address').filter((one) => one.cluster === cluster)
  const services = [...new Set(known.map(({ labels }) => `${labels.namespace}/${labels.endpoint}`))]
  const meant = services.filter((service) => new RegExp(`^${service.replace('/', '-')}-[0-9]+@`).test(text))
  return meant.length === 1 ? (meant[0] ?? null) : null
}
