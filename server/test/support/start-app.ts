import { createServer, type Server } from 'node:http'
import { Access } from '../../src/access/access.ts'
import { Pairings } from '../../src/access/pairings.ts'
import { endpoints } from '../../src/contract/index.ts'
import { createApp } from '../../src/http/app.ts'
import type { ClusterTestDeps } from '../../src/http/cluster-test-api.ts'
import type { Handlers } from '../../src/http/mount.ts'
import { WallHub } from '../../src/http/wall-hub.ts'
import { createLinkStore } from '../../src/links/link-store.ts'
import { memoryStore } from '../../src/links/memory-store.ts'
import { createNoteStore } from '../../src/links/note-store.ts'
import { createLogger } from '../../src/telemetry/logger.ts'
import { createMetrics, type Metrics } from '../../src/telemetry/metrics.ts'
import { listening } from './fake-prometheus.ts'

export interface StartedApp {
  readonly url: string
  readonly metrics: Metrics
  /** Everything that was logged, one entry a line. */
  readonly logged: Record<string, unknown>[]
  readonly server: Server
  close(): Promise<void>
}

/** The real app on a free port; handlers that are not given refuse. */
export async function startApp(
  given: {
    handlers?: Partial<Handlers>
    isReady?: () => boolean
    webDir?: string | null
    clock?: () => number
    testCluster?: ClusterTestDeps['testCluster']
  } = {},
): Promise<StartedApp> {
  const logged: Record<string, unknown>[] = []
  const logger = createLogger({ level: 'debug' }, { write: (line) => logged.push(JSON.parse(line)) })
  const metrics = createMetrics()
  const refuse = async () => {
    throw new Error('no handler was given')
  }
  const handlers = { ...Object.fromEntries(Object.keys(endpoints).map((name) => [name, refuse])), ...given.handlers }
  const store = memoryStore()
  const app = createApp({
    previews: null,
    handlers: handlers as unknown as Handlers,
    links: createLinkStore({
      store,
      durable: false,
      maxCount: 10,
      maxBytes: 1e6,
      keepForSeconds: null,
      clock: () => 0,
    }),
    notes: createNoteStore(store, () => 0),
    read: {
      members: () => [],
      leftOut: () => [],
      upToDate: async () => {},
      limits: { maxResponseBytes: 1, maxSeries: 1, maxPoints: 1 },
    },
    clock: given.clock ?? (() => Date.now() / 1_000),
    isReady: given.isReady ?? (() => true),
    logger,
    metrics,
    webDir: given.webDir ?? null,
    keptAssets: null,
    build: () => 'test-build',
    walls: new WallHub({ engine: { snapshot: refuse, lookedAt() {} }, clock: () => 0, build: () => 'test-build' }),
    clusterNames: () => null,
    testCluster: given.testCluster ?? (() => null),
    access: new Access({ tokens: null, walls: [] }, null),
    pairings: new Pairings(),
  })
  const server = createServer(app)
  const port = await listening(server)
  return {
    url: `http://127.0.0.1:${port}`,
    metrics,
    logged,
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
