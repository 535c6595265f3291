import { added, type Counter, counter, histogram, type Labels, type Page, shareOut } from './counters.ts'
import { throughIngress } from './export-controllers.ts'
import { SEAM_MS } from './export-linkerd.ts'
import type { Pod, TrueCluster, TrueWorkload, Truth } from './truth.ts'

/** Enough where nobody looks at percentiles. */
const BOUNDS_MS = [10, 100, 1_000]

/** Requests of one Envoy by the name it has for where they go. */
interface Sent {
  readonly cluster: string
  readonly host: string | null
  readonly perStep: number
  readonly failuresPerStep: number
  readonly meanMs: number
}

/** The Envoys at a cluster's edge: what they accept from the world, and what they send on. */
export function edgeProxyPages(truth: Truth, cluster: TrueCluster): Page[] {
  return truth.proxies
    .filter((proxy) => proxy.cluster === cluster.name)
    .flatMap((proxy) => {
      const sent = truth.calls
        .filter(({ from }) => from === proxy)
        .map((call): Sent => {
          const service = call.to[0]?.workload
          const { host, perStep, failuresPerStep } = call
          const meanMs = call.meanMs * call.attempts + (host === null ? 0 : SEAM_MS)
          return { cluster: host ?? stat(service), host: null, perStep, failuresPerStep, meanMs }
        })
      return pagesOf(proxy, sent)
    })
}

/** An ingress controller made of Envoy, as Contour names its clusters; hosts where virtual clusters are configured. */
export function ingressEnvoyPage(truth: Truth, cluster: TrueCluster): Page {
  const { workload, metrics } = cluster.ingress
  const sent = throughIngress(truth, cluster).map(({ call, to, perStep }): Sent => {
    const failuresPerStep = Math.floor((call.failuresPerStep * perStep) / (call.perStep * call.attempts))
    const host = metrics === 'envoyByHost' ? call.host : null
    return { cluster: stat(to), host, perStep, failuresPerStep, meanMs: call.meanMs + 1 }
  })
  const [page] = pagesOf({ ...workload, pods: workload.pods.slice(0, 1) }, sent)
  return page ?? { target: {}, counters: [] }
}

function stat(to: TrueWorkload | undefined): string {
  return `${to?.namespace}_${to?.service}_8080`
}

function pagesOf(proxy: TrueWorkload, sent: readonly Sent[]): Page[] {
  return proxy.pods.map((pod, index) => {
    const mine = sent.map((one): Sent => {
      const part = (whole: number) => shareOut(whole, proxy.pods.length)[index] ?? 0
      return { ...one, perStep: part(one.perStep), failuresPerStep: part(one.failuresPerStep) }
    })
    return { target: targetOf(proxy, pod), counters: added(mine.flatMap(countersOf)) }
  })
}

function targetOf({ namespace, name }: TrueWorkload, pod: Pod): Labels {
  return { job: 'envoy', instance: `${pod.ip}:8002`, namespace, pod: pod.name, app_kubernetes_io_name: name }
}

function countersOf({ cluster, host, perStep, failuresPerStep, meanMs }: Sent): Counter[] {
  const classes = (metric: string, labels: Labels) =>
    [
      { of: '2', count: perStep - failuresPerStep },
      { of: '5', count: failuresPerStep },
    ].flatMap(({ of, count }) =>
      count > 0 ? [counter(metric, { ...labels, envoy_response_code_class: of }, count)] : [],
    )
  const listener = { envoy_http_conn_manager_prefix: 'ingress_http' }
  const upstream = { envoy_cluster_name: cluster }
  const virtual = { envoy_virtual_host: host ?? '', envoy_virtual_cluster: 'other' }
  return [
    ...classes('envoy_http_downstream_rq_xx', listener),
    ...histogram('envoy_http_downstream_rq_time', listener, perStep, meanMs, BOUNDS_MS),
    ...classes('envoy_cluster_upstream_rq_xx', upstream),
    ...histogram('envoy_cluster_upstream_rq_time', upstream, perStep, meanMs, BOUNDS_MS),
    ...(host === null ? [] : classes('envoy_vhost_vcluster_upstream_rq_xx', virtual)),
  ]
}
