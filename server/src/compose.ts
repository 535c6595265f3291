import type { Express } from 'express'
import { httpEndpoint } from './compose-endpoint.ts'
import type { Config, EndpointConfig } from './config/config.ts'
import type { LoadedConfig } from './config/load-config.ts'
import { dialectsFor } from './dialects/registry.ts'
import { workloadId, workloadIn } from './domain/identity.ts'
import type { StitchConfig } from './domain/stitch/types.ts'
import { ClusterReader } from './federation/cluster-reader.ts'
import { SnapshotEngine } from './federation/engine.ts'
import type { ReadContext } from './federation/read-api/read-answer.ts'
import { createApp } from './http/app.ts'
import { createHandlers } from './http/handlers.ts'
import { type ClusterPrometheus, createPrometheus } from './prometheus/create-prometheus.ts'
import { withLimit } from './prometheus/with-limit.ts'
import { createLogger, type Logger } from './telemetry/logger.ts'
import { createMetrics } from './telemetry/metrics.ts'
import { createTroubleLog } from './telemetry/trouble-log.ts'

export interface Composed {
  readonly app: Express
  readonly logger: Logger
  /** Stops asking clusters and drops the connections to them. */
  close(): Promise<void>
}

export interface ComposeDeps {
  readonly isReady: () => boolean
  /** Directory of the built web app; null when there is none. */
  readonly webDir: string | null
  readonly build: string
  /** Where log lines go; unset: standard error. */
  readonly logTo?: Parameters<typeof createLogger>[1]
}

/** The composition root: from the config to the app. The only place that knows every part. */
export async function compose({ config, secrets }: LoadedConfig, deps: ComposeDeps): Promise<Composed> {
  const logger = createLogger({ level: config.log.level, build: deps.build }, deps.logTo)
  const metrics = createMetrics()
  const nowSeconds = () => Date.now() / 1_000
  const troubles = createTroubleLog(logger, nowSeconds)
  const clusters = new Map<string, ClusterPrometheus>()
  for (const { name, endpoints: given } of config.clusters) {
    const reached = given.map((endpoint) => httpEndpoint(endpoint, config.limits, secrets, nowSeconds))
    const { refreshSeconds } = config
    const deps = { nowSeconds, observe: metrics.upstreamSeconds, refreshSeconds }
    clusters.set(name, createPrometheus({ name, endpoints: reached }, deps))
  }
  const members = config.clusters.flatMap(({ name, endpoints }) => {
    const api = clusters.get(name)
    return api === undefined ? [] : [{ name, api: withLimit(api, foreignCalls(endpoints)), matcher: null }]
  })
  const readers = config.clusters.flatMap((cluster) => {
    const api = clusters.get(cluster.name)
    if (api === undefined) return []
    const { dialects: named, overrides } = cluster
    const peers = config.clusters.map(({ name }) => name).filter((name) => name !== cluster.name)
    return new ClusterReader({
      name: cluster.name,
      api,
      dialects: dialectsFor({ named, peers, overrides }),
      fixed: named !== 'auto',
      lastGoodForSeconds: config.limits.lastGoodForSeconds,
    })
  })
  const engine = new SnapshotEngine({
    readers: () => readers,
    stitchConfig: stitchConfig(config),
    refreshSeconds: config.refreshSeconds,
    rateWindowSeconds: config.rateWindowSeconds,
    clock: nowSeconds,
    onSnapshot: ({ clusters: taken, gaps }) => {
      for (const { name } of taken) troubles.note(name, gaps.find(({ cluster }) => cluster === name) ?? null)
    },
  })
  metrics.watchSnapshotAges(() => {
    const newest = engine.newest()
    return Object.fromEntries(
      (newest?.clusters ?? []).map(({ name, ageSeconds }) => [
        name,
        newest === null || ageSeconds === null ? null : nowSeconds() - newest.atSeconds + ageSeconds,
      ]),
    )
  })
  const read: ReadContext = { members: () => members, limits: config.limits }
  const handlers = createHandlers({ engine, clock: nowSeconds })
  const app = createApp({ ...deps, handlers, read, clock: nowSeconds, logger, metrics })
  return { app, logger, close: async () => void (await Promise.all([...clusters.values()].map((api) => api.close()))) }
}

/** Others' queries get half of an endpoint's places, so that a slow dashboard does not hold up the snapshots. */
function foreignCalls(endpoints: readonly EndpointConfig[]): number {
  return Math.max(1, Math.floor(Math.min(...endpoints.map(({ concurrency }) => concurrency)) / 2))
}

/** The part of the config that joins clusters, in the domain's terms. */
function stitchConfig({ ingresses, routes }: Config): StitchConfig {
  return {
    ingresses: ingresses.flatMap(({ workload, ...ingress }) => {
      const ref = workloadIn(ingress.cluster, workload)
      return ref === undefined ? [] : [{ ...ingress, workload: workloadId(ref) }]
    }),
    routes: routes.map(({ match, to }) => ({ [match.kind]: match.glob, to })),
  }
}
