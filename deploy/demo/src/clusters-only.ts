import { controlActions } from './control/actions.ts'
import { startControlServer } from './control/server.ts'
import { createHistory, HISTORY_MINUTES, type HistoryTarget } from './history/create-history.ts'
import type { Options } from './options.ts'
import { createScenario, prepareWhileStarting } from './prepare.ts'
import type { Cleanups } from './process/cleanups.ts'
import { hasPast, versionOnceReady } from './prometheus/remote-server.ts'
import { startTargetsServer } from './prometheus/targets-server.ts'
import { openStage } from './stage.ts'
import type { Steps } from './steps.ts'
import { summary } from './summary.ts'

/** The simulated clusters by themselves: Prometheus servers that run elsewhere get their past and scrape them. */
export async function launchClusters(launch: {
  options: Options
  steps: Steps
  cleanups: Cleanups
  signal: AbortSignal
}): Promise<void> {
  const { options, steps, cleanups, signal } = launch
  const scenario = createScenario(options)
  steps.progress('waiting for the Prometheus servers, and rehearsing calm traffic')
  const versions = options.prometheusUrls.map((url) => versionOnceReady(url, signal))
  const { world, pace } = await prepareWhileStarting(scenario, versions, signal)
  signal.throwIfAborted()

  let ready = false
  const { host, port } = options.targets
  const targets = await startTargetsServer({ host, port, exporters: world.exporters, isReady: () => ready })
  cleanups.add(async () => {
    targets.close()
    targets.closeAllConnections()
  })

  const prometheus = Object.fromEntries(scenario.clusters.map((name, i) => [name, options.prometheusUrls[i] ?? '']))
  const fresh: HistoryTarget[] = []
  for (const [cluster, prometheusUrl] of Object.entries(prometheus)) {
    if (await hasPast(prometheusUrl, HISTORY_MINUTES, signal)) steps.done(`${cluster} has a past, and goes on from now`)
    else fresh.push({ prometheusUrl, exporters: world.exporters(cluster) })
  }
  if (fresh.length > 0) {
    steps.progress('writing the past')
    const prometheusVersion = (await versions[0]) ?? ''
    const series = await createHistory({ targets: fresh, prometheusVersion, pace, signal })
    steps.done(`${HISTORY_MINUTES} min of calm history (${series} series)`)
  }

  const stage = await openStage({
    scenario,
    world,
    timerOn: !options.manual,
    publishTargets: async () => undefined,
    onPhase: (phase, loop) => steps.say(`→ ${phase.title} (round ${loop}): ${phase.text}`),
  })
  cleanups.add(stage.close)
  const urls = { goldseam: null, control: `http://127.0.0.1:${options.controlPort}/`, prometheus }
  const nobody = { servers: new Map(), start: async () => undefined, stop: async () => undefined }
  const control = await startControlServer(
    options.controlPort,
    controlActions({ scenario, stage, fleet: nobody, urls, configFile: null }),
  )
  cleanups.add(async () => {
    control.close()
    control.closeAllConnections()
  })
  ready = true
  steps.say(summary({ scenario, urls, runFolder: null, manual: options.manual }))
}
