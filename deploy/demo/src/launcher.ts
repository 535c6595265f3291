import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { controlActions } from './control/actions.ts'
import { startControlServer } from './control/server.ts'
import { goldseamYaml, requireGoldseam, startGoldseam } from './goldseam.ts'
import { createHistory, HISTORY_MINUTES } from './history/create-history.ts'
import { openBrowser } from './open-browser.ts'
import type { Options } from './options.ts'
import { createScenario, prepareWhileStarting } from './prepare.ts'
import { endedText } from './process/child.ts'
import type { Cleanups } from './process/cleanups.ts'
import { requireFreePort } from './process/ports.ts'
import { createRunFolder } from './process/run-folder.ts'
import { findPrometheus } from './prometheus/find.ts'
import { createPrometheusFleet } from './prometheus/fleet.ts'
import { scrapeJobs, writeTargets } from './prometheus/targets-files.ts'
import type { Scenario } from './scenarios/scenario.ts'
import { openStage } from './stage.ts'
import type { Steps } from './steps.ts'
import { summary } from './summary.ts'

interface Launch {
  readonly options: Options
  readonly steps: Steps
  readonly cleanups: Cleanups
  readonly signal: AbortSignal
}

/** Starts everything in order. What it started is on the list of cleanups even if it fails half-way. */
export async function launch({ options, steps, cleanups, signal }: Launch): Promise<void> {
  const scenario = createScenario(options)
  const entry = options.server ? await requireGoldseam() : undefined
  await requirePorts(options, scenario)
  const runFolder = await createRunFolder()
  cleanups.add(runFolder.remove)

  steps.progress('looking for Prometheus')
  const binary = await findPrometheus({ onProgress: steps.progress, signal })
  signal.throwIfAborted()
  steps.done(`Prometheus ${binary.version} (${binary.source}: ${binary.path})`)

  const fleet = await createPrometheusFleet({
    clusters: scenario.clusters,
    ports: options.prometheusPorts,
    binary: binary.path,
    runFolder: runFolder.path,
    steps,
    signal,
  })
  cleanups.add(fleet.stop)
  steps.progress('starting the clusters, and rehearsing calm traffic')
  const { world, pace } = await prepareWhileStarting(
    scenario,
    scenario.clusters.map((cluster) => fleet.start(cluster)),
    signal,
  )
  signal.throwIfAborted()
  const podCount = scenario.clusters.reduce((count, cluster) => count + world.pods(cluster).length, 0)
  steps.done(`${podCount} pods in ${scenario.clusters.length} clusters, a Prometheus for each`)

  steps.progress('writing the past')
  const series = await createHistory({
    targets: [...fleet.servers].map(([cluster, { url }]) => ({
      prometheusUrl: url,
      exporters: world.exporters(cluster),
    })),
    prometheusVersion: binary.version,
    pace,
    signal,
  })
  steps.done(`${HISTORY_MINUTES} min of calm history (${series} series)`)

  const targets = join(runFolder.path, 'targets')
  await mkdir(targets)
  const stage = await openStage({
    scenario,
    world,
    timerOn: !options.manual,
    publishTargets: () => writeTargets(scenario.clusters, world, targets),
    onPhase: (phase, loop) => steps.say(`→ ${phase.title} (round ${loop}): ${phase.text}`),
  })
  cleanups.add(stage.close)
  for (const [cluster, server] of fleet.servers) await server.scrape(scrapeJobs(cluster, world, targets))

  const urls = {
    goldseam: entry === undefined ? null : `http://127.0.0.1:${options.port}/`,
    control: `http://127.0.0.1:${options.controlPort}/`,
    prometheus: Object.fromEntries([...fleet.servers].map(([cluster, { url }]) => [cluster, url])),
  }
  const configFile = join(runFolder.path, 'goldseam.yaml')
  await writeFile(configFile, goldseamYaml(scenario, options, new Map(Object.entries(urls.prometheus))))
  const control = await startControlServer(
    options.controlPort,
    controlActions({ scenario, stage, fleet, urls, configFile }),
  )
  cleanups.add(async () => {
    control.close()
    control.closeAllConnections()
  })

  if (entry !== undefined) {
    steps.progress('starting Goldseam')
    const goldseam = await startGoldseam(entry, configFile, options.port, signal)
    cleanups.add(goldseam.stop)
    void goldseam.ended.then((how) => {
      if (!signal.aborted) steps.say(endedText('Goldseam', how, goldseam.lastLines()))
    })
    signal.throwIfAborted()
    steps.done(`Goldseam, with the configuration ${configFile}`)
  }
  steps.say(summary({ scenario, urls, runFolder: runFolder.path, manual: options.manual }))
  if (options.open) openBrowser(urls.goldseam ?? urls.control)
}

async function requirePorts(options: Options, scenario: Scenario): Promise<void> {
  if (options.server) await requireFreePort(options.port, 'Goldseam', '--port')
  await requireFreePort(options.controlPort, 'the control page', '--control-port')
  for (const [i, port] of options.prometheusPorts.entries()) {
    await requireFreePort(port, `${scenario.clusters[i]}'s Prometheus`, '--prometheus-ports')
  }
}
