import { type Counter, gauge, type Page } from './counters.ts'
import { controllerPages } from './export-controllers.ts'
import { edgeProxyPages } from './export-envoy.ts'
import type { TrueCluster, Truth } from './truth.ts'

/** What kube-state-metrics and the ingress controller of one cluster export beside the mesh. */
export function infrastructurePages(truth: Truth, cluster: TrueCluster): Page[] {
  return [
    ...(cluster.kubeStateMetrics ? [kubeState(truth, cluster)] : []),
    ...controllerPages(truth, cluster),
    ...edgeProxyPages(truth, cluster),
  ]
}

/** Metric names and labels of kube-state-metrics 2.x, scraped with `honor_labels`. */
function kubeState(truth: Truth, cluster: TrueCluster): Page {
  const { ingress, gateway } = cluster
  const own = [...truth.workloads, ...truth.proxies].filter((one) => one.cluster === cluster.name)
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
