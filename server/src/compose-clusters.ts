import { httpEndpoint } from './compose-endpoint.ts'
import type { ComposedKept } from './compose-kept.ts'
import type { ClusterConfig, Config, DiscoverConfig, EndpointConfig } from './config/config.ts'
import type { Secrets } from './config/secrets.ts'
import { type ShownSetting, shownSettings } from './config/shown-settings.ts'
import type { Matcher } from './dialects/promql.ts'
import { dialectsFor } from './dialects/registry.ts'
import { ClusterReader } from './federation/cluster-reader.ts'
import { type TestedEndpoint, testCluster } from './federation/cluster-test.ts'
import { Discovery, type Found } from './federation/discovery.ts'
import type { Names } from './federation/known-names.ts'
import { oneOfMany } from './federation/one-of-many.ts'
import { RateWindow } from './federation/rate-window.ts'
import type { ManyClusters, Member } from './federation/read-api/fan-out.ts'
import { Roster } from './federation/roster.ts'
import { createSharedAlerts, withSharedAlerts } from './federation/shared-alerts.ts'
import { readValuesByStore } from './federation/thanos-stores.ts'
import { withScrapeInterval } from './federation/with-scrape-interval.ts'
import { createAnswerReaders } from './prometheus/answer-readers.ts'
import type { PrometheusApi } from './prometheus/api.ts'
import { createPrometheus, createSharedPrometheus, type PrometheusDeps } from './prometheus/create-prometheus.ts'
import { createLine, withLimit } from './prometheus/with-limit.ts'

/** Of clusters with many buckets, where the config does not say. */
const BUCKET_REFRESH_SECONDS = 30

export interface ComposedClusters {
  readonly roster: Roster
  readonly rateWindow: RateWindow
  /** The clusters as the read API asks them; they change where clusters are discovered. */
  readonly members: () => readonly Member[]
  /** The config as it takes effect for a cluster; null where the name is nobody's. */
  readonly settingsOf: (cluster: string) => readonly ShownSetting[] | null
  /** Asks each endpoint of a cluster once, on purpose; null where the name is nobody's. */
  readonly test: (cluster: string, signal: AbortSignal) => Promise<readonly TestedEndpoint[]> | null
  close(): Promise<void>
}

/** What a cluster's reader does not know of itself. */
interface Behind {
  readonly given: ClusterConfig | DiscoverConfig
  readonly test: (signal: AbortSignal) => Promise<readonly TestedEndpoint[]>
}

/** Everything that is asked: the clusters the config lists, and those found behind endpoints that hold many. */
export function composeClusters(
  config: Config,
  secrets: Secrets,
  { nowSeconds, observe, keeper, lastingKeeper }: Pick<PrometheusDeps, 'nowSeconds' | 'observe'> & ComposedKept,
): ComposedClusters {
  const { refreshSeconds, bucketRefreshSeconds, maxLoad } = config
  const deps = { nowSeconds, observe, refreshSeconds, places: createLine(config.limits.concurrency) }
  const readers = createAnswerReaders()
  const closing: (() => Promise<void>)[] = [readers.close]
  const members = new WeakMap<ClusterReader, Member>()
  const behind = new WeakMap<ClusterReader, Behind>()
  const leastWindows = new Map<string, number>()
  const reached = (endpoints: readonly EndpointConfig[]) =>
    endpoints.map((endpoint) => ({ ...httpEndpoint(endpoint, config.limits, secrets, nowSeconds), readers }))

  function readerOf(
    name: string,
    api: PrometheusApi,
    given: DiscoverConfig | ClusterConfig,
    matcher: Matcher | null,
  ): ClusterReader {
    const { dialects: named, overrides, endpoints } = given
    const windows = endpoints.flatMap(({ rateWindowSeconds }) => rateWindowSeconds ?? [])
    if (windows.length > 0) leastWindows.set(name, Math.max(...windows))
    const intervals = endpoints.flatMap(({ scrapeIntervalSeconds }) => scrapeIntervalSeconds ?? [])
    const aliases = config.aliases.flatMap((alias) => (alias.cluster === name ? [] : [alias.name]))
    const peers = () => [...roster.readers().flatMap((one) => (one.name === name ? [] : [one.name])), ...aliases]
    // What came of each replica added up is no past of what counts them once.
    const told = 'dedup' in given ? ` ${JSON.stringify(paramsOf(given))}` : ''
    const identity = `${name}, ${identityOf(endpoints)} ${JSON.stringify(matcher)}${told}`
    return new ClusterReader({
      name,
      api: withScrapeInterval(
        api,
        intervals.length === 0 ? null : Math.max(...intervals),
        nowSeconds,
        matcher !== null,
      ),
      dialects: dialectsFor({ named, peers, overrides }),
      peers,
      fixed: named !== 'auto',
      lastGoodForSeconds: config.limits.lastGoodForSeconds,
      kept: keeper(`last good values of ${identity}`),
      // It is gone on with when the cluster answers, which would be wrong where it was read otherwise.
      keptPast: keeper(`past of ${identity} ${JSON.stringify([named, overrides])}`),
      softDeadlineSeconds: config.limits.softDeadlineSeconds,
      clock: nowSeconds,
      refreshSeconds,
      bucketRefreshSeconds: bucketRefreshSeconds ?? Math.max(refreshSeconds, BUCKET_REFRESH_SECONDS),
      bucketsWithRates: bucketRefreshSeconds === null,
      maxLoad,
      goals: config.goals,
      matcher,
    })
  }

  const listed = config.clusters.map((cluster) => {
    const { name, endpoints } = cluster
    const api = createPrometheus({ name, endpoints: reached(endpoints) }, deps)
    closing.push(api.close)
    const reader = readerOf(name, api, cluster, null)
    members.set(reader, { name, api: withLimit(api, foreignCalls(endpoints)), matcher: null, among: null })
    behind.set(reader, { given: cluster, test: (signal) => testCluster(api.test, null, signal) })
    return reader
  })

  const sources = config.discover.map((entry) => {
    const { endpoints, clusterLabel } = entry
    const params = paramsOf(entry)
    const shared = createSharedPrometheus(
      reached(endpoints).map((endpoint) => ({ ...endpoint, params })),
      deps,
    )
    closing.push(shared.close)
    const url = endpoints[0]?.url ?? ''
    const host = new URL(url).host
    const api = shared.forCluster(host)
    const alerts = createSharedAlerts()
    // With a breaker of its own: what hangs for several clusters at once does not keep us from asking which there are.
    const whole = shared.forCluster(host)
    const endpoint: ManyClusters = {
      name: host,
      label: clusterLabel,
      api: withLimit(whole, foreignCalls(endpoints)),
      valuesByStore: (signal) => readValuesByStore(api, clusterLabel, signal),
    }
    const replicaLabels = entry.dedup ? entry.replicaLabels : []
    const kept = lastingKeeper<Names>(`clusters by ${clusterLabel}, ${identityOf(endpoints)}${chosenBy(entry)}`)
    const discovery = new Discovery({ ...entry, replicaLabels, url, api, kept, clock: nowSeconds })
    return {
      discovery,
      /** What stands for its clusters while it never told which they are. */
      blind: (): readonly Member[] => {
        const { blind } = discovery
        return blind === null ? [] : [{ name: host, api: endpoint.api, matcher: null, among: null, blind }]
      },
      readerOf(found: Found) {
        const { name, value } = found
        const matcher = { label: clusterLabel, op: '=', value } as const
        const { absence, confirmedAbsence } = found
        const asked = shared.forCluster(name)
        const own = oneOfMany(withSharedAlerts(asked, alerts), { matcher, absence, confirmedAbsence })
        const reader = readerOf(name, own, entry, matcher)
        const stillAbsent = async () => (await confirmedAbsence()) ?? absence()
        const among = { endpoint, value, absence, confirmedAbsence: stillAbsent }
        members.set(reader, { name, api: withLimit(own, foreignCalls(endpoints)), matcher, among })
        behind.set(reader, { given: entry, test: (signal) => testCluster(asked.test, matcher, signal) })
        return reader
      },
    }
  })

  const roster = new Roster(listed, sources, nowSeconds, config.limits.lastGoodForSeconds)
  const behindOf = (cluster: string) => {
    const reader = roster.readers().find(({ name }) => name === cluster)
    return reader === undefined ? null : (behind.get(reader) ?? null)
  }
  return {
    roster,
    rateWindow: new RateWindow(config.rateWindowSeconds, (cluster) => leastWindows.get(cluster) ?? null),
    members() {
      // Others may ask while nobody watches.
      void roster.look()
      const known = roster.readers().flatMap((reader) => members.get(reader) ?? [])
      return [...known, ...sources.flatMap(({ blind }) => blind())]
    },
    settingsOf(cluster) {
      const given = behindOf(cluster)?.given
      return given === undefined ? null : shownSettings(config, given)
    },
    test: (cluster, signal) => behindOf(cluster)?.test(signal) ?? null,
    async close() {
      roster.close()
      await roster.keep()
      await Promise.all(closing.map((close) => close()))
    },
  }
}

/**
 * Values of one place are not shown for another of the same name. Who is asked, and as whom: behind one address there may
 * be many tenants. Only a hash of it is kept.
 */
function identityOf(endpoints: readonly EndpointConfig[]): string {
  return endpoints
    .map(({ url, headers, auth, clientCertificate }) => {
      const as = { headers, auth, clientCertificate }
      return `${url}${isNobody(as) ? '' : ` ${JSON.stringify(as)}`}`
    })
    .join(' ')
}

/** One endpoint may stand in several entries, each with clusters of its own to remember. */
function chosenBy({ include, exclude }: DiscoverConfig): string {
  return include.length + exclude.length === 0 ? '' : ` ${JSON.stringify({ include, exclude })}`
}

function isNobody({
  headers,
  auth,
  clientCertificate,
}: Pick<EndpointConfig, 'headers' | 'auth' | 'clientCertificate'>) {
  return Object.keys(headers).length === 0 && auth.kind === 'none' && clientCertificate === null
}

/**
 * What a Thanos is told with each question; Prometheus passes it over. Raw samples only: rates over a minute cannot be
 * had from series downsampled to five, and would come out empty or wrong where the server prefers these.
 */
function paramsOf({ dedup, partialResponse, replicaLabels }: DiscoverConfig): readonly (readonly [string, string])[] {
  return [
    ['dedup', String(dedup)],
    ['partial_response', String(partialResponse)],
    ['max_source_resolution', '0s'],
    // With brackets, whatever its documentation says.
    ...replicaLabels.map((label) => ['replicaLabels[]', label] as const),
  ]
}

/** Others' queries get half of an endpoint's places, so that a slow dashboard does not hold up the snapshots. */
function foreignCalls(endpoints: readonly EndpointConfig[]): number {
  return Math.max(1, Math.floor(Math.min(...endpoints.map(({ concurrency }) => concurrency)) / 2))
}
