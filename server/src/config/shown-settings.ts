import type { ClusterConfig, Config, DiscoverConfig, EndpointConfig } from './config.ts'
import { sizeText } from './units.ts'

/** One line of what holds for a cluster, defaults included. Of secrets it only says that there are some. */
export interface ShownSetting {
  readonly name: string
  readonly value: string
}

/** The config as it takes effect for one cluster. */
export function shownSettings(config: Config, given: ClusterConfig | DiscoverConfig): readonly ShownSetting[] {
  const { limits } = config
  return [
    ...given.endpoints.flatMap(endpointSettings),
    ...('clusterLabel' in given ? discoverySettings(given) : []),
    { name: 'dialects', value: given.dialects === 'auto' ? 'auto' : given.dialects.join(', ') },
    ...Object.entries(given.overrides).map(([metric, name]) => ({ name: `overrides ${metric}`, value: name })),
    { name: 'refresh', value: seconds(config.refreshSeconds) },
    {
      name: 'bucketRefresh',
      value: config.bucketRefreshSeconds === null ? 'auto' : seconds(config.bucketRefreshSeconds),
    },
    { name: 'rateWindow', value: config.rateWindowSeconds === null ? 'auto' : seconds(config.rateWindowSeconds) },
    { name: 'maxLoad', value: String(config.maxLoad) },
    { name: 'limits.softDeadline', value: seconds(limits.softDeadlineSeconds) },
    { name: 'limits.lastGoodFor', value: seconds(limits.lastGoodForSeconds) },
    { name: 'limits.maxSeries', value: String(limits.maxSeries) },
    { name: 'limits.maxPoints', value: String(limits.maxPoints) },
    { name: 'limits.maxResponseBytes', value: sizeText(limits.maxResponseBytes) },
  ]
}

function endpointSettings(endpoint: EndpointConfig, index: number): ShownSetting[] {
  const { url, auth, headers, caFile, clientCertificate, proxy, timeoutSeconds, concurrency } = endpoint
  const at = (name: string) => `endpoints[${index}].${name}`
  return [
    { name: at('url'), value: url },
    { name: at('auth'), value: AUTH_WORDS[auth.kind] },
    ...Object.keys(headers).map((header) => ({ name: at(`headers.${header}`), value: 'set, not shown' })),
    ...(caFile === null ? [] : [{ name: at('caFile'), value: 'from a file' }]),
    ...(clientCertificate === null ? [] : [{ name: at('certFile, keyFile'), value: 'from files' }]),
    ...(proxy === null ? [] : [{ name: at('proxy'), value: new URL(proxy).host }]),
    { name: at('timeout'), value: seconds(timeoutSeconds) },
    { name: at('concurrency'), value: String(concurrency) },
  ]
}

const AUTH_WORDS = {
  none: 'none',
  bearer: 'bearer token, not shown',
  basic: 'user and password, not shown',
  oauth2: 'OAuth 2 client credentials, not shown',
} as const

function discoverySettings(given: DiscoverConfig): ShownSetting[] {
  return [
    { name: 'clusterLabel', value: given.clusterLabel },
    { name: 'replicaLabels', value: given.replicaLabels.join(', ') || 'none' },
    { name: 'dedup', value: String(given.dedup) },
    { name: 'partialResponse', value: String(given.partialResponse) },
  ]
}

function seconds(count: number): string {
  return `${count} s`
}
