import type { Labels } from './counters.ts'
import type { SeriesStore } from './promql-subset.ts'

interface Seen {
  readonly cluster: string
  readonly metric: string
  readonly labels: Labels
  /** Growth over the looks, per second; the value itself of a gauge. */
  readonly rate: number
}

export interface Caller {
  readonly from: string
  readonly rate: number
}

const LOCAL = '.svc.cluster.local'

/** What the series of all clusters say, label by label. */
export class Facts {
  readonly clusters: readonly string[]
  /** Load balancers that the operator told of: address -> workloads. */
  readonly #told: readonly { readonly address: string; readonly workload: string }[]
  readonly #seen: readonly Seen[]
  readonly #byMetric = new Map<string, Seen[]>()
  readonly #memo = new Map<string, unknown>()

  constructor(
    stores: ReadonlyMap<string, SeriesStore>,
    told: readonly { readonly address: string; readonly workload: string }[],
  ) {
    this.clusters = [...stores.keys()]
    this.#told = told
    this.#seen = [...stores].flatMap(([cluster, store]) =>
      store.all().flatMap(({ metric, series }): Seen[] => {
        const [first = 0] = series.values
        const spanSeconds = (series.atSeconds.at(-1) ?? 0) - (series.atSeconds[0] ?? 0)
        const rate = ((series.values.at(-1) ?? 0) - first) / spanSeconds
        return asLinkerd({ cluster, metric, labels: series.labels, rate })
      }),
    )
    for (const one of this.#seen) this.#byMetric.set(one.metric, [...(this.#byMetric.get(one.metric) ?? []), one])
  }

  /** Workloads that calls inside the cluster show behind `namespace/service`, or that its endpoints name. */
  behind(cluster: string, service: string): readonly string[] {
    return this.#once(`behind ${cluster} ${service}`, () => {
      const [namespace, name] = service.split('/')
      const called = this.#responses('outbound').filter(
        ({ cluster: at, labels }) =>
          at === cluster && labels.dst_namespace === namespace && labels.dst_service === name && isLocal(labels),
      )
      const seen = called.flatMap(({ labels }) => placeOf(cluster, labels, 'dst_') ?? [])
      if (seen.length > 0) return [...new Set(seen)]
      const addresses = this.#of('kube_endpoint_address').filter(
        ({ cluster: at, labels }) => at === cluster && labels.namespace === namespace && labels.endpoint === name,
      )
      return [...new Set(addresses.flatMap(({ labels }) => this.#podInfo(cluster, labels.ip ?? '')))]
    })
  }

  /** Whether the workload's own proxies report requests. */
  receives(id: string): boolean {
    return this.#once('receives', () => new Set(this.#arrivals().map(({ id: one }) => one))).has(id)
  }

  /** Workloads, of any cluster, whose pods have the address. */
  ownersOf(ip: string): readonly string[] {
    return [...(this.#owners().get(ip) ?? [])]
  }

  /** Whether pods of one cluster only have addresses in the same range. */
  rangeIsExclusive(ip: string): boolean {
    const range = (address: string) => address.split('.').slice(0, 2).join('.')
    const clusters = this.#once(`range ${range(ip)}`, () => {
      const inRange = [...this.#owners()].filter(([address]) => range(address) === range(ip))
      return new Set(inRange.flatMap(([, ids]) => [...ids].map((id) => id.split('/')[0])))
    })
    return clusters.size === 1
  }

  /** Clusters whose own workloads show this trust domain to their neighbours. */
  homesOf(domain: string): readonly string[] {
    return this.#once(`homes ${domain}`, () => {
      const shown = this.#responses('outbound').filter(
        ({ labels }) =>
          isLocal(labels) &&
          labels.dst_target_cluster === undefined &&
          placeOf('', labels, 'dst_') !== null &&
          labels.server_id?.endsWith(`.serviceaccount.identity.linkerd.${domain}`),
      )
      return [...new Set(shown.map(({ cluster }) => cluster))]
    })
  }

  /** Whether the cluster's own workloads are seen to show any identity to their neighbours. */
  showsIdentity(cluster: string): boolean {
    return this.#once(`identity ${cluster}`, () =>
      this.#responses('outbound').some(
        ({ cluster: at, labels }) =>
          at === cluster &&
          isLocal(labels) &&
          labels.server_id !== undefined &&
          labels.dst_target_cluster === undefined &&
          placeOf('', labels, 'dst_') !== null,
      ),
    )
  }

  /** How often a cluster is asked for a host, and by whom it is answered; null where it is not, or does not tell. */
  exposes(cluster: string, host: string): { readonly rate: number; readonly ends: readonly string[] } | null {
    return this.#once(`exposes ${cluster} ${host}`, () => {
      const asked = this.#arrivals().filter((one) => one.cluster === cluster && hostOf(one.labels) === host)
      const doors = this.#doors(cluster)
      const ends = [...new Set(asked.map(({ id }) => id))].filter((id) => !doors.includes(id))
      const counted = this.#of('nginx_ingress_controller_requests').filter(
        (one) => one.cluster === cluster && one.labels.host === host,
      )
      const atDoors = asked.filter(({ id }) => doors.includes(id))
      const sum = (list: readonly { readonly rate: number }[]) => list.reduce((all, { rate }) => all + rate, 0)
      if (atDoors.length > 0) return { rate: sum(atDoors), ends: ends.length > 0 ? ends : doors }
      if (counted.length > 0) {
        const behind = counted.flatMap(({ labels }) =>
          this.behind(cluster, `${labels.exported_namespace}/${labels.exported_service}`),
        )
        const reached = ends.length > 0 ? ends : [...new Set(behind)]
        return { rate: sum(counted), ends: reached.length > 0 ? reached : doors }
      }
      return asked.length > 0 ? { rate: sum(asked), ends } : null
    })
  }

  /** Whether the cluster's series hold any host that is asked for from outside. */
  tellsHosts(cluster: string): boolean {
    return this.#once(`tells ${cluster}`, () => {
      const hosts = this.#arrivals().some((one) => one.cluster === cluster && hostOf(one.labels) !== null)
      return hosts || this.#of('nginx_ingress_controller_requests').some((one) => one.cluster === cluster)
    })
  }

  callersOfHost(host: string): readonly Caller[] {
    return this.#once(`callers ${host}`, () => {
      const named = this.#of('outbound_http_route_request_statuses_total').filter(
        ({ labels }) => labels.hostname === host,
      )
      const asked = this.#responses('outbound').filter(
        ({ labels }) => labels.dst_namespace === undefined && hostOf(labels) === host && hostsByAuthority(labels),
      )
      return callersIn([...named, ...asked])
    })
  }

  /** Hosts that a workload asks for outside its mesh. */
  hostsOf(from: string): readonly string[] {
    return this.#once(`hosts ${from}`, () => {
      const named = this.#of('outbound_http_route_request_statuses_total').filter(
        ({ cluster, labels }) => labels.hostname && placeOf(cluster, labels, '') === from,
      )
      return [...new Set(named.flatMap(({ labels }) => labels.hostname ?? []))]
    })
  }

  /** `ip:port` that are known to lead into a cluster. */
  balancersOf(cluster: string): readonly string[] {
    return this.#once(`balancers ${cluster}`, () => {
      const status = this.#of('kube_service_status_load_balancer_ingress').filter((one) => one.cluster === cluster)
      const leading = status.filter(
        ({ labels }) => this.behind(cluster, `${labels.namespace}/${labels.service}`).length > 0,
      )
      const told = this.#told.filter(({ workload }) => workload.startsWith(`${cluster}/`))
      return [
        ...new Set([...leading.map(({ labels }) => `${labels.ip}:80`), ...told.map(({ address }) => `${address}:80`)]),
      ]
    })
  }

  /** Workloads that a load balancer's address leads to. */
  doorsAt(address: string): readonly string[] {
    return this.#once(`doors ${address}`, () => {
      const ip = address.replace(/:\d+$/, '')
      const told = this.#told.filter((one) => one.address === ip).map(({ workload }) => workload)
      const status = this.#of('kube_service_status_load_balancer_ingress').filter(({ labels }) => labels.ip === ip)
      const behind = status.flatMap(({ cluster, labels }) =>
        this.behind(cluster, `${labels.namespace}/${labels.service}`),
      )
      return [...new Set([...told, ...behind])]
    })
  }

  /** What a workload is seen to call in its own cluster: by its proxy, else by its controller's own count. */
  callsOf(id: string): ReadonlyMap<string, number> {
    return this.#once(`calls ${id}`, () => {
      const cluster = id.split('/')[0] ?? ''
      const calls = new Map<string, number>()
      const put = (to: string, rate: number) => calls.set(to, (calls.get(to) ?? 0) + rate)
      for (const { labels, rate, cluster: at } of this.#responses('outbound')) {
        const to = placeOf(at, labels, 'dst_')
        if (to !== null && placeOf(at, labels, '') === id) put(to, rate)
      }
      if (calls.size > 0) return calls
      for (const one of this.#of('nginx_ingress_controller_requests')) {
        if (one.cluster !== cluster) continue
        const ends = this.behind(cluster, `${one.labels.exported_namespace}/${one.labels.exported_service}`)
        for (const end of ends) put(end, one.rate / ends.length)
      }
      return calls
    })
  }

  callersOfAddress(address: string): readonly Caller[] {
    return this.#once(`dial ${address}`, () =>
      callersIn(this.#dialling().filter(({ labels }) => addressOf(labels) === address)),
    )
  }

  callersOfAddressesOf(id: string): number {
    const dialling = this.#dialling().filter(({ labels }) =>
      this.ownersOf((addressOf(labels) ?? '').replace(/:\d+$/, '')).includes(id),
    )
    return dialling.reduce((sum, { rate }) => sum + rate, 0)
  }

  /** Requests that reach a workload without an identity and without a name that was asked for. */
  namelessArrivals(id: string): number {
    const nameless = this.#arrivals().filter(
      (one) => one.id === id && one.labels.client_id === undefined && !one.labels.authority,
    )
    return nameless.reduce((sum, { rate }) => sum + rate, 0)
  }

  /** `ip:port` that a workload dials and that no pod owns. */
  dialledOutside(from: string): readonly string[] {
    return this.#once(`dialled ${from}`, () => {
      const own = this.#dialling().filter(({ cluster, labels }) => placeOf(cluster, labels, '') === from)
      const addresses = own.flatMap(({ labels }) => addressOf(labels) ?? [])
      return [...new Set(addresses)].filter((address) => this.ownersOf(address.replace(/:\d+$/, '')).length === 0)
    })
  }

  /** Series of calls to places that discovery knows nothing of. */
  #dialling(): readonly Seen[] {
    return this.#once('dialling', () =>
      this.#responses('outbound').filter(
        ({ labels }) => labels.dst_namespace === undefined && addressOf(labels) !== null && !hostsByAuthority(labels),
      ),
    )
  }

  #doors(cluster: string): readonly string[] {
    return this.#once(`doors of ${cluster}`, () => {
      const ids = this.balancersOf(cluster).flatMap((address) => this.doorsAt(address))
      const controllers = this.#of('nginx_ingress_controller_requests').flatMap((one) => {
        if (one.cluster !== cluster) return []
        return `${cluster}/${one.labels.namespace}/${one.labels.pod?.replace(/-[^-]+-[^-]+$/, '')}`
      })
      // Who is asked for a host and calls a workload that is asked for the same one hands requests on.
      const asked = this.#arrivals().filter((one) => one.cluster === cluster && hostOf(one.labels) !== null)
      const rateAt = (id: string, host: string | null) =>
        asked.filter((one) => one.id === id && hostOf(one.labels) === host).reduce((sum, { rate }) => sum + rate, 0)
      const hosts = [...new Set(asked.map(({ labels }) => hostOf(labels)))]
      // All that the other gets of the host must have come through it: versions behind one service share hosts as well.
      const hands = (id: string, to: string, calling: number) =>
        to !== id &&
        hosts.some((host) => {
          const [got, seen] = [rateAt(to, host), rateAt(id, host)]
          return got > 0 && seen >= got * 0.999 && calling >= got * 0.999
        }) &&
        !hosts.some((host) => rateAt(to, host) > rateAt(id, host) * 1.001)
      const handing = [...new Set(asked.map(({ id }) => id))].filter((id) =>
        [...this.callsOf(id)].some(([to, calling]) => hands(id, to, calling) && !this.#areTwins(id, to)),
      )
      return [...new Set([...ids, ...controllers, ...handing])].filter((id) => id.startsWith(`${cluster}/`))
    })
  }

  /** Whether one service leads to both. */
  #areTwins(a: string, b: string): boolean {
    return this.#responses('outbound').some(({ cluster, labels }) => {
      const behind = this.behind(cluster, `${labels.dst_namespace}/${labels.dst_service}`)
      return behind.includes(a) && behind.includes(b)
    })
  }

  #arrivals(): readonly (Seen & { readonly id: string })[] {
    return this.#once('arrivals', () =>
      this.#responses('inbound').flatMap((one) => {
        const id = placeOf(one.cluster, one.labels, '')
        return id === null || one.labels.target_port === '4191' ? [] : [{ ...one, id }]
      }),
    )
  }

  #owners(): ReadonlyMap<string, ReadonlySet<string>> {
    return this.#once('owners', () => {
      const owners = new Map<string, Set<string>>()
      const put = (ip: string, id: string) => owners.set(ip, (owners.get(ip) ?? new Set()).add(id))
      for (const { id, labels } of this.#arrivals()) if (labels.target_ip) put(labels.target_ip, id)
      for (const { cluster, labels } of this.#of('kube_pod_info')) {
        for (const id of this.#podInfo(cluster, labels.pod_ip ?? '')) put(labels.pod_ip ?? '', id)
      }
      return owners
    })
  }

  #podInfo(cluster: string, ip: string): readonly string[] {
    const infos = this.#of('kube_pod_info').filter((one) => one.cluster === cluster && one.labels.pod_ip === ip)
    return infos.map(({ labels }) => {
      const name = labels.created_by_name ?? ''
      const place = labels.created_by_kind === 'ReplicaSet' ? name.replace(/-[^-]+$/, '') : `statefulset:${name}`
      return `${cluster}/${labels.namespace}/${place}`
    })
  }

  #of(metric: string): readonly Seen[] {
    return this.#byMetric.get(metric) ?? []
  }

  #responses(direction: 'inbound' | 'outbound'): readonly Seen[] {
    return this.#once(direction, () =>
      this.#of('response_total').filter(({ labels }) => labels.direction === direction),
    )
  }

  #once<T>(key: string, make: () => T): T {
    if (!this.#memo.has(key)) this.#memo.set(key, make())
    return this.#memo.get(key) as T
  }
}

/** Istio's series as the facts that the questions above ask for: one place for each, whatever mesh tells it. */
function asLinkerd(seen: Seen): Seen[] {
  const { metric, labels } = seen
  if (metric !== 'istio_requests_total') return [seen]
  const known = (value: string | undefined) => (value === undefined || value === 'unknown' ? undefined : value)
  const source = { namespace: labels.source_workload_namespace ?? '', deployment: labels.source_workload ?? '' }
  const target = known(labels.destination_workload)
  if (labels.reporter === 'destination') {
    const arrived = { direction: 'inbound', namespace: labels.destination_workload_namespace ?? '', client_id: 'known' }
    return [{ ...seen, metric: 'response_total', labels: { ...arrived, deployment: target ?? '' } }]
  }
  if (target === undefined) {
    const asked = { ...source, hostname: labels.destination_service ?? '' }
    return [{ ...seen, metric: 'outbound_http_route_request_statuses_total', labels: asked }]
  }
  if (labels.destination_cluster !== labels.source_cluster) return []
  const called = {
    ...source,
    direction: 'outbound',
    dst_namespace: labels.destination_workload_namespace ?? '',
    dst_deployment: target,
    dst_service: labels.destination_service_name ?? '',
  }
  return [{ ...seen, metric: 'response_total', labels: called }]
}

function placeOf(cluster: string, labels: Labels, prefix: '' | 'dst_'): string | null {
  const namespace = labels[`${prefix}namespace`]
  const deployment = labels[`${prefix}deployment`]
  const set = labels[`${prefix}statefulset`]
  const name = deployment ?? (set === undefined ? undefined : `statefulset:${set}`)
  return namespace && name ? `${cluster}/${namespace}/${name}` : null
}

/** Whether the service that was asked for is the pod's own. */
function isLocal({ authority, dst_service: service }: Labels): boolean {
  return authority === undefined || service === undefined || authority.startsWith(`${service}.`)
}

/** A name from outside the cluster that was asked for. */
function hostOf({ authority }: Labels): string | null {
  const name = authority?.replace(/:\d+$/, '')
  return name === undefined || name.endsWith(LOCAL) || /^[\d.]+$/.test(name) ? null : name
}

/** Linkerd 2.8: the name that was asked for stands where later releases have the address. */
function hostsByAuthority(labels: Labels): boolean {
  return hostOf(labels) !== null
}

function addressOf({ target_addr: address, authority }: Labels): string | null {
  return address ?? authority ?? null
}

function callersIn(list: readonly Seen[]): Caller[] {
  const rates = new Map<string, number>()
  for (const { cluster, labels, rate } of list) {
    const from = placeOf(cluster, labels, '')
    if (from !== null) rates.set(from, (rates.get(from) ?? 0) + rate)
  }
  return [...rates].map(([from, rate]) => ({ from, rate }))
}
