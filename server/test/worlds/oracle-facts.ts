import { countedAt } from './oracle-controllers.ts'
import { addressOf, type Caller, callersIn, hostOf, hostsByAuthority, isLocal, placeOf } from './oracle-seen.ts'
import { SeenSeries } from './oracle-series.ts'
import type { SeriesStore } from './promql-subset.ts'

/** What the series of all clusters say, label by label. */
export class Facts {
  readonly clusters: readonly string[]
  /** Load balancers that the operator told of: address -> workloads. */
  readonly #told: readonly { readonly address: string; readonly workload: string }[]
  readonly #series: SeenSeries

  constructor(
    stores: ReadonlyMap<string, SeriesStore>,
    told: readonly { readonly address: string; readonly workload: string }[],
  ) {
    this.#series = new SeenSeries(stores)
    this.clusters = this.#series.clusters
    this.#told = told
  }

  /** Workloads behind `namespace/service`. */
  behind(cluster: string, service: string): readonly string[] {
    return this.#series.behind(cluster, service)
  }

  /** Whether the workload's own proxies report requests. */
  receives(id: string): boolean {
    return this.#series.once('receives', () => new Set(this.#series.arrivals().map(({ id: one }) => one))).has(id)
  }

  /** Workloads, of any cluster, whose pods have the address. */
  ownersOf(ip: string): readonly string[] {
    return [...(this.#series.owners().get(ip) ?? [])]
  }

  /** Whether pods of one cluster only have addresses in the same range. */
  rangeIsExclusive(ip: string): boolean {
    const range = (address: string) => address.split('.').slice(0, 2).join('.')
    const clusters = this.#series.once(`range ${range(ip)}`, () => {
      const inRange = [...this.#series.owners()].filter(([address]) => range(address) === range(ip))
      return new Set(inRange.flatMap(([, ids]) => [...ids].map((id) => id.split('/')[0])))
    })
    return clusters.size === 1
  }

  /** Clusters whose own workloads show this trust domain to their neighbours. */
  homesOf(domain: string): readonly string[] {
    return this.#series.once(`homes ${domain}`, () => {
      const shown = this.#series
        .responses('outbound')
        .filter(
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
    return this.#series.once(`identity ${cluster}`, () =>
      this.#series
        .responses('outbound')
        .some(
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
    return this.#series.once(`exposes ${cluster} ${host}`, () => {
      const asked = this.#series.arrivals().filter((one) => one.cluster === cluster && hostOf(one.labels) === host)
      const doors = this.#doors(cluster)
      const ends = [...new Set(asked.map(({ id }) => id))].filter((id) => !doors.includes(id))
      const counted = countedAt(this.#series, cluster).filter(({ isOf }) => isOf?.(host))
      const atDoors = asked.filter(({ id }) => doors.includes(id))
      const sum = (list: readonly { readonly rate: number }[]) => list.reduce((all, { rate }) => all + rate, 0)
      if (atDoors.length > 0) return { rate: sum(atDoors), ends: ends.length > 0 ? ends : doors }
      if (counted.length > 0) {
        const behind = counted.flatMap(({ service }) => (service === null ? [] : this.behind(cluster, service)))
        const reached = ends.length > 0 ? ends : [...new Set(behind)]
        const here = [...new Set(counted.map(({ door }) => door))]
        return { rate: sum(counted), ends: reached.length > 0 ? reached : here }
      }
      return asked.length > 0 ? { rate: sum(asked), ends } : null
    })
  }

  /** Whether the cluster's series hold any host that is asked for from outside. */
  tellsHosts(cluster: string): boolean {
    return this.#series.once(`tells ${cluster}`, () => {
      const hosts = this.#series.arrivals().some((one) => one.cluster === cluster && hostOf(one.labels) !== null)
      return hosts || countedAt(this.#series, cluster).some(({ isOf }) => isOf !== null)
    })
  }

  callersOfHost(host: string): readonly Caller[] {
    return this.#series.once(`callers ${host}`, () => {
      const named = this.#series
        .of('outbound_http_route_request_statuses_total')
        .filter(({ labels }) => labels.hostname === host)
      const asked = this.#series
        .responses('outbound')
        .filter(
          ({ labels }) => labels.dst_namespace === undefined && hostOf(labels) === host && hostsByAuthority(labels),
        )
      return callersIn([...named, ...asked])
    })
  }

  /** Hosts that a workload asks for outside its mesh. */
  hostsOf(from: string): readonly string[] {
    return this.#series.once(`hosts ${from}`, () => {
      const named = this.#series
        .of('outbound_http_route_request_statuses_total')
        .filter(({ cluster, labels }) => labels.hostname && placeOf(cluster, labels, '') === from)
      return [...new Set(named.flatMap(({ labels }) => labels.hostname ?? []))]
    })
  }

  /** `ip:port` that are known to lead into a cluster. */
  balancersOf(cluster: string): readonly string[] {
    return this.#series.once(`balancers ${cluster}`, () => {
      const status = this.#series
        .of('kube_service_status_load_balancer_ingress')
        .filter((one) => one.cluster === cluster)
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
    return this.#series.once(`doors ${address}`, () => {
      const ip = address.replace(/:\d+$/, '')
      const told = this.#told.filter((one) => one.address === ip).map(({ workload }) => workload)
      const status = this.#series
        .of('kube_service_status_load_balancer_ingress')
        .filter(({ labels }) => labels.ip === ip)
      const behind = status.flatMap(({ cluster, labels }) =>
        this.behind(cluster, `${labels.namespace}/${labels.service}`),
      )
      return [...new Set([...told, ...behind])]
    })
  }

  /** What a workload is seen to call in its own cluster: by its proxy, else by its controller's own count. */
  callsOf(id: string): ReadonlyMap<string, number> {
    return this.#series.once(`calls ${id}`, () => {
      const cluster = id.split('/')[0] ?? ''
      const calls = new Map<string, number>()
      const put = (to: string, rate: number) => calls.set(to, (calls.get(to) ?? 0) + rate)
      for (const { labels, rate, cluster: at } of this.#series.responses('outbound')) {
        const to = placeOf(at, labels, 'dst_')
        if (to !== null && placeOf(at, labels, '') === id) put(to, rate)
      }
      if (calls.size > 0) return calls
      const inner = [
        ...this.#series.callsOfServices(id),
        ...countedAt(this.#series, cluster).flatMap(({ service, rate }) =>
          service === null ? [] : [{ service, rate }],
        ),
      ]
      for (const { service, rate } of inner) {
        const ends = this.behind(cluster, service)
        for (const end of ends) put(end, rate / ends.length)
      }
      return calls
    })
  }

  callersOfAddress(address: string): readonly Caller[] {
    return this.#series.once(`dial ${address}`, () =>
      callersIn(this.#series.dialling().filter(({ labels }) => addressOf(labels) === address)),
    )
  }

  callersOfAddressesOf(id: string): number {
    const dialling = this.#series
      .dialling()
      .filter(({ labels }) => this.ownersOf((addressOf(labels) ?? '').replace(/:\d+$/, '')).includes(id))
    return dialling.reduce((sum, { rate }) => sum + rate, 0)
  }

  /** Requests that reach a workload without an identity and without a name that was asked for. */
  namelessArrivals(id: string): number {
    const nameless = this.#series
      .arrivals()
      .filter((one) => one.id === id && one.labels.client_id === undefined && !one.labels.authority)
    return nameless.reduce((sum, { rate }) => sum + rate, 0)
  }

  /** `ip:port` that a workload dials and that no pod owns. */
  dialledOutside(from: string): readonly string[] {
    return this.#series.once(`dialled ${from}`, () => {
      const own = this.#series.dialling().filter(({ cluster, labels }) => placeOf(cluster, labels, '') === from)
      const addresses = own.flatMap(({ labels }) => addressOf(labels) ?? [])
      return [...new Set(addresses)].filter((address) => this.ownersOf(address.replace(/:\d+$/, '')).length === 0)
    })
  }

  #doors(cluster: string): readonly string[] {
    return this.#series.once(`doors of ${cluster}`, () => {
      const ids = this.balancersOf(cluster).flatMap((address) => this.doorsAt(address))
      const controllers = countedAt(this.#series, cluster).map(({ door }) => door)
      // Who is asked for a host and calls a workload that is asked for the same one hands requests on.
      const asked = this.#series.arrivals().filter((one) => one.cluster === cluster && hostOf(one.labels) !== null)
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
    return this.#series.responses('outbound').some(({ cluster, labels }) => {
      const behind = this.behind(cluster, `${labels.dst_namespace}/${labels.dst_service}`)
      return behind.includes(a) && behind.includes(b)
    })
  }
}
