import { dirname, resolve } from 'node:path'
import type { Express } from 'express'
import { Pairings } from './access/pairings.ts'
import { composeAccess } from './compose-access.ts'
import { composeClusters } from './compose-clusters.ts'
import { composeKept } from './compose-kept.ts'
import { composeLinks } from './compose-links.ts'
import { stitchConfig } from './compose-stitch.ts'
import { composeTroubles } from './compose-troubles.ts'
import type { LoadedConfig } from './config/load-config.ts'
import { SnapshotEngine } from './federation/engine.ts'
import type { ReadContext } from './federation/read-api/read-answer.ts'
import { createApp } from './http/app.ts'
import { createBuildId } from './http/build-id.ts'
import { createHandlers } from './http/handlers.ts'
import { keepAssets } from './http/kept-assets.ts'
import { linkHandler } from './http/links-api.ts'
import { createMetaOf } from './http/page-meta-of.ts'
import { createPreviewImages } from './http/preview-image.ts'
import { createPreviewPainter } from './http/preview-painter.ts'
import { isSendingJson } from './http/send-json.ts'
import { WallHub } from './http/wall-hub.ts'
import { withSaved } from './http/with-saved.ts'
import { wallCodes } from './links/wall-codes.ts'
import { createCollectBetween } from './telemetry/collect-between.ts'
import { createLogger, type Logger } from './telemetry/logger.ts'
import { createMetrics } from './telemetry/metrics.ts'
import { createTroubleLog } from './telemetry/trouble-log.ts'

export { metricsRead } from './dialects/metrics-read.ts'

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
export async function compose({ config, secrets, file }: LoadedConfig, deps: ComposeDeps): Promise<Composed> {
  const logger = createLogger({ level: config.log.level, build: deps.build }, deps.logTo)
  secrets.watch((path, why) => {
    if (why === null) logger.info({ file: path }, 'secret file is good again, and used')
    else logger.warn({ file: path, why }, 'secret file is no good; what it held before stays in use')
  })
  const metrics = createMetrics()
  const nowSeconds = () => Date.now() / 1_000
  const kept = composeKept(config.lastGoodDirectory, dirname(file), logger, nowSeconds)
  const clusters = composeClusters(config, secrets, { nowSeconds, observe: metrics.upstreamSeconds, ...kept })
  const { roster, rateWindow, members } = clusters
  // Who asks first finds the clusters there; an endpoint that does not answer holds the start for a moment only.
  await roster.look()
  const noteTroubles = composeTroubles({ log: createTroubleLog(logger, nowSeconds), roster, rateWindow })
  const collecting = createCollectBetween()
  const engine = new SnapshotEngine({
    readers: () => roster.readers(),
    roster,
    rateWindow,
    stitchConfig: stitchConfig(config),
    goals: config.goals,
    refreshSeconds: config.refreshSeconds,
    softDeadlineSeconds: config.limits.softDeadlineSeconds,
    pastSnapshotBytes: config.limits.pastSnapshotBytes,
    clock: nowSeconds,
    isAnswering: isSendingJson,
    onSnapshot(snapshot) {
      collecting.taken()
      noteTroubles(snapshot)
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
  const read: ReadContext = {
    members,
    leftOut: () => roster.leftOut(),
    upToDate: () => roster.lookAgain(),
    limits: config.limits,
  }
  const { links, notes, closeStore } = await composeLinks(config.links, secrets, {
    directory: dirname(file),
    clock: nowSeconds,
    logger,
  })
  const handlers = {
    ...withSaved(
      createHandlers({ engine, roster, groups: config.groups, settingsOf: clusters.settingsOf, clock: nowSeconds }),
      links,
    ),
    link: linkHandler(links),
    tools: async () => tools,
  }
  const tools = {
    tools: config.tools.map((tool) => ({ ...tool, clusters: [...tool.clusters], workloads: [...tool.workloads] })),
  }
  const build = createBuildId(deps.build, deps.webDir)
  const shorten = wallCodes(links, nowSeconds)
  const walls = new WallHub({ engine, clock: nowSeconds, build, shorten, note: () => notes.read() })
  // While an endpoint does not say which clusters it holds, every name may be one of them.
  const clusterNames = () => (roster.blind ? null : engine.readers.map(({ name }) => name))
  const access = composeAccess(config, file, logger, nowSeconds)
  const assets =
    config.assetsDirectory === null || deps.webDir === null
      ? null
      : await keepAssets(deps.webDir, resolve(dirname(file), config.assetsDirectory), (error) =>
          logger.warn(
            { err: error },
            'files of earlier builds are not kept: assetsDirectory cannot be read or written',
          ),
        )
  const { preview } = config.links
  const painter = createPreviewPainter()
  const previews = preview && createPreviewImages(preview.url, () => secrets.read(preview.keyFile), painter)
  const app = createApp({
    ...deps,
    access,
    pairings: new Pairings(),
    build,
    handlers,
    links,
    notes,
    // Pages are handed out before anybody has signed in: where that is needed, they say nothing.
    ...(config.links.unfurl && access.isOpen ? { metaOf: createMetaOf(engine, links, previews) } : {}),
    previews,
    read,
    clock: nowSeconds,
    logger,
    metrics,
    walls,
    testCluster: clusters.test,
    clusterNames,
    keptAssets: assets?.directory ?? null,
  })
  const close = async () => {
    assets?.close()
    walls.close()
    engine.close()
    collecting.close()
    await painter.close()
    await clusters.close()
    await closeStore()
  }
  return { app, logger, close }
}
