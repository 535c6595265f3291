import { z } from 'zod'
import { Auth } from './auth-schema.ts'
import { dialectKeys } from './dialect-schema.ts'
import { DiscoverFile, endpointsOf } from './discover-schema.ts'
import { EndpointFile, type EndpointWithoutLimits } from './endpoint-schema.ts'
import { byteSize, duration, fileName, text } from './fields.ts'
import { GoalFile, goalOf } from './goal-schema.ts'
import { LinksFile, linksOf, ToolFile } from './links-schema.ts'
import { parseListen } from './listen.ts'
import type { Config, EndpointConfig, RouteConfig } from './settings.ts'

/** Keys that the design has and this version has not, by the place they belong to. */
export const LATER_KEYS: Readonly<Record<string, readonly string[]>> = {
  '': ['walls', 'audit', 'proxies'],
  clusters: ['clusterLabel', 'replicaLabels', 'maxLoad'],
}

const clusterName = text('a name')
  .max(63, 'use at most 63 characters')
  .regex(
    /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/,
    'use lower-case letters, digits, - and . only, with a letter or digit at both ends',
  )

export const ClusterFile = z.strictObject(
  {
    name: clusterName,
    endpoints: z
      .array(EndpointFile, {
        error: 'a list of endpoints such as [{ url: http://prometheus.example.com:9090 }] is expected here',
      })
      .min(1, 'a cluster needs at least one endpoint'),
    ...dialectKeys,
  },
  { error: 'a cluster such as { name: east, endpoints: [...] } is expected here' },
)

const workloadId = (shape: RegExp, example: string) =>
  text(`a workload such as ${example}`).regex(shape, `write ${example} (or kind:name for other kinds than deployments)`)

export const RouteFile = z
  .strictObject(
    {
      host: text('a host or glob such as *.example.com').min(1).optional(),
      address: text('an address or glob such as 203.0.113.20:80').min(1).optional(),
      to: workloadId(/^[^/\s]+\/[^/\s]+\/[^/\s]+$/, 'cluster/namespace/name'),
    },
    { error: 'a route such as { host: "*.example.com", to: cluster/namespace/name } is expected here' },
  )
  .transform(
    ({ host, address, to }): RouteConfig => ({
      match: host !== undefined ? { kind: 'host', glob: host.toLowerCase() } : { kind: 'address', glob: address ?? '' },
      to,
    }),
  )

const texts = (what: string) =>
  z.array(text(what).min(1), { error: `a list such as [${what}] is expected here` }).default([])

export const IngressFile = z.strictObject(
  {
    cluster: text('the name of a cluster'),
    workload: workloadId(/^[^/\s]+\/[^/\s]+$/, 'namespace/name'),
    addresses: texts('"203.0.113.20"'),
    hosts: texts('"*.example.com"').transform((hosts) => hosts.map((host) => host.toLowerCase())),
  },
  { error: 'an ingress such as { cluster: west, workload: namespace/name, addresses: [...] } is expected here' },
)

export const ServiceFile = z.strictObject(
  {
    service: workloadId(/^[^/\s]+\/[^/\s]+\/[^/\s:]+$/, 'cluster/namespace/service'),
    workloads: z
      .array(workloadId(/^[^/\s]+\/[^/\s]+\/[^/\s]+$/, 'cluster/namespace/name'), {
        error: 'a list of workloads such as [cluster/namespace/name] is expected here',
      })
      .min(1, 'name at least one workload'),
  },
  { error: 'a service such as { service: west/shop/cart, workloads: [west/shop/cart-v1] } is expected here' },
)

export const AliasFile = z.strictObject(
  { name: text('the name that labels have for the cluster').min(1), cluster: text('the name of a cluster') },
  { error: 'an alias such as { name: west-prod, cluster: west } is expected here' },
)

export const GroupFile = z.strictObject(
  {
    name: text('a name for the group').min(1).max(100, 'use at most 100 characters'),
    workloads: z
      .array(workloadId(/^[^/\s]+\/[^/\s]+\/[^/\s]+$/, 'cluster/namespace/name'), {
        error: 'a list of workloads or globs such as ["*/shop/web"] is expected here',
      })
      .min(1, 'name at least one workload'),
  },
  { error: 'a group such as { name: web, workloads: ["*/shop/web"] } is expected here' },
)

/** Prometheus itself answers with no more. */
const MOST_POINTS = 11_000
const MOST_POINTS_HINT = `use 1 to ${MOST_POINTS}, which is all that Prometheus answers with`

export const LimitsFile = z.strictObject(
  {
    maxResponseBytes: byteSize.prefault('48MiB'),
    maxSeries: z.int({ error: 'a whole number is expected here' }).min(1, 'use at least 1').default(200_000),
    maxPoints: z
      .int({ error: 'a whole number is expected here' })
      .min(1, MOST_POINTS_HINT)
      .max(MOST_POINTS, MOST_POINTS_HINT)
      .default(MOST_POINTS),
    queryTimeout: duration(0.1, 600).prefault('10s'),
    concurrency: z
      .int({ error: 'a whole number is expected here' })
      .min(1, 'use 1 to 1024')
      .max(1_024, 'use 1 to 1024')
      .default(64),
    pastSnapshots: byteSize.prefault('64MiB'),
    softDeadline: duration(0.1, 600).prefault('3s'),
    lastGoodFor: duration(1, 86_400).prefault('5m'),
  },
  { error: 'settings such as { queryTimeout: 10s } are expected here; leave limits out for the usual ones' },
)

export const LogFile = z.strictObject(
  {
    level: z
      .enum(['silent', 'error', 'warn', 'info', 'debug'], { error: 'use one of silent, error, warn, info, debug' })
      .default('info'),
  },
  { error: 'settings such as { level: info } are expected here' },
)

export const ConfigShape = z.strictObject({
  listen: text('host:port')
    .transform((value, context) => {
      const listen = parseListen(value)
      if (listen === null)
        context.addIssue(`'${value}' is not host:port; write one such as 127.0.0.1:8700 or "[::1]:8700"`)
      return listen ?? { host: '', port: 0 }
    })
    .prefault('127.0.0.1:8700'),
  refresh: duration(1, 3_600).prefault('10s'),
  bucketRefresh: z
    .union([z.literal('auto').transform(() => null), duration(1, 3_600)], {
      error: 'use auto, or a duration such as 30s',
    })
    .prefault('auto'),
  maxLoad: z
    .number({ error: 'a number such as 0.2 is expected here' })
    .min(0.001, 'use 0.001 to 64')
    .max(64, 'use 0.001 to 64')
    .default(0.2),
  rateWindow: z
    .union([z.literal('auto').transform(() => null), duration(1, 86_400)], {
      error: 'use auto, or a duration such as 1m',
    })
    .prefault('auto'),
  clusters: z
    .array(ClusterFile, {
      error: 'a list of clusters is needed: clusters: [{ name: east, endpoints: [{ url: http://... }] }]',
    })
    .optional(),
  discover: z
    .array(DiscoverFile, {
      error:
        'a list of endpoints that hold many clusters is expected here: [{ url: http://..., clusterLabel: cluster }]',
    })
    .default([]),
  routes: z.array(RouteFile, { error: 'a list of routes is expected here' }).default([]),
  ingresses: z.array(IngressFile, { error: 'a list of ingresses is expected here' }).default([]),
  services: z.array(ServiceFile, { error: 'a list of services is expected here' }).default([]),
  aliases: z.array(AliasFile, { error: 'a list of aliases is expected here' }).default([]),
  groups: z.array(GroupFile, { error: 'a list of groups is expected here' }).default([]),
  goals: z.array(GoalFile, { error: 'a list of goals is expected here' }).default([]),
  auth: Auth,
  assetsDirectory: fileName.default('none'),
  lastGoodDirectory: fileName.default('temporary'),
  links: LinksFile.prefault({}),
  tools: z.array(ToolFile, { error: 'a list of tools is expected here' }).default([]),
  log: LogFile.prefault({}),
  limits: LimitsFile.prefault({}),
})

/** The file as people write it, in; `Config` in SI units, out. */
export const ConfigFile = ConfigShape.transform(
  (file): Config => ({
    listen: file.listen,
    refreshSeconds: file.refresh,
    bucketRefreshSeconds: file.bucketRefresh === null ? null : Math.max(file.refresh, file.bucketRefresh),
    maxLoad: file.maxLoad,
    rateWindowSeconds: file.rateWindow,
    clusters: (file.clusters ?? []).map((cluster) => ({
      ...cluster,
      endpoints: cluster.endpoints.map((endpoint) => limited(endpoint, file.limits.queryTimeout)),
    })),
    discover: file.discover.map((entry) => ({
      endpoints: endpointsOf(entry).map((endpoint) => limited(endpoint, file.limits.queryTimeout)),
      clusterLabel: entry.clusterLabel,
      replicaLabels: entry.replicaLabels,
      include: entry.include,
      exclude: entry.exclude,
      rename: entry.rename,
      refreshSeconds: entry.refresh ?? file.refresh,
      forgetAfterSeconds: entry.forgetAfter,
      maxClusters: entry.maxClusters,
      dedup: entry.dedup,
      partialResponse: entry.partialResponse,
      dialects: entry.dialects,
      overrides: entry.overrides,
    })),
    routes: file.routes,
    ingresses: file.ingresses,
    services: file.services,
    aliases: file.aliases,
    groups: file.groups,
    goals: file.goals.map(goalOf),
    auth: file.auth ?? null,
    assetsDirectory: file.assetsDirectory === 'none' ? null : file.assetsDirectory,
    lastGoodDirectory: file.lastGoodDirectory,
    links: linksOf(file.links),
    tools: file.tools,
    log: file.log,
    limits: {
      maxResponseBytes: file.limits.maxResponseBytes,
      maxSeries: file.limits.maxSeries,
      maxPoints: file.limits.maxPoints,
      queryTimeoutSeconds: file.limits.queryTimeout,
      softDeadlineSeconds: file.limits.softDeadline,
      lastGoodForSeconds: file.limits.lastGoodFor,
      concurrency: file.limits.concurrency,
      pastSnapshotBytes: file.limits.pastSnapshots,
    },
  }),
)

function limited(endpoint: EndpointWithoutLimits, queryTimeoutSeconds: number): EndpointConfig {
  return { ...endpoint, timeoutSeconds: endpoint.timeoutSeconds ?? queryTimeoutSeconds }
}
