import { type Counter, counter, gauge, type Page } from './counters.ts'
import type { TrueCluster, Truth } from './truth.ts'

/** What kube-state-metrics and the ingress controller of one cluster export beside the mesh. */
export function infrastructurePages(truth: Truth, cluster: TrueCluster): Page[] {
  return [
    ...(cluster.kubeStateMetrics ? [kubeState(truth, cluster)] : []),
    ...(cluster.ingress.metrics ? [ingressNginx(truth, cluster)] : []),
  ]
}

/** Metric names and labels of kube-state-metrics 2.x, scraped with `honor_labels`. */
function kubeState(truth: Truth, cluster: TrueCluster): Page {
  const { ingress, gateway } = cluster
  const own = truth.workloads.filter((one) => one.cluster === cluster.name)
  const all = [...own, ingress.workload, ...(cluster.istio ? [] : [gateway])]
  const counters = all.flatMap(({ namespace, kind, name, service, pods }) =>
    pods.flatMap((pod): Counter[] => {
      const owner =
        kind === 'deployment'
          ? { created_by_kind: 'ReplicaSet', created_by_name: pod.name.replace(/-[^-]*$/, '') }
          : { created_by_kind: 'StatefulSet', created_by_name: name }
      const place = { namespace, pod: pod.name, uid: pod.name }
      return [
        gauge('kube_pod_info', { ...place, host_ip: '192.0.2.1', pod_ip: pod.ip, node: 'n1', ...owner }, 1),
        gauge(
          'kube_endpoint_address',
          { namespace, endpoint: service, ip: pod.ip, port_protocol: 'TCP', port_number: '8080', ready: 'true' },
          1,
        ),
      ]
    }),
  )
  const { namespace, service } = ingress.workload
  const balancer = { namespace, service, uid: service, ip: ingress.address, hostname: '' }
  return {
    target: { job: 'kube-state-metrics', instance: '10.0.0.9:8080' },
    counters: [...counters, gauge('kube_service_status_load_balancer_ingress', balancer, 1)],
  }
}

/** Requests by host as ingress-nginx counts them; the scrape moves its `namespace` and `service` out of the way. */
function ingressNginx(truth: Truth, cluster: TrueCluster): Page {
  const { workload } = cluster.ingress
  const [pod] = workload.pods
  const counters = new Map<string, { labels: Record<string, string>; perStep: number }>()
  for (const call of truth.calls) {
    if (call.style !== 'ingress') continue
    for (const { workload: to, perStep } of call.to) {
      if (to.cluster !== cluster.name) continue
      const labels = {
        controller_class: 'k8s.io/ingress-nginx',
        host: call.host ?? '',
        ingress: to.service,
        exported_namespace: to.namespace,
        exported_service: to.service,
        method: 'GET',
        path: '/',
        status: '200',
      }
      const key = JSON.stringify(labels)
      const known = counters.get(key)?.perStep ?? 0
      counters.set(key, { labels, perStep: known + perStep * call.attempts })
    }
  }
  return {
    target: {
      job: 'ingress-nginx',
      instance: `${pod?.ip}:10254`,
      namespace: workload.namespace,
      pod: pod?.name ?? '',
    },
    counters: [...counters.values()].map(({ labels, perStep }) =>
      counter('nginx_ingress_controller_requests', labels, perStep),
    ),
  }
}
