import { type Crowds, createCrowds } from '../load/crowds.ts'
import { SCRAPE_INTERVAL_SECONDS } from '../prometheus/config.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { createVirtualTransport, type VirtualTransport } from '../transport/virtual.ts'
import { PROBE_INTERVAL_SECONDS } from '../world/probes.ts'
import { startWorld, type World } from '../world/world.ts'
import { type Pace, paceOf, readCells } from './measure.ts'

const WARM_UP_SECONDS = 10
const MEASURED_SECONDS = 60
/** Longer than any calm request. */
const DRAIN_MS = 5000

/**
 * Plays calm traffic through the same services and proxies on a virtual clock, and measures at what pace every number of
 * every proxy grows.
 */
export async function rehearse(scenario: Scenario, signal: AbortSignal): Promise<Pace> {
  const transport = createVirtualTransport()
  const world = await startWorld(transport, scenario)
  return measureCalm({ transport, world, crowds: createCrowds(transport, scenario, world), scenario, signal })
}

/** The same in a world that goes on afterwards. */
export async function measureCalm(stage: {
  transport: VirtualTransport
  world: World
  crowds: Crowds
  scenario: Scenario
  signal: AbortSignal
}): Promise<Pace> {
  const { transport, world, crowds, scenario, signal } = stage
  await play({ transport, crowds, scenario, seconds: WARM_UP_SECONDS, signal })
  const before = readCells(world.allExporters())
  visitAdminPorts(transport, world)
  await play({ transport, crowds, scenario, seconds: MEASURED_SECONDS, signal })
  return paceOf(world.allExporters(), before, MEASURED_SECONDS)
}

/** Ends when every answer is in, so that requests and answers agree in what is counted. */
async function play(run: {
  transport: VirtualTransport
  crowds: Crowds
  scenario: Scenario
  seconds: number
  signal: AbortSignal
}): Promise<void> {
  run.crowds.start(calmUsers(run.scenario))
  await run.transport.pass(run.seconds * 1000, run.signal)
  const drained = run.crowds.stop()
  await run.transport.pass(DRAIN_MS, run.signal)
  await drained
}

export function calmUsers(scenario: Scenario): number {
  return scenario.phases[0]?.users[0]?.users ?? 0
}

/** Scrapes and probes are part of what a proxy measures. */
function visitAdminPorts(transport: VirtualTransport, world: World): void {
  for (const pod of world.allPods()) {
    for (let at = 0.5; at < MEASURED_SECONDS; at += SCRAPE_INTERVAL_SECONDS) {
      transport.after(at * 1000, () => void pod.askAdmin('metrics'))
    }
    for (let at = 0.5; at < MEASURED_SECONDS; at += PROBE_INTERVAL_SECONDS) {
      transport.after(at * 1000, () => void pod.askAdmin('/ready'))
    }
  }
}
