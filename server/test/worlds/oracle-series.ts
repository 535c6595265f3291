import { addressOf, asLinkerd, hostsByAuthority, isLocal, placeOf, type Seen } from './oracle-seen.ts'
import type { SeriesStore } from './promql-subset.ts'

/** The series of all clusters by what they tell of, whatever mesh tells it; each list is made once. */
export class SeenSeries {
  readonly clusters: readonly string[]
  readonly #byMetric = new Map<string, Seen[]>()
  readonly #memo = new Map<string, unknown>()

  constructor(stores: ReadonlyMap<string, SeriesStore>) {
    this.clusters = [...stores.keys()]
    const seen = [...stores].flatMap(([cluster, store]) =>
      store.all().flatMap(({ metric, series }): Seen[] => {
        const [first = 0] = series.values
        const spanSeconds = (series.atSeconds.at(-1) ?? 0) - (series.atSeconds[0] ?? 0)
        const rate = ((series.values.at(-1) ?? 0) - first) / spanSeconds
        return asLinkerd({ cluster, metric, labels: series.labels, rate })
      }),
    )
    for (const one of seen) this.#byMetric.set(one.metric, [...(this.#byMetric.get(one.metric) ?? []), one])
  }

  of(metric: string): readonly Seen[] {
    return this.#byMetric.get(metric) ?? []
  }

  once<T>(key: string, make: () => T): T {
    if (!this.#memo.has(key)) this.#memo.set(key, make())
    return this.#memo.get(key) as T
  }

  responses(direction: 'inbound' | 'outbound'): readonly Seen[] {
    return this.once(direction, () => this.of('response_total').filter(({ labels }) => labels.direction === direction))
  }

  /** Series of calls to places that discovery knows nothing of. */
  dialling(): readonly Seen[] {
    return this.once('dialling', () =>
      this.responses('outbound').filter(
        ({ labels }) => labels.dst_namespace === undefined && addressOf(labels) !== null && !hostsByAuthority(labels),
      ),
    )
  }

  arrivals(): readonly (Seen & { readonly id: string })[] {
    return this.once('arrivals', () =>
      this.responses('inbound').flatMap((one) => {
        const id = placeOf(one.cluster, one.labels, '')
        return id === null || one.labels.target_port === '4191' ? [] : [{ ...one, id }]
      }),
    )
  }

  owners(): ReadonlyMap<string, ReadonlySet<string>> {
    return this.once('owners', () => {
      const owners = new Map<string, Set<string>>()
      const put = (ip: string, id: string) => owners.set(ip, (owners.get(ip) ?? new Set()).add(id))
      for (const { id, labels } of this.arrivals()) if (labels.target_ip) put(labels.target_ip, id)
      for (const { cluster, labels } of this.of('kube_pod_info')) {
        for (const id of this.#podInfo(cluster, labels.pod_ip ?? '')) put(labels.pod_ip ?? '', id)
      }
      return owners
    })
  }

  /** Workloads that calls inside the cluster show behind `namespace/service`, or that its endpoints name. */
  behind(cluster: string, service: string): readonly string[] {
    return this.once(`behind ${cluster} ${service}`, () => {
      const [namespace, name] = service.split('/')
      const called = this.responses('outbound').filter(
        ({ cluster: at, labels }) =>
          at === cluster && labels.dst_namespace === namespace && labels.dst_service === name && isLocal(labels),
      )
      const seen = called.flatMap(({ labels }) => placeOf(cluster, labels, 'dst_') ?? [])
      return seen.length > 0 ? [...new Set(seen)] : this.endpointsOf(cluster, service)
    })
  }

  /** Services that a workload of no mesh calls, where its series name services and nobody behind them. */
  callsOfServices(id: string): readonly { readonly service: string; readonly rate: number }[] {
    return this.responses('outbound').flatMap(({ cluster, labels, rate }) => {
      const unnamed = labels.dst_service !== undefined && placeOf(cluster, labels, 'dst_') === null
      const own = unnamed && labels.dst_target_cluster === undefined && placeOf(cluster, labels, '') === id
      return own ? [{ service: `${labels.dst_namespace}/${labels.dst_service}`, rate }] : []
    })
  }

  /** Workloads that kube-state-metrics names behind `namespace/service`. */
  endpointsOf(cluster: string, service: string): readonly string[] {
    const [namespace, name] = service.split('/')
    const addresses = this.of('kube_endpoint_address').filter(
      ({ cluster: at, labels }) => at === cluster && labels.namespace === namespace && labels.endpoint === name,
    )
    return [...new Set(addresses.flatMap(({ labels }) => this.#podInfo(cluster, labels.ip ?? '')))]
  }

  #podInfo(cluster: string, ip: string): readonly string[] {
    const infos = this.of('kube_pod_info').filter((one) => one.cluster === cluster && one.labels.pod_ip === ip)
    return infos.map(({ labels }) => {
      const name = labels.created_by_name ?? ''
      const place = labels.created_by_kind === 'ReplicaSet' ? name.replace(/-[^-]+$/, '') : `statefulset:${name}`
      return `${cluster}/${labels.namespace}/${place}`
    })
  }
}
