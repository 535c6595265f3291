import { workloadId } from '../domain/identity.ts'
import type { Inventory } from '../domain/stitch/inventory.ts'
import type { Answers, Question } from './dialect.ts'
import { exposuresOf } from './inventory/controllers.ts'
import { rate, selector, sumBy } from './promql.ts'

/** Metrics that tell who owns an address, what is behind a service, and which hosts an ingress is asked for. */
export const INVENTORY_METRICS = [
  'kube_pod_info',
  'kube_endpoint_address',
  'kube_endpointslice_endpoints',
  'kube_service_status_load_balancer_ingress',
  'nginx_ingress_controller_requests',
  'traefik_router_requests_total',
  'traefik_service_requests_total',
  'haproxy_backend_http_responses_total',
  'envoy_vhost_vcluster_upstream_rq_xx',
] as const

/** A scrape that does not honour labels moves the metric's own `namespace`, `pod` and `service` out of the way. */
const NAMESPACE = ['namespace', 'exported_namespace']
const SERVICE = ['service', 'exported_service']
const POD = ['pod', 'exported_pod']

export interface InventoryQuestion extends Question {
  readonly metric: string
}

/**
 * What is asked rarely, once in five minutes: facts, one series a pod or service, and what ingress controllers count
 * by host. `present`: the metrics that the cluster has; others are not asked for.
 */
export function inventoryQuestions(present: ReadonlySet<string>, windowSeconds: number): InventoryQuestion[] {
  const questions: InventoryQuestion[] = [
    {
      metric: 'kube_pod_info',
      name: 'pods',
      // Pods on their host's network share its address with each other.
      promql: sumBy(
        [...NAMESPACE, ...POD, 'pod_ip', 'created_by_kind', 'created_by_name'],
        selector('kube_pod_info', [
          { label: 'pod_ip', op: '!=', value: '' },
          { label: 'host_network', op: '!=', value: 'true' },
        ]),
      ),
      lane: 'slow',
    },
    {
      metric: 'kube_endpoint_address',
      name: 'endpoints',
      promql: sumBy([...NAMESPACE, 'endpoint', 'exported_endpoint', 'ip'], selector('kube_endpoint_address', [])),
      lane: 'slow',
    },
    {
      metric: 'kube_endpointslice_endpoints',
      name: 'slices',
      promql: sumBy([...NAMESPACE, 'endpointslice', 'address'], selector('kube_endpointslice_endpoints', [])),
      lane: 'slow',
    },
    {
      metric: 'kube_service_status_load_balancer_ingress',
      name: 'balancers',
      promql: sumBy(
        [...NAMESPACE, ...SERVICE, 'ip', 'hostname'],
        selector('kube_service_status_load_balancer_ingress', []),
      ),
      lane: 'slow',
    },
    {
      metric: 'nginx_ingress_controller_requests',
      name: 'ingress-nginx',
      promql: sumBy(
        [...NAMESPACE, ...SERVICE, 'host', 'pod', 'controller_namespace', 'controller_pod'],
        rate(selector('nginx_ingress_controller_requests', [{ label: 'host', op: '!=', value: '' }]), windowSeconds),
      ),
      lane: 'fast',
    },
    {
      metric: 'traefik_router_requests_total',
      name: 'traefik',
      // No label holds the host; a router's name does.
      promql: sumBy(
        ['namespace', 'pod', 'router', ...SERVICE],
        rate(selector('traefik_router_requests_total', []), windowSeconds),
      ),
      lane: 'fast',
    },
    {
      metric: 'traefik_service_requests_total',
      name: 'traefik-services',
      // Its default, without routers: what is behind it, and no hosts.
      promql: sumBy(
        ['namespace', 'pod', ...SERVICE],
        rate(selector('traefik_service_requests_total', []), windowSeconds),
      ),
      lane: 'fast',
    },
    {
      metric: 'haproxy_backend_http_responses_total',
      name: 'haproxy',
      promql: sumBy(
        ['namespace', 'pod', 'proxy'],
        rate(selector('haproxy_backend_http_responses_total', []), windowSeconds),
      ),
      lane: 'fast',
    },
    {
      metric: 'envoy_vhost_vcluster_upstream_rq_xx',
      name: 'envoy',
      // Where virtual clusters are configured, virtual hosts are counted: Contour names them by their host.
      promql: sumBy(
        ['namespace', 'pod', 'envoy_virtual_host'],
        rate(selector('envoy_vhost_vcluster_upstream_rq_xx', []), windowSeconds),
      ),
      lane: 'fast',
    },
  ]
  // Both count the same requests.
  const twice = present.has('traefik_router_requests_total') ? 'traefik_service_requests_total' : null
  return questions.filter(({ metric }) => present.has(metric) && metric !== twice)
}

type Labels = Readonly<Record<string, string>>

/** Reads the answers, by question name; what was not answered is simply absent. */
export function readInventory(cluster: string, answers: Answers): Inventory {
  const each = (name: string) => answers.get(name) ?? []
  const podAddresses = new Map<string, Set<string>>()
  const workloadOfPod = new Map<string, string>()
  for (const { labels } of each('pods')) {
    const id = ownerOf(cluster, labels)
    if (id === null) continue
    add(podAddresses, labels.pod_ip ?? '', id)
    workloadOfPod.set(`${namespaceOf(labels)}/${labels.exported_pod || labels.pod}`, id)
  }
  const behindService = new Map<string, Map<string, number>>()
  const put = (labels: Labels, service: string | undefined, ip: string | undefined) => {
    const key = `${cluster}/${namespaceOf(labels)}/${service}`
    for (const id of podAddresses.get(ip ?? '') ?? []) {
      const pods = behindService.get(key) ?? new Map<string, number>()
      behindService.set(key, pods.set(id, (pods.get(id) ?? 0) + 1))
    }
  }
  for (const { labels } of each('endpoints')) put(labels, labels.exported_endpoint || labels.endpoint, labels.ip)
  if (behindService.size === 0) {
    // A slice is named after its service, with five letters behind.
    for (const { labels } of each('slices')) put(labels, labels.endpointslice?.replace(/-[^-]+$/, ''), labels.address)
  }
  const balancers = new Map<string, Set<string>>()
  for (const { labels } of each('balancers')) {
    for (const address of [labels.ip, labels.hostname]) {
      if (address) add(balancers, address, `${cluster}/${namespaceOf(labels)}/${serviceOf(labels)}`)
    }
  }
  const exposures = exposuresOf({ cluster, workloadOfPod, services: [...behindService.keys()] }, answers)
  return { cluster, podAddresses, behindService, balancers, exposures }
}

/** The workload that owns a pod: Kubernetes names a deployment's replica sets after it. */
function ownerOf(cluster: string, labels: Labels): string | null {
  const { created_by_kind: kind = '', created_by_name: name = '' } = labels
  const namespace = namespaceOf(labels)
  if (!namespace || !name) return null
  if (kind === 'ReplicaSet') {
    return workloadId({ cluster, namespace, kind: 'deployment', name: name.replace(/-[^-]+$/, '') })
  }
  return KINDS.includes(kind) ? workloadId({ cluster, namespace, kind: kind.toLowerCase(), name }) : null
}

const KINDS = ['StatefulSet', 'DaemonSet', 'Job']

function namespaceOf({ exported_namespace: moved, namespace }: Labels): string | undefined {
  return moved || namespace
}

function serviceOf({ exported_service: moved, service }: Labels): string | undefined {
  return moved || service
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  map.set(key, (map.get(key) ?? new Set()).add(value))
}
